package storagetest

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"fivefold/game"
)

// testUnfinished: the matches that are being played are listed in the order in which they
// began, page by page, also after the store was closed. Where requests say by Discord's
// clock when they were made, that counts.
func testUnfinished(t *testing.T, games []Game, open opener) {
	s, ctx := open(t), t.Context()
	defer func() { closeStore(t, s) }()
	var want []game.Unfinished
	for n, g := range games {
		for i, match := range []func(m game.Match) game.Match{
			func(m game.Match) game.Match { return m },
			func(m game.Match) game.Match { return g.Guess(t, m, "ben", g.wrong(0)) },
			func(m game.Match) game.Match { return g.hint(g.Guess(t, m, "ben", g.wrong(0)), "ana") },
			func(m game.Match) game.Match { return Personal(m, 0) },
			func(m game.Match) game.Match { return Personal(m, 7) },
			func(m game.Match) game.Match { return stop(m, "ana") },
			func(m game.Match) game.Match { return g.Guess(t, m, "ben", g.hidden()) },
		} {
			m := g.Match(fmt.Sprintf("%d-%d", i, n), game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint("c", i))}, "ana", g.hidden())
			m.Started = Epoch.Add(-time.Duration(i) * time.Hour) // the later ones began first
			m = match(m)
			mustCommitAll(t, s, m)
			if m.Status() != game.Playing {
				continue
			}
			u := game.Unfinished{Match: m.ID, Slot: m.Slot(), Version: m.Version, Began: m.Started, Changed: m.Started}
			if len(m.Moves) > 0 {
				u.Changed = m.Moves[0].At
			}
			if len(m.Hints) > 0 {
				u.Changed = m.Hints[0].At
			}
			want = append(want, u)
		}
	}
	// By Discord's clock it began two days before, and was changed one day before.
	g := games[0]
	m := g.Match(snowflake(Epoch.Add(-48*time.Hour)), game.Location{Channel: "dm"}, "ana", g.hidden())
	m.Started = Epoch.Add(100 * time.Hour)
	m = g.Guess(t, m, "ana", g.wrong(0))
	for i, request := range []string{string(m.ID), snowflake(Epoch.Add(-24 * time.Hour))} {
		c := Change(m.Rewind(uint64(i + 1)))
		c.Request = game.RequestID(request)
		if err := s.Commit(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	want = append(want, game.Unfinished{
		Match: m.ID, Slot: m.Slot(), Version: 2, Began: Epoch.Add(-48 * time.Hour), Changed: Epoch.Add(-24 * time.Hour),
	})
	slices.SortFunc(want, func(a, b game.Unfinished) int {
		return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.Match, b.Match))
	})
	for _, reopened := range []bool{false, true} {
		if reopened {
			closeStore(t, s)
			s = open(t)
		}
		for _, limit := range []int{1, 3, 100} {
			var got []game.Unfinished
			var after game.Unfinished
			for {
				page, err := s.Unfinished(ctx, after, limit)
				if err != nil || len(page) > limit {
					t.Fatalf("%d matches at once, %v", len(page), err)
				}
				if got = append(got, page...); len(page) < limit {
					break
				}
				after = page[limit-1]
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("by %d, reopened %t: got\n%+v\nwant\n%+v", limit, reopened, got, want)
			}
		}
	}
}

// snowflake is an id that Discord makes at a time.
func snowflake(at time.Time) string {
	return fmt.Sprint((at.UnixMilli() - 1_420_070_400_000) << 22)
}
