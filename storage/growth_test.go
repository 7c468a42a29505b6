package storage

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"fivefold/bot/kinds"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/storage/bolt"
	"fivefold/storage/ordered"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
)

// BenchmarkGrowth measures what players and the operator notice of a store that grows, on both engines: see
// [storagetest.Growth.Measure]. Of a file it also reports its length and how long it takes to open.
//
//	go test ./storage -run - -bench Growth/file/100k -benchtime 300x
func BenchmarkGrowth(b *testing.B) {
	b.Run("file", func(b *testing.B) {
		storagetest.BenchGrowth(b, func(b *testing.B, results int) {
			path := filepath.Join(b.TempDir(), "growth.db")
			open := func() ordered.Map {
				m, err := bolt.Open(path, bolt.Options{})
				if err != nil {
					b.Fatal(err)
				}
				return m
			}
			growth := storagetest.NewGrowth(b, results, 1000*24*time.Hour) // so that few receipts stay
			fill(b, open(), growth)
			info, err := os.Stat(path)
			if err != nil {
				b.Fatal(err)
			}
			debug.FreeOSMemory() // of the filling
			began := time.Now()
			s := New(open(), kinds.Codecs(), Options{})
			start := time.Since(began)
			defer s.Close()
			growth.Measure(b, s)
			b.ReportMetric(float64(info.Size())/(1<<20), "MB")
			b.ReportMetric(float64(start.Milliseconds()), "ms/start")
		})
	})
	b.Run("database", func(b *testing.B) {
		storagetest.BenchGrowth(b, func(b *testing.B, results int) {
			url := postgrestest.Database(b)
			open := func() ordered.Map {
				m, err := postgres.Open(b.Context(), url, postgres.Options{})
				if err != nil {
					b.Fatal(err)
				}
				return m
			}
			growth := storagetest.NewGrowth(b, results, 1000*24*time.Hour)
			fill(b, open(), growth)
			s := New(open(), kinds.Codecs(), Options{})
			defer s.Close()
			growth.Measure(b, s)
		})
	})
}

// fill stores finished matches as playing them would, many in a commit, and closes the map.
func fill(b *testing.B, m ordered.Map, growth *storagetest.Growth) {
	b.Helper()
	s := newStore(m, kinds.Codecs(), Options{})
	totals, communities := map[string]total{}, map[string]community{}
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	var c ordered.Change
	flush := func(most int) {
		if len(c.Set) > most {
			must(m.Commit(b.Context(), c))
			c.Set = nil
		}
	}
	for i := range growth.Results {
		match, requests, ended := growth.Match(i)
		r := match.Result()
		r.Number = placeOf(requests[2], ended, match.ID)
		of := communities[r.Location.Community()]
		of.last, of.place = of.last+1, r.Number
		communities[r.Location.Community()] = of
		pairs, err := s.encodeEnded(match, requests, endedValue{number: of.last, place: r.Number}, r)
		must(err)
		entries, err := s.entriesOf(r, match.Named(), of.last)
		must(err)
		c.Set = append(append(c.Set, pairs...), entries...)
		for _, t := range countedIn(r) {
			key := totalKey(t.player.Player, t.scope)
			old, ok := totals[key]
			if !ok {
				old.Player = t.player.Player
			}
			totals[key] = total{r.Number, old.Add(r, t.player)}
		}
		flush(10_000)
	}
	growth.Latest(func(i int) {
		match, _, _ := growth.Match(i)
		c.Set = append(c.Set, ordered.Pair{Key: slotKey(match.Slot()), Value: slotValue{id: match.ID}.encode()})
	})
	for key, t := range totals {
		data, err := t.encode()
		must(err)
		c.Set = append(c.Set, ordered.Pair{Key: key, Value: data})
		if _, scope, _ := parseTotalKey(key); scope.Guild != "" && t.Played > 0 {
			c.Set = append(c.Set, ordered.Pair{Key: rankKey(scope, t.Totals), Value: nothing})
		}
		flush(10_000)
	}
	for name, of := range communities {
		c.Set = append(c.Set, ordered.Pair{Key: communityKey(name), Value: of.encode()})
	}
	flush(0)
	must(s.Close())
}

// TestFill: what BenchmarkGrowth measures has nothing that a check finds wrong.
func TestFill(t *testing.T) {
	m := &ordered.Memory{}
	testing.Benchmark(func(b *testing.B) {
		if len(mustScan(t, m)) == 0 {
			fill(b, m, storagetest.NewGrowth(b, 2000, 100*24*time.Hour))
		}
	})
	s := newStore(m, kinds.Codecs(), Options{})
	n, err := s.Check(t.Context(), CheckOptions{Report: func(f Finding) { t.Errorf("found %v", f) }})
	if n != 0 || err != nil {
		t.Errorf("%d problems, %v", n, err)
	}
	if board, err := s.Leaderboard(t.Context(), game.Scope{Kind: wordgame.Kind, Guild: "900000000000000000"}, "nobody", 1); err != nil || board.Players == 0 {
		t.Errorf("a leaderboard has %d players, %v", board.Players, err)
	}
}

func mustScan(t *testing.T, m ordered.Map) []ordered.Pair {
	t.Helper()
	answers, err := m.Read(t.Context(), everything)
	if err != nil {
		t.Fatal(err)
	}
	return answers[0]
}
