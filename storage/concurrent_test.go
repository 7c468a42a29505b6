package storage_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/statistics"
	"fivefold/storage"
)

// TestDuringGames clears a player's history, and forgets, while the player goes on playing and reviews are
// saved: no result is lost, and totals stay those of the log.
func TestDuringGames(t *testing.T) {
	for _, forget := range []bool{false, true} {
		t.Run(fmt.Sprintf("forget=%t", forget), func(t *testing.T) {
			forEachEngine(t, func(t *testing.T, open func() *storage.Store) { duringGames(t, open, forget) })
		})
	}
}

func duringGames(t *testing.T, open func() *storage.Store, forget bool) {
	s, ctx := open(), t.Context()
	const channels, matches = 4, 15
	var wg sync.WaitGroup
	for i := range channels {
		wg.Go(func() {
			g, location := games[i%len(games)], game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint("c", i))}
			for n := range matches {
				m := g.match(fmt.Sprint("m", i, "-", n), location, "p1")
				m = later(g.win(t, g.guess(t, m, "p1", g.answers[0]), "p0"), time.Duration(n)*time.Hour)
				for version := uint64(1); version <= m.Version; version++ {
					err := game.ErrConflict
					for errors.Is(err, game.ErrConflict) { // with ends of the same players
						err = s.Commit(ctx, change(m.Rewind(version)))
					}
					if err != nil {
						t.Error(err)
					}
				}
				if err := s.SaveReview(ctx, m, g.review(50)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	var removed atomic.Int64
	for i := range 10 {
		wg.Go(func() {
			if forget {
				n, err := s.Forget(ctx, epoch.Add(time.Duration(i)*time.Hour+time.Minute))
				if err != nil {
					t.Error(err)
				}
				removed.Add(int64(n))
			}
			if err := s.Delete(ctx, finished.Deletion{Player: "p0", Request: game.RequestID(fmt.Sprint("clear", i)), At: epoch}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	mustClose(t, s)
	s = open()
	defer mustClose(t, s)
	kept := channels*matches - int(removed.Load())
	log, err := s.Results(ctx, 0, 100)
	if err != nil || len(log) != kept {
		t.Fatalf("the log has %d results, %v, want %d", len(log), err, kept)
	}
	played := 0
	for _, g := range games {
		scope := statistics.Scope{Kind: g.kind, Guild: "g"}
		totals, err := s.Totals(ctx, scope, "p1")
		if err != nil {
			t.Error(err)
		}
		if played += totals.Other.Won; !forget {
			checkLeaderboard(t, s, scope, log, nil)
		}
	}
	if played != channels*matches {
		t.Errorf("%d matches count as won, want %d", played, channels*matches)
	}
	entries, err := s.History(ctx, finished.Filter{Community: "guild/g", Limit: 100})
	if err != nil || len(entries) != kept {
		t.Fatalf("the history has %d matches, %v, want %d", len(entries), err, kept)
	}
	var places, want []uint64
	for i, e := range entries {
		places, want = append(places, e.Result.LogPosition), append(want, uint64(channels*matches-i))
	}
	if numbers, err := s.Numbers(ctx, "guild/g", places...); !slices.Equal(numbers, want) || err != nil {
		t.Errorf("the matches of the list have the numbers %d, %v, want %d", numbers, err, want)
	}
}
