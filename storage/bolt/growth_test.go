package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// BenchmarkGrowth measures what players and the operator notice of a file that grows: its
// length, the start, the 99th percentile of the time for a guess, a leaderboard with a
// player's totals, a player's card without new reviews and a page of the history, memory,
// clearing the history of a player of a sixteenth of all matches while others guess, and
// removing old matches for ten seconds while others guess. The check behind the start goes
// on all the time.
//
//	go test ./storage/bolt -run - -bench Growth/100k -benchtime 300x
//
// There are as many players as a tenth of the results, in a hundred servers.
func BenchmarkGrowth(b *testing.B) {
	for _, size := range []struct {
		name    string
		results int
	}{{"10k", 10_000}, {"100k", 100_000}, {"1M", 1_000_000}, {"10M", 10_000_000}} {
		b.Run(size.name, func(b *testing.B) {
			if testing.Short() && size.results > 10_000 {
				b.Skip("filling the file takes minutes, the largest one almost an hour and 26 GB")
			}
			benchGrowth(b, size.results)
		})
	}
}

const (
	heavyPlayer = game.PlayerID("heavy")
	heavyShare  = 16 // every sixteenth match is the heavy player's
)

func benchGrowth(b *testing.B, results int) {
	path := filepath.Join(b.TempDir(), "growth.db")
	fillGrowth(b, path, results)
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	debug.FreeOSMemory() // of the filling
	began := time.Now()
	s := mustOpen(b, path)
	start := time.Since(began)
	defer s.Close()

	p := benchPlayers(b, s, 1)
	p.requests.Store(100_000_000_000)
	scope := game.Scope{Kind: game.Wordle, Guild: "g1"}
	var guess, stats, card, list []time.Duration
	timed := func(took *[]time.Duration, f func() error) {
		b.Helper()
		began := time.Now()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		*took = append(*took, time.Since(began))
	}
	for b.Loop() {
		if p.starts() {
			p.play(b, 0)
		}
		player := game.PlayerID(fmt.Sprint("player-", rand.IntN(results/10)))
		timed(&guess, func() error { p.play(b, 0); return nil })
		timed(&stats, func() error {
			_, err := s.Leaderboard(b.Context(), scope, player, 10)
			return err
		})
		timed(&card, func() error {
			_, err := p.m.Performance(b.Context(), game.Wordle, "guild/g1", heavyPlayer)
			return err
		})
		timed(&list, func() error {
			_, err := p.m.History(b.Context(), game.Viewer{Location: game.Location{Guild: "g1"}}, game.Filter{Community: "guild/g1", Before: uint64(rand.IntN(results/100) + 20), Limit: 10})
			return err
		})
	}
	b.ReportMetric(float64(info.Size())/(1<<20), "MB")
	b.ReportMetric(float64(start.Milliseconds()), "ms/start")
	b.ReportMetric(anonymous(b), "MB-anonymous")
	for name, all := range map[string][]time.Duration{"guess": guess, "stats": stats, "card": card, "list": list} {
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "ms99/"+name)
	}

	done := make(chan time.Duration)
	peak := 0.0
	go func() {
		began := time.Now()
		if err := s.Clear(context.Background(), game.ClearRequest{Player: heavyPlayer, Request: "900000000000000000", At: time.Now()}); err != nil {
			b.Error(err)
		}
		done <- time.Since(began)
	}()
	var worst time.Duration
	others := 0
	sample := time.NewTicker(50 * time.Millisecond)
	defer sample.Stop()
	var watching sync.WaitGroup
	stop := make(chan struct{})
	watching.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-sample.C:
				peak = max(peak, anonymous(b))
			}
		}
	})
	for {
		select {
		case took := <-done:
			close(stop)
			watching.Wait()
			b.ReportMetric(took.Seconds(), "s/clear")
			b.ReportMetric(float64(worst.Milliseconds()), "ms-worst/guess-while-clearing")
			b.ReportMetric(float64(others), "guesses-while-clearing")
			b.ReportMetric(peak, "MB-anonymous-while-clearing")
			benchForget(b, s, p)
			return
		default:
			began := time.Now()
			p.play(b, 0)
			worst = max(worst, time.Since(began))
			others++
		}
	}
}

// benchForget removes old matches for a time while others guess.
func benchForget(b *testing.B, s *Store, p *players) {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	done := make(chan int)
	began := time.Now()
	go func() {
		n, err := s.Forget(ctx, time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC))
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			b.Error(err)
		}
		done <- n
	}()
	var guess []time.Duration
	for {
		select {
		case n := <-done:
			slices.Sort(guess)
			b.ReportMetric(float64(n)/time.Since(began).Seconds(), "forgotten/s")
			b.ReportMetric(float64(guess[len(guess)*99/100].Microseconds())/1000, "ms99/guess-while-forgetting")
			return
		default:
			began := time.Now()
			p.play(b, 0)
			guess = append(guess, time.Since(began))
		}
	}
}

// anonymous is how much memory of its own the process has, in MB, or 0 where nobody says.
func anonymous(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kB float64
	for line := range bytes.Lines(status) {
		if _, err := fmt.Sscanf(string(line), "RssAnon: %f kB", &kB); err == nil {
			return kB / 1024
		}
	}
	return 0
}

// fillGrowth makes a file of finished matches of one guess each.
func fillGrowth(b *testing.B, path string, results int) {
	b.Helper()
	s := mustOpen(b, path)
	base := storagetest.Wordle.Match("m", game.Location{Guild: "g", Channel: "c"}, "p", "crane")
	base = storagetest.Wordle.Guess(b, storagetest.Wordle.Guess(b, base, "p", "slate"), "p", "crane")
	s.db.NoSync = true
	add := func(tx *bbolt.Tx, i int) error {
		player := game.PlayerID(fmt.Sprint("player-", i%(results/10)))
		if i%heavyShare == 0 {
			player = heavyPlayer
		}
		m := base
		m.ID = game.MatchID(fmt.Sprint(1_200_000_000_000_000_000 + i))
		m.Location.Guild = game.GuildID(fmt.Sprint("g", i/heavyShare%100))
		m.Location.Channel = game.ChannelID(fmt.Sprint("c", i%1000))
		m.Starter = player
		m.Moves = []game.Move{{Player: player, At: storagetest.Epoch, Version: 2}, {Player: player, At: storagetest.Epoch, Version: 3}}
		data, err := testCodecs.EncodeMatch(m)
		if err != nil {
			return err
		}
		requests := []game.RequestID{game.RequestID(m.ID), game.RequestID(m.ID + "1"), game.RequestID(m.ID + "2")}
		at := storagetest.Epoch.Add(time.Duration(i) * time.Hour) // so that few receipts stay
		return buckets{tx, testCodecs}.write(game.Change{Match: m, Request: requests[2], At: at}, matchEntry{requests, data})
	}
	const step = 1000 // bbolt is slow where a transaction puts many keys between others
	for from := 0; from < results; from += step {
		if err := update(s.db, func(tx *bbolt.Tx) error {
			for i := from; i < min(from+step, results); i++ {
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
