package bolt

import (
	"bytes"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// makeLong makes a file with more keys than are walked over at the start.
func makeLong(t *testing.T, path string) {
	t.Helper()
	s := mustOpenDamaged(t, path)
	s.db.NoSync = true
	if err := update(s.db, func(tx *bbolt.Tx) error {
		for i := range checkedKeys + 10_000 {
			if err := tx.Bucket(bucketReviews).Put(fmt.Appendf(nil, "match-%06d", i), []byte("{}")); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestChecksBehindTheStart: what the start has no time for is checked while games go on,
// and damage there is logged and counted.
func TestChecksBehindTheStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	makeLong(t, path)
	whole := mustRead(t, path)
	for _, c := range []struct {
		name, log        string
		data             []byte
		checked, damaged bool
	}{
		{"whole", "the file was checked", whole, true, false},
		{"keys out of order", "keys of reviews are out of order", bytes.ReplaceAll(whole, []byte("match-059000"), []byte("aatch-059000")), false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "test.db")
			mustWrite(t, path, c.data)
			var log strings.Builder
			s, err := Open(path, testCodecs, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			storagetest.MustCommit(t, s, storagetest.Wordle.Match("m", game.Location{Channel: "c"}, "ana", "crane"))
			s.background.Wait()
			if got, err := s.Stats(); err != nil || got.Checked != c.checked || got.Damaged != c.damaged {
				t.Errorf("it is %+v, %v", got, err)
			}
			if !strings.Contains(log.String(), c.log) || strings.Count(log.String(), "\n") != 1 {
				t.Errorf("the log is\n%s", log.String())
			}
		})
	}
}

// TestCloseEndsCheck: it does not keep the program from ending.
func TestCloseEndsCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	makeLong(t, path)
	s := mustOpenDamaged(t, path)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if s.checked.Load() != nil {
		t.Error("it went to its end")
	}
}
