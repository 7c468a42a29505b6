package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// mustOpen opens a file in which nothing must be wrong at the end of the test.
func mustOpen(tb testing.TB, path string) *Map {
	tb.Helper()
	tb.Cleanup(func() { mustCheck(tb, path) })
	return mustOpenDamaged(tb, path)
}

// mustOpenDamaged opens a file that will be damaged.
func mustOpenDamaged(tb testing.TB, path string) *Map {
	tb.Helper()
	m, err := Open(path, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// mustCheck checks a file that no map has open.
func mustCheck(tb testing.TB, path string) {
	tb.Helper()
	db, _, err := openFile(path, bbolt.Options{ReadOnly: true})
	if err != nil {
		tb.Fatal(err)
	}
	if err := errors.Join(view(db, func(tx *bbolt.Tx) error {
		return checkPages(context.Background(), tx, func(ordered.Pair) error { return nil })
	}), db.Close()); err != nil {
		tb.Error(err)
	}
}

func mustTemp(tb testing.TB) *Map {
	tb.Helper()
	m := mustOpen(tb, filepath.Join(tb.TempDir(), "test.db"))
	tb.Cleanup(func() { m.Close() })
	return m
}

// set returns a change that stores values under keys: a key and a value in turn.
func set(pairs ...string) (c ordered.Change) {
	for i := 0; i < len(pairs); i += 2 {
		c.Set = append(c.Set, ordered.Pair{Key: pairs[i], Value: []byte(pairs[i+1])})
	}
	return c
}

func mustCommit(tb testing.TB, m *Map, c ordered.Change) {
	tb.Helper()
	if err := m.Commit(context.Background(), c); err != nil {
		tb.Fatal(err)
	}
}

// all returns everything in a map.
func all(tb testing.TB, m *Map) map[string]string {
	tb.Helper()
	got := map[string]string{}
	answers, err := m.Read(context.Background(), everything)
	if err != nil {
		tb.Fatal(err)
	}
	for _, p := range answers[0] {
		if p.Damaged {
			tb.Errorf("%q is damaged", p.Key)
		}
		got[p.Key] = string(p.Value)
	}
	return got
}

var everything = ordered.Query{From: "", To: "\xff\xff\xff\xff"}

// TestDamagedValue: a value that was changed on the disk is handed over as it is.
func TestDamagedValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	m := mustOpen(t, path)
	defer m.Close()
	for key, stored := range map[string][]byte{
		"changed":       append([]byte("x"), seal([]byte("changed"), []byte("value"))[1:]...),
		"another key's": seal([]byte("another key'z"), []byte("value")),
		"too short":     []byte("abc"),
	} {
		if err := update(m.db, func(tx *bbolt.Tx) error { return tx.Bucket(bucketRecords).Put([]byte(key), stored) }); err != nil {
			t.Fatal(err)
		}
		there, err := m.Get(t.Context(), key)
		answers, failed := m.Read(t.Context(), ordered.Prefix(key))
		want := stored[:max(0, len(stored)-checksumSize)]
		for _, p := range append(there, answers[0]...) {
			if errors.Join(err, failed) != nil || len(answers[0]) != 1 || !p.Damaged || string(p.Value) != string(want) {
				t.Errorf("%s: %v, %v; want %q, damaged", key, p, err, want)
			}
		}
		c := set(key, "whole")
		c.If = []ordered.Pair{{Key: key}}
		if err := m.Commit(t.Context(), c); !errors.Is(err, game.ErrConflict) {
			t.Errorf("%s: replaced as if it were missing: %v", key, err)
		}
		c.If = there
		mustCommit(t, m, c)
	}
	if got, want := all(t, m), map[string]string{"changed": "whole", "another key's": "whole", "too short": "whole"}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestTooLarge: what bbolt or the format does not take is refused, and changes nothing.
func TestTooLarge(t *testing.T) {
	m := mustTemp(t)
	for name, c := range map[string]ordered.Change{
		"no key":       set("a", "1", "", "x"),
		"a long key":   set("a", "1", string(make([]byte, bbolt.MaxKeySize+1)), "x"),
		"a long value": set("a", "1", "b", string(make([]byte, longest+1))),
	} {
		if err := m.Commit(t.Context(), c); err == nil || errors.Is(err, game.ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := all(t, m); len(got) != 0 {
		t.Errorf("there is %v", got)
	}
	mustCommit(t, m, set("k", string(make([]byte, longest)), string(make([]byte, bbolt.MaxKeySize)), "x"))
	if got := all(t, m); len(got) != 2 || len(got["k"]) != longest {
		t.Errorf("there are %d", len(got))
	}
}

func TestClosed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	failed := false
	m, err := Open(path, Options{Failed: func(error) { failed = true }})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(m.Close(), m.Close()); err != nil {
		t.Error(err)
	}
	if err := m.Commit(t.Context(), set("a", "1")); !errors.Is(err, game.ErrNotSaved) || !errors.Is(err, os.ErrClosed) {
		t.Errorf("a commit: %v", err)
	}
	if _, err := m.Get(t.Context(), "a"); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a read: %v", err)
	}
	if failed {
		t.Error("it counts as a failed sync")
	}
	mustCheck(t, path)
}

func TestStats(t *testing.T) {
	m := mustTemp(t)
	mustCommit(t, m, set("a", string(make([]byte, 1<<20))))
	mustCommit(t, m, ordered.Change{Set: []ordered.Pair{{Key: "a"}}})
	s, err := m.Stats()
	if err != nil || s.Bytes < 1<<20 || s.FreePages+s.PendingPages < 1<<20/os.Getpagesize() {
		t.Errorf("%+v, %v", s, err)
	}
}
