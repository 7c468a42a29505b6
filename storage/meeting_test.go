package storage_test

import (
	"context"
	"testing"

	"fivefold/bot/kinds"
	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/storagetest"
)

// meeting is a map in which something happens before the next commit.
type meeting struct {
	ordered.Map
	before func()
}

func (m *meeting) Commit(ctx context.Context, c ordered.Change) error {
	if f := m.before; f != nil {
		m.before = nil
		f()
	}
	return m.Map.Commit(ctx, c)
}

// TestEndsMeet: two matches of a player that end at once, in different servers, both count in the
// player's totals everywhere.
func TestEndsMeet(t *testing.T) {
	m := &meeting{Map: &ordered.Memory{}}
	s := storage.New(m, kinds.Codecs(), storage.Options{})
	defer s.Close()
	g := storagetest.Wordle
	answer := g.Answers[len(g.Answers)-1]
	var ends []game.Match
	for _, id := range []string{"a", "b"} {
		match := g.Match(id, game.Location{Guild: game.GuildID("guild " + id), Channel: game.ChannelID("channel " + id)}, "ana", answer)
		storagetest.MustCommit(t, s, match)
		ends = append(ends, g.Guess(t, match, "ana", answer))
	}
	m.before = func() { storagetest.MustCommit(t, s, ends[1]) }
	storagetest.MustCommit(t, s, ends[0])
	if got, err := s.Totals(t.Context(), game.Scope{Kind: g.Kind()}, "ana"); err != nil || got.Other.Played != 2 || got.Other.Won != 2 {
		t.Errorf("the totals are %+v, %v, want two matches won", got, err)
	}
}
