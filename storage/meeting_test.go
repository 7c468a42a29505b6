package storage_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/ordered"
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
	s := storage.New(m, codecs, storage.Options{})
	defer s.Close()
	g := wordGame
	var ends []game.Match
	for _, id := range []string{"a", "b"} {
		match := g.match(id, game.Location{Guild: game.GuildID("guild " + id), Channel: game.ChannelID("channel " + id)}, "ana")
		mustCommit(t, s, match)
		ends = append(ends, g.win(t, match, "ana"))
	}
	m.before = func() { mustCommit(t, s, ends[1]) }
	mustCommit(t, s, ends[0])
	if got, err := s.Totals(t.Context(), game.Scope{Kind: g.kind}, "ana"); err != nil || got.Other.Played != 2 || got.Other.Won != 2 {
		t.Errorf("the totals are %+v, %v, want two matches won", got, err)
	}
}

// mustDaily has ana solve daily puzzle 7 in the guild g.
func mustDaily(t *testing.T, s *storage.Store) game.Match {
	t.Helper()
	g := wordGame
	match := alone(g.match("a", game.Location{Guild: "g", Channel: "c"}, "ana"), 7)
	mustCommit(t, s, match)
	mustCommit(t, s, g.win(t, match, "ana"))
	return match
}

// TestClearMeetsShare: a daily puzzle that is shared in another server just when its player's history is cleared
// counts nowhere afterwards.
func TestClearMeetsShare(t *testing.T) {
	m := &meeting{Map: &ordered.Memory{}}
	s := storage.New(m, codecs, storage.Options{})
	defer s.Close()
	match := mustDaily(t, s)
	m.before = func() {
		if err := s.ShareIn(t.Context(), match.ID, "h"); err != nil {
			t.Error(err)
		}
	}
	if err := s.Clear(t.Context(), game.ClearRequest{Player: "ana", Request: "clear"}); err != nil {
		t.Fatal(err)
	}
	for _, guild := range []game.GuildID{"", "g", "h"} {
		for _, month := range []string{"", game.DailyMonth(7)} {
			got, err := s.Totals(t.Context(), game.Scope{Kind: match.Kind, Guild: guild, Month: month}, "ana")
			if err != nil || got != (game.Totals{Player: "ana"}) {
				t.Errorf("in %q, %q there is %+v, %v", guild, month, got, err)
			}
		}
		if all, err := s.Daily(t.Context(), match.Kind, guild, 7, 10); err != nil || all.Players != 0 {
			t.Errorf("the results in %q are %+v, %v", guild, all, err)
		}
	}
}

// TestForgetMeetsShare: nothing is left of a match that is shared just when it is removed.
func TestForgetMeetsShare(t *testing.T) {
	m := &meeting{Map: &ordered.Memory{}}
	s := storage.New(m, codecs, storage.Options{})
	defer s.Close()
	match := mustDaily(t, s)
	m.before = func() {
		if err := s.Share(t.Context(), match.ID, "shared"); err != nil {
			t.Error(err)
		}
	}
	if n, err := s.Forget(t.Context(), epoch.Add(time.Hour)); n != 1 || err != nil {
		t.Errorf("%d matches were removed, %v", n, err)
	}
	for _, f := range mustCheck(t, s, false) {
		t.Errorf("there is still %v", f)
	}
}

// TestClearDamagedDaily: a player whose daily puzzle cannot be read leaves its results too.
func TestClearDamagedDaily(t *testing.T) {
	m := &ordered.Memory{}
	s := storage.New(m, codecs, storage.Options{})
	defer s.Close()
	match := mustDaily(t, s)
	if err := m.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{{Key: "match\x00" + string(match.ID), Value: []byte("damaged, and long enough")}}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Clear(t.Context(), game.ClearRequest{Player: "ana", Request: "clear"}); err != nil {
		t.Fatal(err)
	}
	if all, err := s.Daily(t.Context(), match.Kind, "g", 7, 10); err != nil || all.Players != 0 {
		t.Errorf("the results are %+v, %v", all, err)
	}
}

// TestForgetInDamagedCommunity: where it is lost or cannot be read how far a history goes, old games are forgotten all the
// same, and the next one gets a number of its own.
func TestForgetInDamagedCommunity(t *testing.T) {
	for what, damage := range map[string][]byte{"lost": nil, "damaged": []byte("damaged")} {
		t.Run(what, func(t *testing.T) {
			m, g := &ordered.Memory{}, wordGame
			s := storage.New(m, codecs, storage.Options{})
			defer s.Close()
			place := game.Location{Guild: "g", Channel: "c"}
			play := func(id string, month int) {
				match := g.match(id, place, "ana")
				mustCommit(t, s, match)
				end := g.win(t, match, "ana")
				end.Moves[0].At = epoch.AddDate(0, month, 0)
				mustCommit(t, s, end)
			}
			for month, id := range []string{"a", "b", "c"} {
				play(id, month)
			}
			if err := m.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{{Key: "community\x00" + place.Community(), Value: damage}}}); err != nil {
				t.Fatal(err)
			}
			if n, err := s.Forget(t.Context(), epoch.AddDate(0, 1, 1)); n != 2 || err != nil {
				t.Fatalf("forgot %d, %v", n, err)
			}
			play("d", 3)
			for id, want := range map[game.MatchID]uint64{"c": 3, "d": 4} {
				if f, err := s.Finished(t.Context(), id); f.Number != want || err != nil {
					t.Errorf("%s is #%d, %v, want #%d", id, f.Number, err, want)
				}
			}
		})
	}
}

// TestNewerCommunity: what a newer release has stored of a community is not stored over.
func TestNewerCommunity(t *testing.T) {
	m, g, newer := &ordered.Memory{}, wordGame, []byte(`{"Format":2}`)
	s := storage.New(m, codecs, storage.Options{})
	defer s.Close()
	match := g.match("a", game.Location{Guild: "g", Channel: "c"}, "ana")
	mustCommit(t, s, match)
	key := "community\x00" + match.Location.Community()
	if err := m.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{{Key: key, Value: newer}}}); err != nil {
		t.Fatal(err)
	}
	err := s.Commit(t.Context(), game.Change{Match: g.win(t, match, "ana"), Request: "b", At: epoch})
	if there, failed := m.Get(t.Context(), key); !errors.Is(err, game.ErrNewer) || failed != nil || !bytes.Equal(there[0].Value, newer) {
		t.Errorf("the end of a match: %v; stored is %q, %v", err, there[0].Value, failed)
	}
}

// TestOthersAreSeen: two stores in one map, as of two processes, play a match in turns, and each sees what the other did.
func TestOthersAreSeen(t *testing.T) {
	m, g := &ordered.Memory{}, wordGame
	stores := []*storage.Store{storage.New(m, codecs, storage.Options{}), storage.New(m, codecs, storage.Options{})}
	match := g.match("m", game.Location{Guild: "g", Channel: "c"}, "ana")
	mustCommit(t, stores[0], match)
	for i, word := range g.answers[:4] {
		match = g.guess(t, match, "ana", word)
		mustCommit(t, stores[i%2], match)
		for _, s := range stores {
			mustLoad(t, s, match)
		}
	}
	for _, s := range stores {
		mustClose(t, s)
	}
}
