package weighted

import (
	"context"
	"fmt"
	"slices"
	"time"

	"fivefold/game/wordle"
	"fivefold/solver/grade"
	"fivefold/solver/lexicon"
	"fivefold/solver/optimal"
	"fivefold/solver/parallel"
)

// Review judges each guess of a game played elsewhere. It is [optimal.Solver.Review], but
// every word that may be guessed is possible, and words count by their weights, except in
// Before, After and Expected. Missed and BestMissed are counted for the last two guesses.
//
// Searching 11 000 words for the skill of a first guess would take too long; it is the
// skill with our own hidden words, which are the likeliest elsewhere too. All later
// guesses share SuggestTime. What is not settled by then is judged by the costs found so
// far, or by bounds, and not Proven.
//
// A hidden word that is on no list counts with the least weight. If none is given, only the
// guesses before the one after which no word fits are judged. The error is one of
// [optimal.Solver.Review], but never [optimal.ErrNothingFits].
func (w *Solver) Review(ctx context.Context, p optimal.Played) (optimal.Review, error) {
	hidden, err := p.Check()
	if err != nil {
		return optimal.Review{}, err
	}
	if w = w.knowing(hidden); hidden == 0 {
		for len(w.fitting(p.Turns)) == 0 {
			p.Turns = p.Turns[:len(p.Turns)-1]
		}
	}
	questions := make([]*problem, len(p.Turns)+1)
	for i := range questions {
		position := optimal.Position{Turns: p.Turns[:i], Hard: p.Hard}
		if i < wordle.Attempts { // a lost game goes on
			position.Limit = wordle.Attempts
		}
		questions[i], err = w.newProblem(position)
		if err != nil {
			return optimal.Review{}, err
		}
	}
	var opener *evaluation // nil where it is searched like the others
	if len(p.Turns) > 0 && !questions[0].small() {
		// Before a permit is acquired, since this needs one too.
		a, err := w.evaluateOpener(ctx, questions[0], p.Turns[0].Guess)
		if err != nil {
			return optimal.Review{}, err
		}
		opener = &a
	}
	permit, err := w.Permits.Acquire(ctx, parallel.Review)
	if err != nil {
		return optimal.Review{}, fmt.Errorf("reviewing a game: %w", err)
	}
	defer permit.Release()
	r := optimal.Review{Guesses: make([]optimal.Judged, len(p.Turns))}
	deadline := time.Now().Add(w.SuggestTime)
	for i, turn := range slices.Backward(p.Turns) {
		var a evaluation
		if i == 0 && opener != nil {
			a = *opener
		} else {
			// The last guesses are settled quickly and leave their time to those before.
			questions[i].left = len(questions[i].words) + 1 // enough even after a useless guess
			if i < wordle.Attempts {
				questions[i].left = min(questions[i].left, wordle.Attempts-i)
			}
			a = questions[i].evaluate(ctx, turn.Guess, time.Until(deadline)/time.Duration(i+1))
		}
		if ctx.Err() != nil {
			return optimal.Review{}, fmt.Errorf("reviewing a game: %w", ctx.Err())
		}
		r.Guesses[i] = a.judged(turn, questions[i+1])
	}
	if !w.lists.CanGuess(hidden) {
		return r, nil
	}
	// So that the line does not contradict the judgement of the first guess.
	first := wordle.Word(0)
	if opener != nil {
		first = opener.best
	}
	if r.Line, err = w.ownLine(ctx, hidden, p.Hard, first); err != nil {
		return optimal.Review{}, fmt.Errorf("reviewing a game: %w", err)
	}
	return r, nil
}

// knowing returns a solver that knows the word too, and takes it for possible, unless it is zero.
func (w *Solver) knowing(word wordle.Word) *Solver {
	x, weights := w.lexicon(), slices.Clone(w.weights())
	at, known := slices.BinarySearchFunc(w.lists.Guesses(), word, wordle.Word.Compare)
	switch {
	case word == 0 || known && weights[at] > 0:
		return w
	case known:
		weights[at] = 1
	default:
		x = lexicon.New(slices.Insert(slices.Clone(w.lists.Guesses()), at, word))
		x.Proposals = x.Numbers(w.lists.Proposals())
		weights = slices.Insert(weights, at, 1)
	}
	likely, others := byWeight(x, weights)
	return &Solver{
		SuggestTime: w.SuggestTime, Permits: w.Permits, lists: w.lists, ours: w.ours,
		lexicon: func() *lexicon.Lexicon { return x }, words: func() (_, _ []weightedWord) { return likely, others },
		proofs: func() map[firstKey]proof { return nil },
	}
}

// evaluateOpener takes the costs of a first guess from our own hidden words.
func (w *Solver) evaluateOpener(ctx context.Context, q *problem, guess wordle.Word) (evaluation, error) {
	// Any of those words will do, since skill does not depend on the hidden word.
	turn := wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, w.lists.Answers()[0])}
	ours, err := w.ours().Review(ctx, optimal.Played{Turns: []wordle.Turn{turn}, Hard: q.hard})
	if err != nil {
		return evaluation{}, err
	}
	j := ours.Guesses[0]
	a := evaluation{guessSplit: q.split(guess), best: j.Best, proven: j.Proven}
	a.bestCost = 2 * q.total
	a.guessCost = a.bestCost + int64(float64(q.total)*(1-j.Skill/grade.Max)) // the share of a guess that it wastes
	return a, nil
}

// ownLine returns what the solver would have played for the hidden word, after the first guess if
// that is not zero.
func (w *Solver) ownLine(ctx context.Context, hidden wordle.Word, hard bool, first wordle.Word) ([]wordle.Turn, error) {
	return optimal.PlayOut(hidden, hard, func(p optimal.Position) (wordle.Word, error) {
		q, err := w.newProblem(p)
		if err != nil {
			return 0, err
		}
		if len(p.Turns) == 0 && first != 0 {
			return first, nil
		}
		var best []Suggestion
		switch {
		case len(p.Turns) == 0:
			best = w.opener(ctx, q, optimal.Optimal, 1)
		case q.small():
			best = q.search(ctx, w.SuggestTime/8, 1)
		default:
			best = q.rank(ctx, likeliest, 1, 1)
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return best[0].Word, nil
	})
}
