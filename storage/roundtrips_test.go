package storage_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/bot/kinds"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
)

// counted is a map that counts what an engine on another machine would be asked.
type counted struct {
	ordered.Map
	reads, commits atomic.Int64
	keys           atomic.Int64 // that were read
	after          func()       // each commit
}

func (c *counted) Get(ctx context.Context, keys ...string) ([]ordered.Pair, error) {
	if len(keys) > 0 { // otherwise nothing is asked
		c.reads.Add(1)
	}
	c.keys.Add(int64(len(keys)))
	return c.Map.Get(ctx, keys...)
}

func (c *counted) Read(ctx context.Context, queries ...ordered.Query) ([][]ordered.Pair, error) {
	c.reads.Add(1)
	answers, err := c.Map.Read(ctx, queries...)
	for _, pairs := range answers {
		c.keys.Add(int64(len(pairs)))
	}
	return answers, err
}

func (c *counted) Commit(ctx context.Context, change ordered.Change) error {
	c.commits.Add(1)
	if c.after != nil {
		defer c.after()
	}
	return c.Map.Commit(ctx, change)
}

// TestRoundTrips: a guess is one read and one commit, whatever else its player has played, so is the start of a
// game, and the end is two reads and one commit. A batch of old games is forgotten by three reads and one commit. Each
// is a round trip to a database.
func TestRoundTrips(t *testing.T) {
	m := &counted{Map: &orderedtest.Memory{}}
	s := storage.New(m, kinds.Codecs(), storage.Options{})
	defer s.Close()
	p := newPlayers(t, s, 1, func(int) game.GuildID { return "g" })
	o := game.Origin{Location: game.Location{Guild: "g", Channel: "c0"}, Player: "700000000000000000"}
	for n, mode := range []game.Mode{game.Solo, game.Daily} {
		o.Request = game.RequestID(fmt.Sprint(1_299_999_999_000_000_000 + n))
		if _, err := p.Start(t.Context(), o, matches.StartOptions{Kind: wordgame.Kind, Mode: mode}); err != nil {
			t.Fatal(err)
		}
		o.Request = game.RequestID(fmt.Sprint(1_299_999_999_000_000_100 + n))
		if _, err := p.Stop(t.Context(), o, matches.Target{Kind: wordgame.Kind, Mode: mode}, false, true); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		for turn := range len(wrongWords) + 1 {
			m.reads.Store(0)
			m.commits.Store(0)
			p.play(t, 0)
			reads, commits := m.reads.Load(), m.commits.Load()
			want := int64(1)
			if turn == len(wrongWords) {
				want = 2
			}
			if reads > want || commits != 1 {
				t.Errorf("turn %d: %d reads and %d commits, want at most %d and 1", turn, reads, commits, want)
			}
		}
	}
	m.reads.Store(0)
	m.commits.Store(0)
	removed, err := s.Forget(t.Context(), time.Now().Add(24*time.Hour))
	if reads, commits := m.reads.Load(), m.commits.Load(); removed != 4 || err != nil || reads != 3 || commits != 1 {
		t.Errorf("%d games were forgotten by %d reads and %d commits, %v", removed, reads, commits, err)
	}
}

// TestCheckIsLinear: a check asks for a number of keys for each result, however many there are and however many totals
// they count in, and for many at once.
func TestCheckIsLinear(t *testing.T) {
	g, m := wordGame, &counted{Map: &orderedtest.Memory{}}
	s := storage.New(m, codecs, storage.Options{})
	defer s.Close()
	var reads, keys [3]int64
	results := 0
	for i, want := range []int{100, 200, 400} {
		for ; results < want; results++ { // one player's, each of another month
			match := alone(g.match(fmt.Sprint("m", results), game.Location{Guild: "g", Channel: "c"}, "ana"), 1+30*results)
			mustCommit(t, s, match)
			mustCommit(t, s, g.win(t, match, "ana"))
		}
		m.reads.Store(0)
		m.keys.Store(0)
		if found := mustCheck(t, s, false); found != nil {
			t.Fatalf("a check finds %v", found[0])
		}
		reads[i], keys[i] = m.reads.Load(), m.keys.Load()
	}
	if reads[2] > 40 || keys[2] > 60*400 || keys[2] > keys[1]*21/10 || keys[1] > keys[0]*21/10 {
		t.Errorf("checks of 100, 200 and 400 results: %d round trips, %d keys", reads, keys)
	}
	t.Logf("checks of 100, 200 and 400 results: %d round trips, %d keys", reads, keys)
}

// TestCardRoundTrips: a player's card of fifty matches that have reviews takes three reads. A match that cannot be read is
// left out.
func TestCardRoundTrips(t *testing.T) {
	g, m := wordGame, &counted{Map: &orderedtest.Memory{}}
	s := storage.New(m, codecs, storage.Options{})
	defer s.Close()
	place := game.Location{Guild: "g", Channel: "c"}
	for i := range 50 {
		match := g.match(fmt.Sprint("m", i), place, "ana")
		mustCommit(t, s, match)
		match = g.win(t, match, "ana")
		mustCommit(t, s, match)
		if err := s.SaveReview(t.Context(), match, g.review(80)); err != nil {
			t.Fatal(err)
		}
	}
	s.Saved()
	for _, want := range []int{50, 49} {
		m.reads.Store(0)
		p, err := (&finished.Matches{Games: &matches.Manager{Store: s}, Store: s}).Performance(t.Context(), g.kind, place.Community(), "ana")
		if n := m.reads.Load(); n > 3 || p.Matches != want || err != nil {
			t.Errorf("a card of %d matches took %d reads, %v, want %d matches", p.Matches, n, err, want)
		}
		if err := m.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{{Key: "match\x00m7", Value: []byte("wrong")}}}); err != nil {
			t.Fatal(err)
		}
	}
}
