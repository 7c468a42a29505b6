package bolt

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// bare is a plain bbolt file with one bucket.
func bare(b *testing.B) *bbolt.DB {
	b.Helper()
	db, err := bbolt.Open(filepath.Join(b.TempDir(), "bare.db"), 0o600, &bbolt.Options{FreelistType: bbolt.FreelistMapType})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	if err := db.Update(func(tx *bbolt.Tx) error { _, err := tx.CreateBucket(bucketMeta); return err }); err != nil {
		b.Fatal(err)
	}
	return db
}

func putSmall(key int) func(*bbolt.Tx) error {
	return func(tx *bbolt.Tx) error { return tx.Bucket(bucketMeta).Put(number(uint64(key)), keyFormat) }
}

// BenchmarkGuess compares a durable guess with as many bare commits of bbolt, a
// small Put each, made in turn with it in the same run. The ratio is the time of
// the bare ones divided by ours; we aim at 0.8.
func BenchmarkGuess(b *testing.B) {
	b.Run("alone", func(b *testing.B) {
		s := mustTemp(b)
		b.Cleanup(func() { s.Close() })
		p := storagetest.NewPlayers(b, s, 1)
		db := bare(b)
		var ours, theirs time.Duration
		n := 0
		for b.Loop() {
			n++
			if p.Starts() {
				p.Play(b, 0)
			}
			began := time.Now()
			p.Play(b, 0)
			ours += time.Since(began)
			began = time.Now()
			if err := db.Update(putSmall(n)); err != nil {
				b.Fatal(err)
			}
			theirs += time.Since(began)
		}
		report(b, ours, theirs, n)
	})
	const channels = 256
	for _, c := range []struct {
		name   string
		commit func(*bbolt.DB) func(func(*bbolt.Tx) error) error
	}{
		{"256 with Update", func(db *bbolt.DB) func(func(*bbolt.Tx) error) error { return db.Update }},
		{"256 with Batch", func(db *bbolt.DB) func(func(*bbolt.Tx) error) error { return db.Batch }},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := mustTemp(b)
			b.Cleanup(func() { s.Close() })
			p := storagetest.NewPlayers(b, s, channels)
			commit := c.commit(bare(b))
			// at runs f for every channel at once, and returns how long that took.
			at := func(f func(i int)) time.Duration {
				began := time.Now()
				var wg sync.WaitGroup
				for i := range channels {
					wg.Go(func() { f(i) })
				}
				wg.Wait()
				return time.Since(began)
			}
			var ours, theirs time.Duration
			n := 0
			for b.Loop() {
				n++
				if p.Starts() {
					at(func(i int) { p.Play(b, i) })
				}
				ours += at(func(i int) { p.Play(b, i) })
				theirs += at(func(i int) {
					if err := commit(putSmall(n*channels + i)); err != nil {
						b.Error(err)
					}
				})
			}
			report(b, ours, theirs, n*channels)
		})
	}
}

func report(b *testing.B, ours, theirs time.Duration, guesses int) {
	b.ReportMetric(float64(theirs)/float64(ours), "ratio")
	b.ReportMetric(float64(ours.Microseconds())/float64(guesses), "µs/guess")
	b.ReportMetric(float64(theirs.Microseconds())/float64(guesses), "µs/bare")
}

// BenchmarkGroup commits small changes from goroutines, each of which makes its next
// change as soon as its last one is committed. It reports how many changes shared
// a transaction.
func BenchmarkGroup(b *testing.B) {
	for _, writers := range []int{1, 256} {
		b.Run(fmt.Sprint(writers), func(b *testing.B) {
			s := mustTemp(b)
			b.Cleanup(func() { s.Close() })
			before := lastTransaction(b, s)
			const each = 10
			for b.Loop() {
				var wg sync.WaitGroup
				for i := range writers {
					wg.Go(func() {
						for range each {
							if err := s.group.commit(context.Background(), putSmall(i)); err != nil {
								b.Error(err)
							}
						}
					})
				}
				wg.Wait()
			}
			changes := float64(b.N * writers * each)
			b.ReportMetric(changes/float64(lastTransaction(b, s)-before), "changes/transaction")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/changes, "µs/change")
		})
	}
}

func lastTransaction(b *testing.B, s *Store) (id int) {
	b.Helper()
	if err := view(s.db, func(tx *bbolt.Tx) error { id = tx.ID(); return nil }); err != nil {
		b.Fatal(err)
	}
	return id
}

var benchScope = game.Scope{Kind: game.Wordle, Guild: "g"}

func benchTotals(i int) game.Totals {
	return game.Totals{
		Player: game.PlayerID(fmt.Sprint("player-", i)), Played: 300 + i%400, Won: i % 300,
		Credit: 1000 * (300 + i%400), WonCredit: 1000 * (i % 300), Attempts: 1000 * (i % 1000),
	}
}

// mustFill calls add for players 0 to n-1, without waiting for the disk.
func mustFill(b *testing.B, s *Store, n int, add func(tx *bbolt.Tx, i int) error) {
	b.Helper()
	s.db.NoSync = true
	defer func() { s.db.NoSync = false }()
	const step = 20_000 // bbolt is slow where a transaction is long
	for from := 0; from < n; from += step {
		if err := update(s.db, func(tx *bbolt.Tx) error {
			for i := from; i < min(from+step, n); i++ {
				if err := add(tx, i); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
}

// sized is how large a benchmark is: n, or at most a thousand under -short, which only shows
// that it runs.
func sized(n int) int {
	if testing.Short() {
		return min(n, 1000)
	}
	return n
}

// BenchmarkLeaderboard asks for the top of a guild of 100 000 players and the
// row of one in the middle; we aim at 2 ms.
func BenchmarkLeaderboard(b *testing.B) {
	s := mustTemp(b)
	b.Cleanup(func() { s.Close() })
	all := sized(100_000)
	mustFill(b, s, all, func(tx *bbolt.Tx, i int) error {
		return buckets{tx, testCodecs}.setTotals(benchScope, game.Totals{}, benchTotals(i))
	})
	for b.Loop() {
		board, err := s.Leaderboard(b.Context(), benchScope, "player-150", 10)
		if err != nil || board.Players != all || len(board.Top) != 10 || board.Own.Place < all/4 || board.Own.Place > all*3/4 {
			b.Fatalf("%+v, %v", board, err)
		}
	}
}

// BenchmarkRanks compares the leaderboard's chunks with a list of keys without them, in
// turn: finding a place, and moving a player from one place to another. The ratio is the
// time without chunks divided by ours.
func BenchmarkRanks(b *testing.B) {
	ours := func(tx *bbolt.Tx) ranks { return buckets{tx, testCodecs}.ranksOf(benchScope) }
	theirs := func(tx *bbolt.Tx) *bbolt.Bucket { return tx.Bucket(bucketReviews) }
	for _, all := range []int{1_000, 10_000, 100_000} {
		if all > sized(all) {
			continue
		}
		setup := func(b *testing.B) (chunked, plain *Store) {
			chunked, plain = mustTemp(b), mustTemp(b)
			b.Cleanup(func() { chunked.Close(); plain.Close() })
			mustFill(b, chunked, all, func(tx *bbolt.Tx, i int) error { return ours(tx).insert(rankKey(benchTotals(i))) })
			mustFill(b, plain, all, func(tx *bbolt.Tx, i int) error { return theirs(tx).Put(rankKey(benchTotals(i)), nothing) })
			chunked.db.NoSync, plain.db.NoSync = true, true
			return chunked, plain
		}
		b.Run(fmt.Sprint("place/", all), func(b *testing.B) {
			chunked, plain := setup(b)
			key := rankKey(benchTotals(150))
			compare(b, func() error {
				return view(chunked.db, func(tx *bbolt.Tx) error { _, _, err := ours(tx).count(key); return err })
			}, func() error {
				return view(plain.db, func(tx *bbolt.Tx) error {
					before, after := 0, 0
					c := theirs(tx).Cursor()
					k, _ := c.First()
					for ; k != nil && bytes.Compare(k, key) < 0; k, _ = c.Next() {
						before++
					}
					for ; k != nil; k, _ = c.Next() {
						after++
					}
					if before+after != all {
						return fmt.Errorf("counted %d and %d", before, after)
					}
					return nil
				})
			})
		})
		b.Run(fmt.Sprint("move/", all), func(b *testing.B) {
			chunked, plain := setup(b)
			old, now := rankKey(benchTotals(150)), rankKey(benchTotals(151))
			now[len(now)-1]++ // a key that is not there
			compare(b, func() error {
				return update(chunked.db, func(tx *bbolt.Tx) error {
					list := ours(tx)
					if err := list.remove(old); err != nil {
						return err
					}
					return list.insert(now)
				})
			}, func() error {
				err := update(plain.db, func(tx *bbolt.Tx) error {
					list := theirs(tx)
					if err := list.Delete(old); err != nil {
						return err
					}
					return list.Put(now, nothing)
				})
				old, now = now, old
				return err
			})
		})
	}
}

// compare calls ours and theirs in turn, and reports the time of theirs divided by that of
// ours.
func compare(b *testing.B, ours, theirs func() error) {
	b.Helper()
	var took [2]time.Duration
	n := 0
	for b.Loop() {
		n++
		for i, f := range []func() error{ours, theirs} {
			began := time.Now()
			if err := f(); err != nil {
				b.Fatal(err)
			}
			took[i] += time.Since(began)
		}
	}
	b.ReportMetric(float64(took[1])/float64(took[0]), "ratio")
	b.ReportMetric(float64(took[0].Nanoseconds())/1000/float64(n), "µs/ours")
	b.ReportMetric(float64(took[1].Nanoseconds())/1000/float64(n), "µs/theirs")
}
