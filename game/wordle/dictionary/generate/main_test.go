package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestGeneratedFiles(t *testing.T) {
	if _, err := os.Stat("/usr/share/dict/scowl"); err != nil {
		t.Skip("Debian's package scowl is not installed")
	}
	files, err := generate()
	if err != nil || len(files) != 5 {
		t.Errorf("%d files, %v", len(files), err)
	}
	for name, text := range files {
		if committed, err := os.ReadFile(filepath.Join("..", name)); err != nil || string(committed) != text {
			t.Errorf("%s differs from the one in the repository, %v: run go generate", name, err)
		}
	}
}
