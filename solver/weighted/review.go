package weighted

import (
	"context"
	"fmt"
	"slices"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/grade"
	"fivefold/solver/lexicon"
	"fivefold/solver/optimal"
	"fivefold/solver/parallel"
)

// Review judges each guess of a game played elsewhere, as [optimal.Solver.Review] does. Every
// word that may be guessed is possible, and words count by their weights, except in Before,
// After and Expected.
//
// A search for a first guess takes too long with 11 000 words. The guess then gets the skill that
// it has in our own games, whose hidden words are the likeliest elsewhere too. Later guesses share
// SuggestTime. A guess that is not settled in time is judged by the costs found so far, or by
// bounds, and is not Proven.
//
// A hidden word that is on no list has the least weight. Without a hidden word, only the
// guesses that leave a word are judged. The error is one of [optimal.Solver.Review], but never
// [optimal.ErrNothingFits].
func (w *Solver) Review(ctx context.Context, p optimal.Played) (optimal.Review, error) {
	hidden, err := p.Check()
	if err != nil {
		return optimal.Review{}, err
	}
	if w = w.withWord(hidden); hidden == 0 {
		for len(w.fitting(p.Turns)) == 0 {
			p.Turns = p.Turns[:len(p.Turns)-1]
		}
	}
	questions := make([]*problem, len(p.Turns)+1)
	for i := range questions {
		position := optimal.Position{Turns: p.Turns[:i], Hard: p.Hard}
		if i < wordle.Attempts { // a lost game may go on
			position.Limit = wordle.Attempts
		}
		questions[i], err = w.newProblem(position)
		if err != nil {
			return optimal.Review{}, err
		}
	}
	var opener *evaluation // nil if it is searched like the others
	if len(p.Turns) > 0 && !questions[0].small() {
		// This needs a permit of its own, and work with a permit must not wait for another.
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
			// The last guesses take little time, and leave the rest to the guesses before them.
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
	// The line begins with the opener's best guess, so that it does not contradict the judgement of the first guess.
	first := wordle.Word(0)
	if opener != nil {
		first = opener.best
	}
	if r.Line, err = w.ownLine(ctx, hidden, p.Hard, first); err != nil {
		return optimal.Review{}, fmt.Errorf("reviewing a game: %w", err)
	}
	return r, nil
}

// withWord returns a solver for which the word is possible. For the zero word, that is w itself.
func (w *Solver) withWord(word wordle.Word) *Solver {
	x, weights := w.known().Lexicon, w.lists.Weights()
	at, listed := slices.BinarySearchFunc(x.Guesses, word, wordle.Word.Compare)
	switch {
	case word == 0 || listed && weights[at] > 0:
		return w
	case listed:
		weights = slices.Clone(weights)
		weights[at] = 1
	default:
		weights = slices.Insert(slices.Clone(weights), at, 1)
		x = lexicon.New(slices.Insert(slices.Clone(x.Guesses), at, word))
		x.Proposals = x.Numbers(w.lists.Proposals())
	}
	known := knowledgeOf(w.lists, x, weights)
	return &Solver{SuggestTime: w.SuggestTime, Permits: w.Permits, lists: w.lists, unweighted: w.unweighted, known: func() *knowledge { return known }}
}

// evaluateOpener evaluates a first guess as in our own games, where only our hidden words are possible.
func (w *Solver) evaluateOpener(ctx context.Context, q *problem, guess wordle.Word) (evaluation, error) {
	// Any word will do, since skill does not depend on the hidden word.
	turn := wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, w.lists.Answers()[0])}
	ours, err := w.unweighted().Review(ctx, optimal.Played{Turns: []wordle.Turn{turn}, Hard: q.hard})
	if err != nil {
		return evaluation{}, err
	}
	j := ours.Guesses[0]
	a := evaluation{guessSplit: q.split(guess), best: j.Best, proven: j.Proven}
	a.bestCost = 2 * q.total
	a.guessCost = a.bestCost + int64(float64(q.total)*(1-j.Skill/grade.Max)) // plus the share of a guess that is wasted
	return a, nil
}

// ownLine returns the solver's own game for the hidden word. It begins with first, unless first is zero.
func (w *Solver) ownLine(ctx context.Context, hidden wordle.Word, hard marks.Hardness, first wordle.Word) ([]wordle.Turn, error) {
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
			best = q.opener(ctx, optimal.Optimal, 1)
		case q.small():
			best = q.search(ctx, w.SuggestTime/8, 1)
		default:
			best = q.rank(ctx, likeliest, 1)
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		return best[0].Word, nil
	})
}
