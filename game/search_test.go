package game_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
)

// listStore has a history and nothing else. Every entry passes its filter.
type listStore struct {
	Store
	entries []finished.Entry // newest first
}

func (s listStore) Load(context.Context, game.Slot) (game.Match, error) {
	return game.Match{}, game.ErrNoMatch
}

func (s listStore) Numbers(_ context.Context, _ string, places ...uint64) ([]uint64, error) {
	return places, nil
}

func (s listStore) PositionOf(_ context.Context, _ string, number uint64) (uint64, error) {
	return number, nil
}

func (s listStore) History(_ context.Context, f finished.Filter) ([]finished.Entry, error) {
	var found []finished.Entry
	for _, e := range s.entries {
		if (f.Before == 0 || e.Result.LogPosition < f.Before) && e.Result.LogPosition >= f.From && !slices.Contains(f.Without, e.Result.Channel()) {
			found = append(found, e)
		}
	}
	if f.From > 0 {
		return found[max(0, len(found)-f.Limit):], nil
	}
	return found[:min(len(found), f.Limit)], nil
}

// TestPages: the pages of a history are what plain code makes of its numbers; those of a search are without matches of channels
// that the viewer may not read, and without today's daily puzzle if it is for an answer.
func TestPages(t *testing.T) {
	const length = 7
	today := game.DailyPuzzle((&matches.Manager{}).Today())
	for pattern := range 1 << length { // its bits are what is left out
		var all listStore
		var open []uint64 // oldest first
		for n := uint64(1); n <= length; n++ {
			e := finished.Entry{Result: game.Result{LogPosition: n}}
			switch {
			case pattern>>(n-1)&1 == 0:
				open = append(open, n)
			case n%2 == 0:
				e.Result.Puzzle = today
			default:
				e.Result.Location.Channel = "closed"
			}
			all.entries = append([]finished.Entry{e}, all.entries...)
		}
		for limit := 1; limit <= 3; limit++ {
			for before := range uint64(length + 2) {
				got, err := (&finished.Matches{Games: &matches.Manager{Store: all}, Store: all}).History(t.Context(), game.Viewer{}, finished.Filter{Answer: "CRANE", Limit: limit}, before)
				split := len(open)
				if before > 0 {
					split, _ = slices.BinarySearch(open, before)
				}
				older, newer := open[:split], open[split:]
				first := max(0, split-limit)
				want := finished.Page{HasOlder: first > 0, HasNewer: len(newer) > 0}
				if want.HasOlder {
					want.Older = open[first]
				}
				if len(newer) > limit {
					want.Newer = newer[limit]
				}
				var numbers []uint64
				for _, e := range got.Entries {
					numbers = append([]uint64{e.Number}, numbers...)
				}
				got.Entries = nil
				if err != nil || !slices.Equal(numbers, older[first:]) || !reflect.DeepEqual(got, want) {
					t.Fatalf("%07b, %d below %d: %d, %+v, %v; want %d, %+v", pattern, limit, before, numbers, got, err, older[first:], want)
				}
			}
		}
	}
}
