package game_test

import (
	"context"
	"slices"
	"testing"

	"fivefold/game"
)

// listStore has a history and nothing else. Every entry passes its filter.
type listStore struct {
	game.Store
	entries []game.Entry // newest first
}

func (s listStore) Load(context.Context, game.Slot) (game.Match, error) {
	return game.Match{}, game.ErrNoMatch
}

func (s listStore) History(_ context.Context, f game.Filter) ([]game.Entry, error) {
	var found []game.Entry
	for _, e := range s.entries {
		if (f.Before == 0 || e.Number < f.Before) && e.Number >= f.From {
			found = append(found, e)
		}
	}
	if f.From > 0 {
		return found[max(0, len(found)-f.Limit):], nil
	}
	return found[:min(len(found), f.Limit)], nil
}

// TestSearchLeavesOutSecrets: the pages of a search for an answer are those of a history
// without today's daily puzzle, wherever its matches are.
func TestSearchLeavesOutSecrets(t *testing.T) {
	const length = 7
	m := &game.Manager{}
	today := game.DailyPuzzle(m.Today())
	for pattern := range 1 << length { // its bits are the secret matches
		var all, open listStore
		for n := uint64(length); n > 0; n-- {
			e := game.Entry{Number: n}
			if pattern>>(n-1)&1 == 1 {
				e.Result.Puzzle = today
			} else {
				open.entries = append(open.entries, e)
			}
			all.entries = append(all.entries, e)
		}
		for limit := 1; limit <= 3; limit++ {
			for before := range uint64(length + 2) {
				f := game.Filter{Community: "c", Answer: "CRANE", Before: before, Limit: limit}
				got, err := (&game.Manager{Store: all}).History(t.Context(), game.Viewer{}, f)
				want, wrong := (&game.Manager{Store: open}).History(t.Context(), game.Viewer{}, f)
				if err != nil || wrong != nil {
					t.Fatal(err, wrong)
				}
				if !slices.EqualFunc(got.Entries, want.Entries, func(x, y game.Entry) bool { return x.Number == y.Number }) ||
					got.HasOlder != want.HasOlder || got.HasNewer != want.HasNewer || got.Older != want.Older || got.Newer != want.Newer {
					t.Fatalf("%07b, %d below %d:\ngot  %+v\nwant %+v", pattern, limit, before, got, want)
				}
			}
		}
	}
}
