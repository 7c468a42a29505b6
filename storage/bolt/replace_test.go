package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"go.etcd.io/bbolt"
)

// eachSystem runs a test as on systems that can replace an open file, and as on Windows,
// which cannot.
func eachSystem(t *testing.T, test func(t *testing.T)) {
	was := lockedUntilReplaced
	t.Cleanup(func() { lockedUntilReplaced = was })
	for _, locked := range []bool{true, false} {
		if locked && runtime.GOOS == "windows" {
			continue
		}
		lockedUntilReplaced = locked
		t.Run(fmt.Sprintf("locked until replaced: %t", locked), test)
	}
}

// mustHave checks which files are in a folder.
func mustHave(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if e.Name() != notePath("test.db") { // of a holder, where the system does not know it
			got = append(got, e.Name())
		}
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the folder has %v, want %v", got, want)
	}
}

// TestReplacing: migrations, compacting and repairs put the new file in the place of the
// old one on every system, and leave nothing else.
func TestReplacing(t *testing.T) {
	eachSystem(t, func(t *testing.T) {
		path := mustUnpack(t, "format-5.db.gz")
		name := filepath.Base(path)
		folder := filepath.Dir(path)
		s := mustOpen(t, path)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		mustHave(t, folder, name, name+".format-5")
		if _, _, err := Compact(t.Context(), path, testCodecs, nil); err != nil {
			t.Fatalf("compacting: %v", err)
		}
		mustHave(t, folder, name, name+".format-5")
		mustCheck(t, path)

		for what, damage := range map[string]func([]byte){
			"a page":      func(b []byte) { b[len(b)/2] ^= 1; b[len(b)/2+7] ^= 1; b[len(b)/3] ^= 1 },
			"both metas":  func(b []byte) { clear(b[:8192]) },
			"a free list": func(b []byte) { damageFreelist(t, path, b) },
		} {
			damaged := filepath.Join(t.TempDir(), name)
			data := mustRead(t, path)
			damage(data)
			mustWrite(t, damaged, data)
			done, err := Repair(t.Context(), damaged, testCodecs, func(Finding) {}, nil)
			if err != nil {
				t.Errorf("repairing a file with damage to %s: %v", what, err)
				continue
			}
			if done.Changed {
				want := []string{name, filepath.Base(done.Old)}
				if done.Aside != "" {
					want = append(want, filepath.Base(done.Aside))
				}
				mustHave(t, filepath.Dir(damaged), want...)
			}
			mustCheck(t, damaged)
		}
	})
}

// damageFreelist makes the page of free pages one that bbolt panics at.
func damageFreelist(t *testing.T, path string, b []byte) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	size := db.Info().PageSize
	for at := 2 * size; at+size <= len(b); at += size {
		if flags := b[at+8]; flags == 0x10 {
			b[at+8] = 0x02
		}
	}
}

// TestReplaceFails: when the new file cannot take its place, nothing else is left.
func TestReplaceFails(t *testing.T) {
	eachSystem(t, func(t *testing.T) {
		folder := t.TempDir()
		path := filepath.Join(folder, "test.db")
		if err := os.MkdirAll(filepath.Join(path, "a folder cannot be replaced"), 0o700); err != nil {
			t.Fatal(err)
		}
		mustWrite(t, newFile(path), []byte("new"))
		if err := replace(path, ""); err == nil {
			t.Error("a folder was replaced")
		}
		mustHave(t, folder, "test.db")
	})
}

// closer calls itself.
type closer func() error

func (c closer) Close() error { return c() }

// TestReplaceChanged: where the old file has to be closed first, a change that another
// process makes before it is replaced is not lost.
func TestReplaceChanged(t *testing.T) {
	was := lockedUntilReplaced
	defer func() { lockedUntilReplaced = was }()
	lockedUntilReplaced = false
	folder := t.TempDir()
	path := filepath.Join(folder, "test.db")
	mustWrite(t, path, []byte("old"))
	mustWrite(t, newFile(path), []byte("new"))
	closed := false
	testOnlyClosed = func() {
		if !closed {
			t.Error("the old file is still open")
		}
		mustWrite(t, path, []byte("changed"))
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
			t.Error(err)
		}
	}
	defer func() { testOnlyClosed = func() {} }()
	if err := replace(path, path+".kept", closer(func() error { closed = true; return nil })); !errors.Is(err, errChanged) {
		t.Errorf("got %v", err)
	}
	mustHave(t, folder, "test.db")
	if got := string(mustRead(t, path)); got != "changed" {
		t.Errorf("the file has %q", got)
	}
}

// TestCompactInUse: a file that is in use is not replaced.
func TestCompactInUse(t *testing.T) {
	eachSystem(t, func(t *testing.T) {
		folder := t.TempDir()
		path := filepath.Join(folder, "test.db")
		s := mustOpen(t, path)
		defer s.Close()
		if _, _, err := Compact(context.Background(), path, testCodecs, nil); !errors.Is(err, ErrLocked) {
			t.Errorf("got %v", err)
		}
		mustHave(t, folder, "test.db")
	})
}
