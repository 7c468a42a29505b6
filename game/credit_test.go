package game_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/wordle"
)

// creditsOf returns the credits of a match by player, in thousandths.
func creditsOf(m game.Match) map[game.PlayerID]int {
	credits := map[game.PlayerID]int{}
	for _, c := range m.Credits() {
		credits[c.Player] = int(math.Round(1000 * c.Share))
	}
	return credits
}

// TestCreditByCuts: the players who narrowed the answer down get the credit, not the one who
// types the last word that is left.
func TestCreditByCuts(t *testing.T) {
	answers, guesses := "crane crate grape grace trace slate mound fuzzy", "brick"
	for _, c := range []struct {
		name, script string
		cuts         []int
		ana, ben     int
	}{
		// 8 words, of which SLATE leaves CRANE, GRAPE and GRACE, and BRICK of these CRANE.
		{"a late guess", "ana start; ana guess slate; ana guess brick; ben guess crane", []int{1415, 1585, 0}, 1000, 0},
		{"both moved it", "ana start; ana guess slate; ben guess brick; ben guess crane", []int{1415, 1585, 0}, 472, 528},
		{"at once", "ana start; ana guess crane", nil, 0, 0},
		{"alone", "ana start; ana guess slate; ana guess brick; ana guess crane", nil, 0, 0},
		{"given up", "ana start; ana guess slate; ben guess brick; ben guess mound; ana stop", nil, 0, 0},
	} {
		m := mustPlay(t, newManager(newMemory(), mustLists(t, answers, guesses)), place, c.script)
		if !slices.Equal(m.Cuts, c.cuts) {
			t.Errorf("%s: the cuts are %v, want %v", c.name, m.Cuts, c.cuts)
		}
		if got := creditsOf(m); got["ana"] != c.ana || got["ben"] != c.ben {
			t.Errorf("%s: the credits are %v, want %d and %d", c.name, got, c.ana, c.ben)
		}
	}
}

// TestCreditOfEveryKind: cuts of a shared match are known for every kind, and are those of
// the review.
func TestCreditOfEveryKind(t *testing.T) {
	forEachKind(t, func(t *testing.T, k game.Kind) {
		m := newManager(newMemory(), mustLists(t, "crane shave slate", "brick mound"))
		m.kind = k
		match := mustPlay(t, m, place, "ana start; ben miss; ana win")
		r, err := m.Review(t.Context(), game.Viewer{Player: "ana", Location: place}, 1)
		if err != nil || len(match.Cuts) != 2 {
			t.Fatalf("the cuts are %v; the review is %v", match.Cuts, err)
		}
		for i, g := range r.Review.Grades() {
			if d := float64(match.Cuts[i])/1000 - g.Cut; d > 0.001 || d < -0.001 {
				t.Errorf("guess %d cut %d thousandths, by the review %v", i+1, match.Cuts[i], g.Cut)
			}
		}
	})
}

// withRemaining returns a machine whose word game counts what remains by f.
func withRemaining(lists *wordle.Lists, f func(ctx context.Context, used int) (int, error)) machine {
	m := newManager(newMemory(), lists)
	i := slices.IndexFunc(m.Rules, func(r game.Rules) bool { return r.Kind == wordgame.Kind })
	m.Rules = slices.Clone(m.Rules)
	m.Rules[i].Narrowing = nil
	m.Rules[i].Remaining = func(ctx context.Context, _ game.State, used int) (int, error) { return f(ctx, used) }
	return m
}

// TestCreditNotKnown: whatever the solvers say, or do not say in time, the guess that ends a
// match counts, and there is no credit then.
func TestCreditNotKnown(t *testing.T) {
	lists := mustLists(t, "crane", "slate brick")
	for name, remaining := range map[string]func(ctx context.Context, used int) (int, error){
		"busy":            func(context.Context, int) (int, error) { return 0, game.ErrBusy },
		"nothing fits":    func(context.Context, int) (int, error) { return 0, game.ErrNothingFits },
		"none is left":    func(_ context.Context, used int) (int, error) { return 2 - used, nil },
		"it takes long":   func(ctx context.Context, _ int) (int, error) { <-ctx.Done(); return 0, ctx.Err() },
		"more than ever":  func(_ context.Context, used int) (int, error) { return 1 + used, nil }, // no guess cuts anything
		"an unknown one":  func(context.Context, int) (int, error) { return 0, errors.New("broken") },
		"always the same": func(context.Context, int) (int, error) { return 7, nil },
	} {
		synctest.Test(t, func(t *testing.T) {
			m := withRemaining(lists, remaining)
			m.CutTime = 0 // as in the program
			began := time.Now()
			match := mustPlay(t, m, place, "ana start; ana guess slate; ben guess brick; ana guess crane")
			if got := creditsOf(match); match.Status() != game.Won || len(got) > 0 {
				t.Errorf("%s: the match is %v with the credits %v", name, match, got)
			}
			if took := time.Since(began); took > 300*time.Millisecond {
				t.Errorf("%s: the end took %v", name, took)
			}
		})
	}
}

// TestCreditInTime: a request that expires soon is not made to wait for the cuts.
func TestCreditInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := withRemaining(mustLists(t, "crane", "slate brick"), func(ctx context.Context, _ int) (int, error) { <-ctx.Done(); return 0, ctx.Err() })
		mustPlay(t, m, place, "ana start; ana guess slate")
		win := parse(place, "win", "ben guess crane")
		win.origin.Expires = time.Now().Add(100 * time.Millisecond)
		if match, err := win.run(t.Context(), m); err != nil || match.Status() != game.Won {
			t.Errorf("the last guess led to %v, %v", match, err)
		}
	})
}
