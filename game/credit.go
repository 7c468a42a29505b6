package game

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"
)

// cutTime is the manager's CutTime by default. It is short, so that cuts never cost the guess
// that ended the match: a request has 2.5 s, and a permit of a busy pool may take a second.
const cutTime = 300 * time.Millisecond

// withCuts sets the Cuts of a match that is about to be committed, if it was won or lost and
// several players guessed in it. If the solvers are busy, or know no answer that fits, it leaves
// them out.
func (m *Manager) withCuts(ctx context.Context, match Match) Match {
	shared := slices.ContainsFunc(match.Moves, func(v Move) bool { return v.Player != match.Moves[0].Player })
	if !shared || match.Status() == Playing || match.Stop != nil {
		return match
	}
	limit := cmp.Or(m.CutTime, cutTime)
	if end, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(end)/2)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	left, err := m.narrowing(ctx, match)
	if err != nil || slices.Contains(left, 0) {
		return match
	}
	for i := range match.Used() {
		cut := math.Log2(float64(left[i]) / float64(left[i+1]))
		match.Cuts = append(match.Cuts, max(0, int(math.Round(1000*cut))))
	}
	return match
}

// narrowing returns how many answers were possible before the first guess of a match and
// after each.
func (m *Manager) narrowing(ctx context.Context, match Match) ([]int, error) {
	rules, err := m.rules(match.Kind)
	if err != nil {
		return nil, err
	}
	if rules.Narrowing != nil {
		return rules.Narrowing(ctx, match.State)
	}
	var all []int
	for used := range match.Used() + 1 {
		left, err := rules.Remaining(ctx, match.State, used)
		if err != nil {
			return nil, err
		}
		all = append(all, left)
	}
	return all, nil
}

// Credit is a player's part in what the guesses of a match ruled out.
type Credit struct {
	Player PlayerID
	Share  float64 // 0 to 1; those of all players add up to 1
}

// Credits returns the credit of each of several players, the greatest first: nil if it is not known,
// as in a match that was stopped.
func (m Match) Credits() []Credit {
	var all []Credit
	total := 0
	for i, cut := range m.Cuts {
		by := m.Moves[i].Player
		n := slices.IndexFunc(all, func(c Credit) bool { return c.Player == by })
		if n < 0 {
			n, all = len(all), append(all, Credit{Player: by})
		}
		all[n].Share += float64(cut)
		total += cut
	}
	if total == 0 {
		return nil
	}
	for i := range all {
		all[i].Share /= float64(total)
	}
	slices.SortStableFunc(all, func(a, b Credit) int { return cmp.Compare(b.Share, a.Share) })
	return all
}
