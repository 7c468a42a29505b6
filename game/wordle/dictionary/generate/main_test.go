package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

const debianLists = "/usr/share/dict/scowl"

// needScowl skips the test where the scowl package is not installed.
func needScowl(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(debianLists); err != nil {
		t.Skip("Debian's scowl package is not installed")
	}
}

func TestRunMakesTheCommittedFiles(t *testing.T) {
	needScowl(t)
	dir := t.TempDir()
	if err := run([]string{"-out", dir}, io.Discard); err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(made), 6; got != want {
		t.Errorf("files made: got %d, want %d", got, want)
	}
	for _, file := range made {
		got, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("..", file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from the one in the repository: run go generate", file.Name())
		}
	}
}

func TestRunRefusesOtherLists(t *testing.T) {
	needScowl(t)
	changed := t.TempDir()
	if err := os.WriteFile(filepath.Join(changed, "english-words.10"), []byte("about\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args []string
	}{
		{"no folder", []string{"-scowl", filepath.Join(changed, "absent")}},
		{"empty folder", []string{"-scowl", t.TempDir()}},
		{"changed lists", []string{"-scowl", changed}},
		{"no copyright file", []string{"-copyright", filepath.Join(changed, "absent")}},
		{"changed copyright file", []string{"-copyright", filepath.Join(changed, "english-words.10")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := t.TempDir()
			err := run(append(test.args, "-out", out), io.Discard)
			if !errors.Is(err, errOtherScowl) {
				t.Errorf("got error %v, want %v", err, errOtherScowl)
			}
			if made, _ := os.ReadDir(out); len(made) > 0 {
				t.Errorf("files made: got %d, want none", len(made))
			}
		})
	}
}
