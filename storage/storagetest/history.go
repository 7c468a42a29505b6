package storagetest

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/game"
)

// testShare: only a finished match of a history can be shared. What it changes is in the model of histories.
func testShare(t *testing.T, g Game, open opener) {
	s := open(t)
	defer closeStore(t, s)
	share := func(when string, id game.MatchID, want error) {
		t.Helper()
		if err := s.Share(t.Context(), id, "c2"); !errors.Is(err, want) {
			t.Errorf("sharing a match %s: %v, want %v", when, err, want)
		}
	}
	location := game.Location{Guild: "g", Channel: "c"}
	solo := Personal(g.Match("solo", location, "ana", g.hidden()), 0)
	MustCommit(t, s, solo)
	share("that is being played", solo.ID, game.ErrNotInHistory)
	share("that there is not", "no such", game.ErrNotInHistory)
	solo = g.Guess(t, solo, "ana", g.hidden())
	MustCommit(t, s, solo)
	share("played alone", solo.ID, nil)
	solo.Shared = "c2"
	mustLoad(t, s, solo)
	together := g.Guess(t, g.Match("together", location, "ana", g.hidden()), "ben", g.hidden())
	mustCommitAll(t, s, together)
	share("played together", together.ID, nil)
	mustLoad(t, s, together)
	mustClear(t, s, "ana", "clear")
	share("that was cleared", solo.ID, game.ErrNotInHistory)
}

func testReviews(t *testing.T, g Game, open opener) {
	s, ctx := open(t), t.Context()
	m := g.Match("m", game.Location{Channel: "c"}, "ana", g.hidden())
	MustCommit(t, s, m)
	for _, m := range []game.Match{m, g.Match("no such", m.Location, "ana", g.hidden())} { // one is being played
		if err := s.SaveReview(ctx, m, g.Review(1)); err != nil {
			t.Error(err)
		}
		if got, ok, err := s.Review(ctx, m); ok || err != nil {
			t.Errorf("match %q, which is in no history, has the review %+v, %v", m.ID, got, err)
		}
	}
	m = g.Guess(t, m, "ana", g.hidden())
	MustCommit(t, s, m)
	for _, skill := range []float64{80, 20} { // the first one stays
		if err := s.SaveReview(ctx, m, g.Review(skill)); err != nil {
			t.Error(err)
		}
		closeStore(t, s)
		s = open(t)
		if got, ok, err := s.Review(ctx, m); !ok || err != nil || !reflect.DeepEqual(got, g.Review(80)) {
			t.Errorf("the review is %+v, %t, %v", got, ok, err)
		}
	}
	closeStore(t, s)
}

// testClearRepeated delivers a request to clear a history again, after its player
// has played on.
func testClearRepeated(t *testing.T, g Game, open opener) {
	s, ctx := open(t), t.Context()
	location := game.Location{Guild: "g", Channel: "c"}
	win := func(id string) {
		mustCommitAll(t, s, g.Guess(t, g.Match(id, location, "ana", g.hidden()), "ana", g.hidden()))
	}
	win("m1")
	mustClear(t, s, "ana", "clear")
	win("m2")
	closeStore(t, s)
	s = open(t)
	defer closeStore(t, s)
	mustClear(t, s, "ana", "clear")
	if got, err := s.Totals(ctx, game.Scope{Kind: g.Kind(), Guild: "g"}, "ana"); got.Other.Won != 1 || err != nil {
		t.Errorf("the same request cleared twice: %+v, %v", got, err)
	}
	got, err := s.History(ctx, game.Filter{Community: location.Community(), Limit: 10})
	if err != nil || len(got) != 1 || got[0].Number != 2 {
		t.Errorf("the history is %+v, %v, want number 2 alone", got, err)
	}
}

// testDuringGames clears a player's history, and forgets, while the player goes on playing and reviews are
// saved: no result is lost, and totals stay those of the log.
func testDuringGames(t *testing.T, games []Game, open opener) {
	for _, forget := range []bool{false, true} {
		t.Run(fmt.Sprintf("forget=%t", forget), func(t *testing.T) { duringGames(t, games, open, forget) })
	}
}

func duringGames(t *testing.T, games []Game, open opener, forget bool) {
	s, ctx := open(t), t.Context()
	const channels, matches = 4, 15
	var wg sync.WaitGroup
	for i := range channels {
		wg.Go(func() {
			g, location := games[i%len(games)], game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint("c", i))}
			for n := range matches {
				m := g.Match(fmt.Sprint("m", i, "-", n), location, "p1", g.hidden())
				m = later(g.Guess(t, g.Guess(t, m, "p1", g.wrong(0)), "p0", g.hidden()), time.Duration(n)*time.Hour)
				for version := uint64(1); version <= m.Version; version++ {
					if err := s.Commit(ctx, Change(m.Rewind(version))); err != nil {
						t.Error(err)
					}
				}
				if err := s.SaveReview(ctx, m, g.Review(50)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	var removed atomic.Int64
	for i := range 10 {
		wg.Go(func() {
			if forget {
				n, err := s.Forget(ctx, Epoch.Add(time.Duration(i)*time.Hour+time.Minute))
				if err != nil {
					t.Error(err)
				}
				removed.Add(int64(n))
			}
			if err := s.Clear(ctx, game.ClearRequest{Player: "p0", Request: game.RequestID(fmt.Sprint("clear", i)), At: Epoch}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	closeStore(t, s)
	s = open(t)
	defer closeStore(t, s)
	kept := channels*matches - int(removed.Load())
	log, err := s.Results(ctx, 0, 100)
	if err != nil || len(log) != kept {
		t.Fatalf("the log has %d results, %v, want %d", len(log), err, kept)
	}
	played := 0
	for _, g := range games {
		scope := game.Scope{Kind: g.Kind(), Guild: "g"}
		totals, err := s.Totals(ctx, scope, "p1")
		if err != nil {
			t.Error(err)
		}
		if played += totals.Other.Won; !forget {
			checkLeaderboard(t, s, scope, log)
		}
	}
	if played != channels*matches {
		t.Errorf("%d matches count as won, want %d", played, channels*matches)
	}
	entries, err := s.History(ctx, game.Filter{Community: "guild/g", Limit: 100})
	if err != nil || len(entries) != kept {
		t.Fatalf("the history has %d matches, %v, want %d", len(entries), err, kept)
	}
	for i, e := range entries {
		if !forget && e.Number != uint64(kept-i) {
			t.Errorf("match %d of the list has the number %d", i+1, e.Number)
		}
	}
}
