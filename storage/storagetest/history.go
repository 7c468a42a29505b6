package storagetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/game"
)

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
