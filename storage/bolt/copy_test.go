package bolt

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"go.etcd.io/bbolt"

	"fivefold/storage/record"
	"fivefold/storage/storagetest"
)

// TestBucketsMove: every bucket moves to another store, or is made again there.
func TestBucketsMove(t *testing.T) {
	for _, name := range allBuckets {
		moves := slices.ContainsFunc(movedBuckets, func(m moved) bool { return bytes.Equal(m.bucket, name) })
		if _, derived := derivationOf(name); !moves && !derived {
			t.Errorf("the records of %s would be lost when they are copied to another store", name)
		}
	}
	for _, table := range record.Tables {
		if _, err := movedAs(table); err != nil {
			t.Error(err)
		}
	}
	if len(movedBuckets) != len(record.Tables) {
		t.Errorf("%d buckets move, but there are %d tables", len(movedBuckets), len(record.Tables))
	}
}

// TestCopyOfFile: a copy has the same in all buckets, also what was made again.
func TestCopyOfFile(t *testing.T) {
	codecs := storagetest.Codecs(storagetest.Games())
	folder := t.TempDir()
	from, to := filepath.Join(folder, "from.db"), filepath.Join(folder, "to.db")
	s, err := Open(from, codecs, Options{})
	if err != nil {
		t.Fatal(err)
	}
	storagetest.Fill(t, s, 60)
	mustClose(t, s)
	source, err := OpenCopySource(t.Context(), from, codecs, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	target, err := OpenCopyTarget(to, codecs)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	for _, table := range record.Tables {
		var rows []record.Row
		if err := source.Rows(t.Context(), table, nil, func(r record.Row) error {
			rows = append(rows, record.Row{Table: table, Key: bytes.Clone(r.Key), Value: bytes.Clone(r.Value)})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if err := target.Write(t.Context(), rows, record.Mark{Table: table}); err != nil {
			t.Fatal(err)
		}
	}
	if err := target.Finish(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	dump := func(path string) (lines []string) {
		db, err := openFile(path, bbolt.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := view(db, func(tx *bbolt.Tx) error {
			for _, name := range allBuckets {
				lines = append(lines, fmt.Sprintf("%s %d", name, tx.Bucket(name).Sequence()))
				if bytes.Equal(name, bucketRankChunks) {
					continue // how a leaderboard is cut depends on who came first; the check compares it
				}
				if err := tx.Bucket(name).ForEach(func(k, v []byte) error {
					lines = append(lines, fmt.Sprintf("%s %q %q", name, k, v))
					return nil
				}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return lines
	}
	want, got := dump(from), dump(to)
	if !slices.Equal(got, want) {
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("line %d of %d is\n%s\nwant\n%s of %d", i, len(got), got[i], want[i], len(want))
			}
		}
		t.Fatalf("%d lines, want %d", len(got), len(want))
	}
}
