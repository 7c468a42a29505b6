package bolt

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

func mustRead(tb testing.TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// longAgo is a time that no test's write can leave on a file.
var longAgo = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

func mustWrite(tb testing.TB, path string, data []byte) {
	tb.Helper()
	if err := errors.Join(os.WriteFile(path, data, 0o600), os.Chtimes(path, longAgo, longAgo)); err != nil {
		tb.Fatal(err)
	}
}

// checkUntouched checks that nothing was written to a file of mustWrite.
func checkUntouched(t *testing.T, name, path string, data []byte) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil || !info.ModTime().Equal(longAgo) || string(mustRead(t, path)) != string(data) {
		t.Errorf("%s: the file was written to, %v", name, err)
	}
}

// checkRefused opens a file and expects an error, and the file as it was.
func checkRefused(t *testing.T, name string, data []byte, want error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	mustWrite(t, path, data)
	m, err := Open(path, Options{})
	if err == nil {
		m.Close()
	}
	if !errors.Is(err, want) || !strings.Contains(err.Error(), path) {
		t.Errorf("%s: %v, want %v and the path", name, err, want)
	}
	if inspected := Inspect(path); inspected == nil || err != nil && inspected.Error() != err.Error() {
		t.Errorf("%s: Inspect says %v, Open says %v", name, inspected, err)
	}
	checkUntouched(t, name, path, data)
}

func TestOpenRefusesOtherFiles(t *testing.T) {
	text := []byte(strings.Repeat("This is a text, not a database.\n", 2000))
	foreign := func(options *bbolt.Options, change func(tx *bbolt.Tx) error) []byte {
		path := filepath.Join(t.TempDir(), "foreign.db")
		db, err := bbolt.Open(path, 0o600, options)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(db.Update(change), db.Close()); err != nil {
			t.Fatal(err)
		}
		return mustRead(t, path)
	}
	bucket := func(name string) func(tx *bbolt.Tx) error {
		return func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucket([]byte(name))
			if err != nil {
				return err
			}
			return b.Put([]byte("key"), []byte("value"))
		}
	}
	ours := func(stored []byte) []byte {
		return foreign(nil, func(tx *bbolt.Tx) error {
			return errors.Join(bucket("meta")(tx), bucket("records")(tx), tx.Bucket(bucketMeta).Put(keyFormat, stored))
		})
	}
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"a byte", []byte("x"), ErrForeign},
		{"a short text", text[:100], ErrForeign},
		{"a page of text", text[:os.Getpagesize()], ErrForeign},
		{"a long text", text, ErrForeign},
		{"zeros", make([]byte, 1<<16), game.ErrDamaged},
		{"another program's database", foreign(nil, bucket("things")), ErrForeign},
		{"one with a bucket of the same name", foreign(nil, bucket("meta")), ErrForeign},
		{"one without a list of free pages", foreign(&bbolt.Options{NoFreelistSync: true}, bucket("things")), ErrForeign},
		{"a newer release's database", ours(seal(keyFormat, []byte{format + 1})), game.ErrNewer},
		{"a damaged format", ours([]byte{1, 2, 3, 4, 5}), game.ErrDamaged},
	} {
		checkRefused(t, c.name, c.data, c.want)
	}
}

// ownersOnly is the mode of a file that only its owner can use. On Windows the folder says
// who can, and a mode only whether a file can be written.
func ownersOnly() os.FileMode {
	if runtime.GOOS == "windows" {
		return 0o666
	}
	return 0o600
}

// TestOpenMakesNew: a file that is missing, folders and all, or empty, or in which bbolt has
// stored nothing. No other file stays.
func TestOpenMakesNew(t *testing.T) {
	folder := t.TempDir()
	empty, unused := filepath.Join(folder, "1", "empty.db"), filepath.Join(folder, "2", "unused.db")
	if err := errors.Join(os.Mkdir(filepath.Dir(empty), 0o700), os.Mkdir(filepath.Dir(unused), 0o700)); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, empty, nil)
	db, err := bbolt.Open(unused, 0o600, nil)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{empty, unused, filepath.Join(folder, "a", "b", "new.db")} {
		m := mustOpen(t, path)
		mustCommit(t, m, set("a", "1"))
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		m = mustOpen(t, path)
		if got := all(t, m); got["a"] != "1" {
			t.Errorf("%s has %v", path, got)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != ownersOnly() {
			t.Errorf("%s has mode %v, %v; want only its owner's", path, info.Mode(), err)
		}
		mustHave(t, filepath.Dir(path), filepath.Base(path))
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
		got = append(got, e.Name())
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the folder has %v, want %v", got, want)
	}
}

// envLocked makes the test binary try to open the file that it names.
const envLocked = "FIVEFOLD_TEST_LOCKED"

func TestMain(m *testing.M) {
	if path := os.Getenv(envLocked); path != "" {
		_, err := Open(path, Options{LockWait: time.Millisecond})
		fmt.Println(err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestOpenRefusesLocked opens a file that is in use, from this process and from another.
func TestOpenRefusesLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	m := mustOpen(t, path)
	defer m.Close()
	data := mustRead(t, path)
	if err := os.Chtimes(path, longAgo, longAgo); err != nil {
		t.Fatal(err)
	}
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), envLocked+"="+path)
	out, err := other.Output()
	if want := fmt.Sprintf("%s: %v\n", path, ErrLocked); err != nil || string(out) != want {
		t.Errorf("another process says %q, %v; want %q", out, err, want)
	}
	var wg sync.WaitGroup // since each waits for two seconds
	for name, try := range map[string]func() error{
		"Open":       func() error { _, err := Open(path, Options{}); return err },
		"Inspect":    func() error { return Inspect(path) },
		"CopyClosed": func() error { return CopyClosed(t.Context(), path, nil) },
		"Compact":    func() error { _, _, err := Compact(t.Context(), path, nil); return err },
		"Salvage":    func() error { _, err := Salvage(t.Context(), path, nil); return err },
	} {
		wg.Go(func() {
			if err := try(); !errors.Is(err, ErrLocked) || !strings.HasPrefix(err.Error(), path+": ") {
				t.Errorf("%s: %v; want ErrLocked and the path", name, err)
			}
		})
	}
	wg.Wait()
	checkUntouched(t, "in use", path, data)
	mustHave(t, filepath.Dir(path), "test.db")
}

// TestOpenWaitsForTheLock: a restart may overlap with the end of the process before. If the
// file was replaced meanwhile, the new one is opened.
func TestOpenWaitsForTheLock(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it cannot be seen elsewhere that a file is open and not locked yet")
	}
	path := filepath.Join(t.TempDir(), "test.db")
	next := path + ".next"
	if err := mustOpenDamaged(t, next).Close(); err != nil {
		t.Fatal(err)
	}
	first := mustOpenDamaged(t, path) // it goes
	waiting := make(chan error)
	var m *Map
	go func() {
		var err error
		m, err = Open(path, Options{LockWait: time.Hour})
		waiting <- err
	}()
	for opened := 0; opened < 2; runtime.Gosched() {
		opened = 0
		descriptors, err := filepath.Glob("/proc/self/fd/*")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range descriptors {
			if to, err := os.Readlink(name); err == nil && to == path {
				opened++
			}
		}
	}
	if err := os.Rename(next, path); err != nil {
		t.Fatal(err)
	}
	mustCommit(t, first, set("lost", ""))
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-waiting; err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if got := all(t, m); len(got) > 0 {
		t.Errorf("the file that was replaced is open, with %v", got)
	}
}

// TestOpenTruncated: a file that has lost its end is refused, whichever pages were there.
func TestOpenTruncated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	data, _ := makeFile(t, path)
	m := mustOpenDamaged(t, path)
	used := 0
	err := m.read(t.Context(), func(tx *bbolt.Tx) error { used = int(tx.Size()); return nil })
	if err := errors.Join(err, m.Close()); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{100, 8192, used / 2, used - 4096, used - 1} {
		checkRefused(t, fmt.Sprintf("%d of %d bytes", n, used), data[:n], game.ErrDamaged)
	}
}
