package game_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
)

// TestEveryKindInEveryMode plays a match of each kind, the toy among them, in each
// mode, and looks at all that is made of it.
func TestEveryKindInEveryMode(t *testing.T) {
	forEachKind(t, func(t *testing.T, k game.Kind) {
		for _, mode := range []game.Mode{game.Together, game.Solo, game.Daily} {
			t.Run("mode "+string(mode), func(t *testing.T) {
				s := newMemory()
				m := newManager(s, mustLists(t, "crane shave slate", "brick mound"))
				m.kind, m.PerformanceTime = k, time.Minute
				mustPlay(t, m, place, "zoe start; zoe win") // an earlier match must not count
				name := string(mode)
				match := mustPlay(t, m, place, "ana start hard "+name)
				if match.Kind != k || match.Mode != mode || match.Starter != "ana" || match.Status() != game.Playing || match.State.Hard() != (k == wordgame.Kind) {
					t.Errorf("started was %v of mode %q, hard %t", match, match.Mode, match.State.Hard())
				}
				if match.Slot().Player != "" != mode.Personal() || match.Slot().Puzzle != "" != (mode == game.Daily) {
					t.Errorf("its slot is %+v", match.Slot())
				}
				match = mustPlay(t, m, place, "ana suggestion; ana miss; ana suggestion")
				if h := match.Hints; len(h) != 2 || h[0].After != 0 || h[1].After != 1 || h[0].Content == nil {
					t.Errorf("the hints are %+v", h)
				}
				before, err := m.Remaining(t.Context(), match, 0)
				if err != nil {
					t.Fatal(err)
				}
				if after, err := m.Remaining(t.Context(), match, 1); err != nil || after < 1 || after > before {
					t.Errorf("%d answers were possible and then %d, %v", before, after, err)
				}
				if d, err := m.Difficulty(t.Context(), match); err != nil || (d != "") != (k == pokergame.Kind) {
					t.Errorf("the difficulty is %q, %v", d, err)
				}
				win := parse(place, "win", "ana win "+name)
				match, err = win.run(t.Context(), m)
				if err != nil || match.Status() != game.Won || match.Winner() != "ana" || match.Used() != 2 {
					t.Fatalf("the match is %v, %v", match, err)
				}
				if again, err := win.run(t.Context(), m); err != nil || !reflect.DeepEqual(again, match) {
					t.Errorf("the last guess again led to %v, %v", again, err)
				}
				r, err := m.Review(t.Context(), game.Viewer{Player: "ana", Location: place}, 2)
				if err != nil || !reflect.DeepEqual(r.Match, match) || len(r.Review.Grades()) != 2 {
					t.Fatalf("reviewed is %v, %+v, %v", r.Match, r.Review, err)
				}
				if len(r.Contributions) != 1 || r.Contributions[0].Player != "ana" || r.Contributions[0].Guesses != 2 {
					t.Errorf("the shares are %+v", r.Contributions)
				}
				filter := game.Filter{Community: place.Community(), Kind: k, Answer: match.State.Answer(), Player: "ana", Limit: 10}
				page, err := m.History(t.Context(), game.Viewer{Player: "ana", Location: place}, filter)
				if want := match.Result(); err != nil || len(page.Entries) != 1 || page.Entries[0].Result.Match != want.Match || page.Entries[0].Result.Mode != mode {
					t.Errorf("the history is %+v, %v", page, err)
				}
				for _, other := range everyKind {
					want := game.Totals{Player: "ana"}
					if other == k {
						counts := game.Counts{Played: 1, Won: 1, Hints: 2, Hinted: 1, Distribution: [6]int{1: 1}}
						if want = (game.Totals{Player: "ana", Other: counts, Streak: game.Streak{Now: 1, Best: 1}}); mode == game.Daily {
							want = game.Totals{Player: "ana", Daily: counts}
						}
					}
					for player, played := range map[game.PlayerID]bool{"zoe": other == k, "ana": false} { // ana took hints, so her guesses do not count
						if f, err := m.Performance(t.Context(), other, "", player); err != nil || f.Matches == 1 != played || f.Guesses == 1 != played {
							t.Errorf("the form of %s in %s is %+v, %v", player, other, f, err)
						}
					}
					if got, err := s.Totals(t.Context(), game.Scope{Kind: other, Guild: "g"}, "ana"); err != nil || got != want {
						t.Errorf("the totals of %s are %+v, %v, want %+v", other, got, err, want)
					}
				}
				last, err := parse(place, "zz", "ana start "+name).run(t.Context(), m)
				if mode == game.Daily {
					if !errors.Is(err, game.ErrAlreadyPlayed) || !reflect.DeepEqual(last, match) {
						t.Errorf("another start: %v, %v", last, err)
					}
					return
				}
				if err != nil || last.ID == match.ID || last.State.Hard() {
					t.Errorf("another start: %v, %v", last, err)
				}
				if last = mustPlay(t, m, place, "ana stop "+name); last.Status() != game.Stopped || !slices.Equal(last.Named(), []game.PlayerID{"ana"}) {
					t.Errorf("stopped was %v", last)
				}
			})
		}
	})
}
