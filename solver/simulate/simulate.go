// Package simulate plays hidden words with one strategy and counts the guesses.
package simulate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
	"fivefold/solver/parallel"
	"fivefold/solver/partition"
)

// Options say what to play, and how.
type Options struct {
	Strategy optimal.Strategy
	Hidden   []wordle.Word // the words to find
	Hard     marks.Hardness
	Opener   wordle.Word // the first guess; the zero Word means the strategy's own
	// Most is how many guesses a game has. With 0 a lost game goes on until the word is found,
	// so that it counts with its true number of guesses, as in the published figures of strategies.
	Most int

	// Workers is how many positions are searched at a time; 0 means one for each
	// processor. The result does not depend on it.
	Workers int
	// Progress, if not nil, is called with how many games are done. Calls do not overlap.
	Progress func(done, of int)
}

// Result is the result of [Run].
type Result struct {
	Opener wordle.Word
	Games  []Game // in the order of the hidden words
	Took   time.Duration
}

// Game is one game. It ends when the word is found, when the strategy knows no word that fits,
// or with the last guess that there is.
type Game struct {
	Hidden  wordle.Word
	Guesses []wordle.Word
}

// Count is the number of guesses, or one more than [wordle.Attempts] if the word was not found.
func (g Game) Count() int {
	if g.Guesses[len(g.Guesses)-1] != g.Hidden {
		return wordle.Attempts + 1
	}
	return len(g.Guesses)
}

// Lost reports whether the word was not found within [wordle.Attempts] guesses.
func (g Game) Lost() bool { return g.Count() > wordle.Attempts }

// Total returns the sum of the games' counts.
func (r Result) Total() int {
	total := 0
	for i, n := range r.Distribution() {
		total += (i + 1) * n
	}
	return total
}

// Average returns the average count of a game, or 0 without games.
func (r Result) Average() float64 { return float64(r.Total()) / float64(max(len(r.Games), 1)) }

// Lost returns the number of lost games.
func (r Result) Lost() int {
	lost := 0
	for _, n := range r.Distribution()[wordle.Attempts:] {
		lost += n
	}
	return lost
}

// Distribution returns how many games have the counts 1, 2, … It has at least
// [wordle.Attempts] elements.
func (r Result) Distribution() []int {
	distribution := make([]int, wordle.Attempts)
	for _, g := range r.Games {
		for len(distribution) < g.Count() {
			distribution = append(distribution, 0)
		}
		distribution[g.Count()-1]++
	}
	return distribution
}

// Longest returns the games with the highest count.
func (r Result) Longest() []Game {
	if len(r.Games) == 0 {
		return nil
	}
	highest := slices.MaxFunc(r.Games, func(a, b Game) int { return a.Count() - b.Count() }).Count()
	return slices.DeleteFunc(slices.Clone(r.Games), func(g Game) bool { return g.Count() < highest })
}

// Sample draws n of the words, in their order; the same ones for the same seed. 0 means all.
func Sample(words []wordle.Word, n int, seed uint64) []wordle.Word {
	if n <= 0 || n >= len(words) {
		return words
	}
	random := rand.New(rand.NewPCG(seed, 0))
	drawn := make([]wordle.Word, n)
	for i, j := range random.Perm(len(words))[:n] {
		drawn[i] = words[j]
	}
	slices.SortFunc(drawn, wordle.Word.Compare)
	return drawn
}

// Run plays the games. It asks the strategy once for each position, not for each game:
// all hidden words with the same feedback so far share it. If ctx ends, or the strategy returns
// an error, it returns the games played so far with the error.
func Run(ctx context.Context, o Options) (Result, error) {
	start := time.Now()
	r := &run{Options: o}
	r.end(nil, nil) // reports progress before the opener, which may take long
	opener, err := o.Opener, error(nil)
	if opener == 0 {
		opener, err = r.ask(ctx, nil)
	}
	if err == nil {
		err = r.playAll(ctx, opener)
	}
	slices.SortFunc(r.games, func(a, b Game) int { return a.Hidden.Compare(b.Hidden) })
	if len(r.games) == len(o.Hidden) {
		err = nil // ctx may have ended since
	}
	return Result{Opener: opener, Games: r.games, Took: time.Since(start)}, err
}

// run is a run in progress.
type run struct {
	Options

	mu    sync.Mutex // protects games, and is held for Progress
	games []Game
}

// playAll plays the classes of the opener, the largest first, so that the last one does
// not take long.
func (r *run) playAll(ctx context.Context, opener wordle.Word) error {
	classes := partition.Classes(opener, r.Hidden)
	order := make([]wordle.Feedback, len(classes))
	for f := range order {
		order[f] = wordle.Feedback(f)
	}
	slices.SortStableFunc(order, func(a, b wordle.Feedback) int { return len(classes[b]) - len(classes[a]) })
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	parallel.Each(ctx, r.Workers, len(order), func(_, i int) {
		if err := r.play(ctx, []wordle.Turn{{Guess: opener, Feedback: order[i]}}, classes[order[i]]); err != nil {
			stop(err)
		}
	})
	return context.Cause(ctx)
}

// play plays the hidden words that have the turns in common.
func (r *run) play(ctx context.Context, turns []wordle.Turn, hidden []wordle.Word) error {
	if len(hidden) == 0 {
		return nil
	}
	if turns[len(turns)-1].Feedback == wordle.AllGreen || len(turns) == r.Most {
		r.end(turns, hidden)
		return nil
	}
	guess, err := r.ask(ctx, turns)
	if errors.Is(err, optimal.ErrNothingFits) {
		r.end(turns, hidden)
		return nil
	}
	if err != nil {
		return err
	}
	for f, hidden := range partition.Classes(guess, hidden) {
		if err := r.play(ctx, append(slices.Clip(turns), wordle.Turn{Guess: guess, Feedback: wordle.Feedback(f)}), hidden); err != nil {
			return err
		}
	}
	return nil
}

// ask returns the strategy's guess after the turns.
func (r *run) ask(ctx context.Context, turns []wordle.Turn) (wordle.Word, error) {
	p := optimal.Position{Turns: turns, Hard: r.Hard, Limit: wordle.Attempts}
	if len(turns) >= wordle.Attempts {
		p.Limit = 0 // the game is lost and goes on
	}
	suggestions, err := r.Strategy(ctx, p, 1)
	switch {
	case ctx.Err() != nil: // what a strategy says then need not be the best
		return 0, ctx.Err()
	case err != nil:
		return 0, fmt.Errorf("after %v: %w", turns, err)
	}
	return suggestions[0].Word, nil
}

// end keeps finished games.
func (r *run) end(turns []wordle.Turn, hidden []wordle.Word) {
	var guesses []wordle.Word
	for _, t := range turns {
		guesses = append(guesses, t.Guess)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, h := range hidden {
		r.games = append(r.games, Game{h, guesses})
	}
	if r.Progress != nil {
		r.Progress(len(r.games), len(r.Hidden))
	}
}
