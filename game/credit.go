package game

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"
)

// Credit is in thousandths of a match, and the cuts that it is computed from are in
// thousandths of a bit: whole numbers, so that every machine counts the same from one log.

// wholeCredit is the credit of a whole match.
const wholeCredit = 1000

// cutTime is the manager's CutTime by default. It is short, so that cuts never cost the guess
// that ended the match: a request has 2.5 s, and a permit of a busy pool may take a second.
const cutTime = 300 * time.Millisecond

// withCuts sets the Cuts of a match that is about to be committed, if it has ended, counts
// and several players guessed in it. If the solvers are busy, or know no answer that fits,
// it leaves them out.
func (m *Manager) withCuts(ctx context.Context, match Match) Match {
	shared := slices.ContainsFunc(match.Moves, func(v Move) bool { return v.Player != match.Moves[0].Player })
	if !shared || match.Status() == Playing || match.Result().CountsAs() == "" {
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
		return match // credit goes by the number of guesses
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

// shareCredit gives the participants of a match their credit: in proportion to what their
// guesses cut or, if nothing was cut or the cuts are not known, to how many guesses they
// made. Each credit is rounded by itself, so that it does not change when others become
// anonymous: see [Match.Without].
func shareCredit(participants []Participant, moves []Move, cuts []int) {
	weights := make([]int, len(participants))
	weigh := func(of func(move int) int) (total int) {
		for n, move := range moves {
			i := slices.IndexFunc(participants, func(p Participant) bool { return p.Player == move.Player })
			weights[i] += of(n)
			total += of(n)
		}
		return total
	}
	total := 0
	if len(cuts) == len(moves) {
		total = weigh(func(n int) int { return cuts[n] })
	}
	if total == 0 {
		total = weigh(func(int) int { return 1 })
	}
	for i, w := range weights {
		if w > 0 {
			participants[i].Credit = (2*wholeCredit*w + total) / (2 * total)
		}
	}
}
