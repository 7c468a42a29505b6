package storage_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"fivefold/bot/kinds"
	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/ordered"
)

// counted is a map that counts what an engine on another machine would be asked.
type counted struct {
	ordered.Map
	reads, commits atomic.Int64
}

func (c *counted) Get(ctx context.Context, keys ...string) ([]ordered.Pair, error) {
	c.reads.Add(1)
	return c.Map.Get(ctx, keys...)
}

func (c *counted) Read(ctx context.Context, queries ...ordered.Query) ([][]ordered.Pair, error) {
	c.reads.Add(1)
	return c.Map.Read(ctx, queries...)
}

func (c *counted) Commit(ctx context.Context, change ordered.Change) error {
	c.commits.Add(1)
	return c.Map.Commit(ctx, change)
}

// TestRoundTrips: a guess is one read and one commit, and the start and the end of a game are two reads and
// one commit; a start after another game has one more read. Each is a round trip to a database.
func TestRoundTrips(t *testing.T) {
	m := &counted{Map: &ordered.Memory{}}
	s := storage.New(m, kinds.Codecs(), storage.Options{})
	defer s.Close()
	p := newPlayers(t, s, 1, func(int) game.GuildID { return "g" })
	for m.reads.Load() == 0 { // of what an earlier process has left
		runtime.Gosched()
	}
	for first := range 2 {
		for turn := range len(wrongWords) + 1 {
			m.reads.Store(0)
			m.commits.Store(0)
			p.play(t, 0)
			reads, commits := m.reads.Load(), m.commits.Load()
			want := int64(1)
			switch turn {
			case 0:
				want = 2 + int64(first)
			case len(wrongWords):
				want = 3 - int64(first) // now and then, an end looks for old receipts
			}
			if reads > want || commits != 1 {
				t.Errorf("turn %d: %d reads and %d commits, want at most %d and 1", turn, reads, commits, want)
			}
		}
	}
}
