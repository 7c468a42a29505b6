package storage_test

import (
	"context"
	"errors"
	"maps"
	"testing"

	"fivefold/storage/check"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
	"fivefold/storage/transfer"
)

func silent(string, int, int) {}

// TestCopy copies a store: the other one has the same records, and what was changed meanwhile is noticed.
func TestCopy(t *testing.T) {
	from, to := filled(t, true), &orderedtest.Memory{}
	n, err := transfer.Copy(t.Context(), from, to, silent)
	want := all(t, from)
	if got := all(t, to); err != nil || !maps.Equal(got, want) || n != len(want) {
		t.Errorf("the copy has %d records and counts %d, %v, want %d", len(got), n, err, len(want))
	}
	if _, err := transfer.Copy(t.Context(), from, to, silent); !errors.Is(err, transfer.ErrNotEmpty) {
		t.Errorf("copying into a store that has records: %v", err)
	}
	for key, value := range map[string][]byte{"guilds\x00": []byte("x"), "a": {}, "z": {}, "secret\x00": nil} {
		to := &orderedtest.Memory{}
		_, err := transfer.Copy(t.Context(), from, to, func(stage string, done, of int) {
			if stage != "Copying" || done < of {
				return
			}
			if err := to.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{{Key: key, Value: value}}}); err != nil {
				t.Error(err)
			}
		})
		if !errors.Is(err, transfer.ErrDiffers) {
			t.Errorf("%q was changed meanwhile: %v", key, err)
		}
	}
}

// interrupted is a map that takes some commits, and then no more.
type interrupted struct {
	ordered.Map
	left int
}

var errInterrupted = errors.New("interrupted")

func (m *interrupted) Commit(ctx context.Context, c ordered.Change) error {
	if m.left--; m.left < 0 {
		return errInterrupted
	}
	return m.Map.Commit(ctx, c)
}

// TestCopyInterrupted: a copy that was interrupted leaves a store that says so, and the next one starts again.
func TestCopyInterrupted(t *testing.T) {
	from := filled(t, true)
	for n := 0; ; n++ {
		to := &orderedtest.Memory{}
		_, err := transfer.Copy(t.Context(), from, &interrupted{to, n}, silent)
		if err == nil {
			if n < 3 {
				t.Errorf("a copy takes %d commits: too few to interrupt", n)
			}
			return
		}
		if !errors.Is(err, errInterrupted) {
			t.Fatal(err)
		}
		if _, err := check.Map(t.Context(), to, codecs, check.Options{Mend: true}); err != nil { // which does not make it whole
			t.Fatal(err)
		}
		if err := transfer.CheckWhole(t.Context(), to); n > 0 && !errors.Is(err, transfer.ErrUnfinished) {
			t.Errorf("after %d commits the store is whole: %v", n, err)
		}
		if _, err := transfer.Copy(t.Context(), from, to, silent); err != nil {
			t.Fatal(err)
		}
		if err := transfer.CheckWhole(t.Context(), to); err != nil || !maps.Equal(all(t, to), all(t, from)) {
			t.Errorf("after %d commits and another copy: %v", n, err)
		}
	}
}
