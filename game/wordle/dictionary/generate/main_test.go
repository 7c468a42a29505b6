package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

const debianLists, debianWordNet = "/usr/share/dict/scowl", "/usr/share/wordnet"

// needSources skips the test where a package that the dictionary is made from is not installed.
func needSources(t *testing.T) {
	t.Helper()
	for _, dir := range []string{debianLists, debianWordNet} {
		if _, err := os.Stat(dir); err != nil {
			t.Skip("Debian's packages scowl and wordnet-base are not both installed")
		}
	}
}

func TestRunMakesTheCommittedFiles(t *testing.T) {
	needSources(t)
	dir := t.TempDir()
	if err := run([]string{"-out", dir}, io.Discard); err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(made), 7; got != want {
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
	needSources(t)
	changed := t.TempDir()
	if err := os.WriteFile(filepath.Join(changed, "english-words.10"), []byte("about\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	changedWordNet := t.TempDir()
	if err := os.CopyFS(changedWordNet, os.DirFS(debianWordNet)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(changedWordNet, "index.adv"), []byte("oddly\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args []string
		want error
	}{
		{"no folder", []string{"-scowl", filepath.Join(changed, "absent")}, errOtherScowl},
		{"empty folder", []string{"-scowl", t.TempDir()}, errOtherScowl},
		{"changed lists", []string{"-scowl", changed}, errOtherScowl},
		{"no copyright file", []string{"-copyright", filepath.Join(changed, "absent")}, errOtherScowl},
		{"changed copyright file", []string{"-copyright", filepath.Join(changed, "english-words.10")}, errOtherScowl},
		{"no WordNet", []string{"-wordnet", filepath.Join(changed, "absent")}, errOtherWordNet},
		{"changed WordNet", []string{"-wordnet", changedWordNet}, errOtherWordNet},
	} {
		t.Run(test.name, func(t *testing.T) {
			out := t.TempDir()
			err := run(append(test.args, "-out", out), io.Discard)
			if !errors.Is(err, test.want) {
				t.Errorf("got error %v, want %v", err, test.want)
			}
			if made, _ := os.ReadDir(out); len(made) > 0 {
				t.Errorf("files made: got %d, want none", len(made))
			}
		})
	}
}
