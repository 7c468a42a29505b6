package game_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/matches"
	"fivefold/game/statistics"
)

// TestPractice: a past puzzle is the same for everybody, can be practised in each community, and counts in no table. No daily
// puzzle to come depends on it.
func TestPractice(t *testing.T) {
	forEachKind(t, func(t *testing.T, k game.Kind) {
		s := newMemory()
		m, c := newDaily(t, s, tenWords, k)
		asked := 0
		practise := func(l game.Location, p game.PlayerID, number int) (game.Match, error) {
			asked++
			o := game.Origin{Request: game.RequestID(fmt.Sprint("past", asked)), Location: l, Player: p}
			return m.Start(t.Context(), o, matches.StartOptions{Kind: k, Mode: game.Practice, Past: number})
		}
		elsewhere := game.Location{Guild: "h", Channel: "d"}
		ana := mustPlay(t, m, place, "ana start daily; ana miss")
		c.at = c.at.Add(24 * time.Hour)
		for _, number := range []int{-1, 0, 326, 327} {
			if match, err := practise(place, "ana", number); !errors.Is(err, game.ErrNotPast) {
				t.Errorf("puzzle %d: %v, %v", number, match, err)
			}
		}
		var secret *game.SecretError
		if match, err := practise(elsewhere, "ana", 325); !errors.As(err, &secret) {
			t.Errorf("ana, who can still finish it, practises %v, %v", match, err)
		}
		mustPlay(t, m, place, "ana win daily")
		before := recent(t, s, string(k)+" daily")
		for _, number := range []int{325, 1} {
			var same game.State
			for _, p := range []game.PlayerID{"ana", "ben", "cleo"} {
				for _, l := range []game.Location{place, elsewhere} {
					match, err := practise(l, p, number)
					if err != nil || match.Mode != game.Practice || match.Puzzle != game.DailyPuzzle(number) {
						t.Fatalf("%s practises %v, %v", p, match, err)
					}
					if same == nil {
						same = match.State
					}
					if same != match.State || number == 325 && same != ana.State.Fresh(marks.Off) {
						t.Errorf("puzzle %d differs: %v", number, match)
					}
					if again, err := practise(l, p, 300); !errors.Is(err, game.ErrAlreadyPlaying) || again.ID != match.ID {
						t.Errorf("another one at once: %v, %v", again, err)
					}
					// No mode means it, too.
					won := mustPlay(t, m, l, fmt.Sprintf("%s miss; %s win practice", p, p))
					if won.ID != match.ID || won.Status() != game.Won {
						t.Errorf("the guesses led to %v", won)
					}
					if again, err := practise(l, p, number); !errors.Is(err, game.ErrAlreadyPlayed) || again.ID != match.ID {
						t.Errorf("at once again: %v, %v", again, err)
					}
				}
			}
		}
		if after := recent(t, s, string(k)+" daily"); !slices.Equal(after, before) {
			t.Errorf("practice has changed the words that do not come again from %q to %q", before, after)
		}
		for p, played := range map[game.PlayerID]int{"ana": 1, "ben": 0} {
			totals, err := s.Totals(t.Context(), statistics.Scope{Kind: k}, p)
			if err != nil || totals.Daily.Played != played || totals.Days.Best != played || totals.Other.Won != 4 {
				t.Errorf("%s has %+v, %v", p, totals, err)
			}
		}
		if daily, err := s.Daily(t.Context(), k, place.Guild, 325, 9); err != nil || daily.Players != 1 {
			t.Errorf("the puzzle counts for %+v, %v", daily, err)
		}
	})
}
