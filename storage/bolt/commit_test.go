package bolt

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"fivefold/game"
	"fivefold/storage/record"
	"fivefold/storage/storagetest"
)

// errUndo ends the transaction of a test that has written what must not stay.
var errUndo = errors.New("undo")

// content returns all keys with their buckets, as they are in the transaction.
func content(tx *bbolt.Tx) (keys []string) {
	c := tx.Cursor()
	for name, _ := c.First(); name != nil; name, _ = c.Next() {
		inside := tx.Bucket(name).Cursor()
		for k, v := inside.First(); k != nil; k, v = inside.Next() {
			keys = append(keys, string(bytes.Join([][]byte{name, k, v}, []byte(" "))))
		}
	}
	return keys
}

// TestPutStops at the first error.
func TestPutStops(t *testing.T) {
	s := mustTemp(t)
	defer s.Close()
	a, b := []byte("a"), []byte("b")
	if err := update(s.db, func(tx *bbolt.Tx) error {
		return buckets{tx, testCodecs}.put(row{bucketRecent, a, nothing}, row{bucketRecent, b, nothing}, row{bucketRecent, a, nil})
	}); err != nil {
		t.Fatal(err)
	}
	checkKeys(t, s, map[string]bool{"a": false, "b": true})
	if err := update(s.db, func(tx *bbolt.Tx) error {
		before := content(tx)
		err := buckets{tx, testCodecs}.put(row{bucketRecent, nil, nothing}, row{bucketRecent, a, nothing}, row{bucketRecent, b, nil})
		if !errors.Is(err, bolterrors.ErrKeyRequired) {
			t.Errorf("got %v, want %v", err, bolterrors.ErrKeyRequired)
		}
		if after := content(tx); !slices.Equal(after, before) {
			t.Errorf("after an error it wrote: %q was %q", after, before)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestWriteStops: where the match itself cannot be written, neither is its result
// nor anything else that goes with it.
func TestWriteStops(t *testing.T) {
	s := mustTemp(t)
	defer s.Close()
	for name, m := range map[string]game.Match{
		"a start": storagetest.Wordle.Match("", game.Location{Channel: "c"}, "ana", "crane"),
		"an end":  storagetest.Wordle.Guess(t, storagetest.Wordle.Match("", game.Location{Channel: "c"}, "ana", "crane"), "ana", "crane"),
	} {
		err := update(s.db, func(tx *bbolt.Tx) error {
			before := content(tx)
			err := buckets{tx, testCodecs}.write(game.Change{Match: m, At: storagetest.Epoch}, matchEntry{requests: []game.RequestID{"r"}})
			if !errors.Is(err, bolterrors.ErrKeyRequired) {
				t.Errorf("%s: got %v, want %v", name, err, bolterrors.ErrKeyRequired)
			}
			if after := content(tx); !slices.Equal(after, before) {
				t.Errorf("%s: after an error it wrote: %q was %q", name, after, before)
			}
			return errUndo
		})
		if !errors.Is(err, errUndo) {
			t.Fatal(err)
		}
	}
}

// TestUnreadableIsNotStored: a match that could not be read again, such as one of day 0, must
// not get into the file.
func TestUnreadableIsNotStored(t *testing.T) {
	s := mustTemp(t)
	defer s.Close()
	for name, change := range map[string]func(*game.Match){
		"day 0":             func(m *game.Match) { m.Mode, m.Puzzle = game.Daily, game.DailyPuzzle(0) },
		"a day without one": func(m *game.Match) { m.Mode = game.Daily },
		"no mode":           func(m *game.Match) { m.Mode = "race" },
	} {
		m := storagetest.Wordle.Match("m", game.Location{Channel: "c"}, "ana", "crane")
		change(&m)
		if err := s.Commit(t.Context(), game.Change{Match: m, Request: "r", At: storagetest.Epoch}); !errors.Is(err, record.ErrUnreadable) {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := s.Load(t.Context(), m.Slot()); !errors.Is(err, game.ErrNoMatch) {
			t.Errorf("%s: stored is %v, %v", name, got, err)
		}
	}
}

// BenchmarkEncodeReadable is the time for a match of five guesses, and how much of it is
// for reading it back.
func BenchmarkEncodeReadable(b *testing.B) {
	s := mustTemp(b)
	defer s.Close()
	m := storagetest.Wordle.Match("m", game.Location{Guild: "g", Channel: "c"}, "ana", "crane")
	for _, w := range storagetest.WrongWords[:5] {
		m = storagetest.Wordle.Guess(b, m, "ana", w)
	}
	b.Run("read back", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.codecs.EncodeReadable(m); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoded", func(b *testing.B) {
		for b.Loop() {
			if _, err := s.codecs.EncodeMatch(m); err != nil {
				b.Fatal(err)
			}
		}
	})
}
