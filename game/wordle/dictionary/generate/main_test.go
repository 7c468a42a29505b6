package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestGeneratedFiles(t *testing.T) {
	for _, dir := range []string{"/usr/share/dict/scowl", "/usr/share/wordnet"} {
		if _, err := os.Stat(dir); err != nil {
			t.Skip("Debian's packages scowl and wordnet-base are not both installed")
		}
	}
	files, err := generate()
	if err != nil || len(files) != 6 {
		t.Errorf("%d files, %v", len(files), err)
	}
	for name, text := range files {
		if committed, err := os.ReadFile(filepath.Join("..", name)); err != nil || string(committed) != text {
			t.Errorf("%s differs from the one in the repository, %v: run go generate", name, err)
		}
	}
}
