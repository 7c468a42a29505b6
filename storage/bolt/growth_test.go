package bolt

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// BenchmarkGrowth measures what players and the operator notice of a file that grows: its
// length, the start, the median and the 99th percentile of the time for a guess, a leaderboard with a
// player's totals, a player's card without new reviews and a page of the history, memory,
// clearing the history of a player of a sixteenth of all matches while others guess, and
// removing old matches for ten seconds while others guess. The background check goes on
// all the time.
//
//	go test ./storage/bolt -run - -bench Growth/100k -benchtime 300x
//
// What is in it is a [storagetest.Growth].
func BenchmarkGrowth(b *testing.B) { storagetest.BenchGrowth(b, benchGrowth) }

func benchGrowth(b *testing.B, results int) {
	path := filepath.Join(b.TempDir(), "growth.db")
	growth := storagetest.NewGrowth(b, results, 1000*24*time.Hour) // so that few receipts stay
	fillGrowth(b, path, growth)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	debug.FreeOSMemory() // of the filling
	began := time.Now()
	s := mustOpen(b, path)
	start := time.Since(began)
	defer s.Close()

	growth.Measure(b, s)
	b.ReportMetric(float64(info.Size())/(1<<20), "MB")
	b.ReportMetric(float64(start.Milliseconds()), "ms/start")
}

// fillGrowth makes a file of finished matches.
func fillGrowth(b *testing.B, path string, growth *storagetest.Growth) {
	b.Helper()
	s := mustOpen(b, path)
	s.db.NoSync = true
	add := func(tx *bbolt.Tx, i int) error {
		m, requests, ended := growth.Match(i)
		data, err := testCodecs.EncodeMatch(m)
		if err != nil {
			return err
		}
		return buckets{tx, testCodecs}.write(game.Change{Match: m, Request: requests[2], At: ended}, matchEntry{requests, data})
	}
	const step = 1000 // bbolt is slow where a transaction puts many keys between others
	for from := 0; from < growth.Results; from += step {
		if err := update(s.db, func(tx *bbolt.Tx) error {
			for i := from; i < min(from+step, growth.Results); i++ {
				if err := add(tx, i); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
}
