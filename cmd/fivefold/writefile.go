package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// writeOutput writes the file of --output and says so. What is in it, such as "tree", is
// for the error.
func (p *program) writeOutput(name, what string, b []byte) error {
	if err := writeFile(name, b); err != nil {
		return fmt.Errorf("writing the %s: %w", what, err)
	}
	_, err := fmt.Fprintf(p.out, "Written to %s, %d bytes.\n", name, len(b))
	return err
}

// writeFile writes the whole file, or leaves the old one as it was.
func writeFile(name string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it is renamed
	if _, err := f.Write(b); err != nil {
		f.Close()
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
