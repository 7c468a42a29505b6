package simulate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/parallel"
	"fivefold/solver/weighted"
)

// AgainstOptions say how the solver for puzzles played elsewhere plays hidden words
// that are kept from it.
type AgainstOptions struct {
	Weighted *weighted.Solver
	Strategy string        // one of [solver.StrategyNames]
	Hidden   []wordle.Word // the words to find
	Hard     bool
	Opener   wordle.Word // the zero Word means the strategy's own
	Workers  int         // how many positions are searched at a time; 0 means one for each processor
	// Progress, if not nil, is called with how many games are done. Calls do not
	// overlap.
	Progress func(done, of int)
}

// AgainstResult is the result of [Against].
type AgainstResult struct {
	Opener wordle.Word
	Games  []AgainstGame // in the order of the hidden words
	Took   time.Duration
	// Slowest is the longest wait for a guess, not counting the opener.
	Slowest time.Duration
}

// AgainstGame is one game. It ends when the word is found, no known word fits, or the
// guesses are used up.
type AgainstGame struct {
	Hidden  wordle.Word
	Guesses []wordle.Word
}

// Won reports whether the word was found.
func (g AgainstGame) Won() bool { return g.Guesses[len(g.Guesses)-1] == g.Hidden }

// Average returns the average number of guesses of the games that were won, and of all
// games, a lost game counting as one guess more than there are.
func (r AgainstResult) Average() (won, all float64) {
	games, total := 0, 0
	for _, g := range r.Games {
		if g.Won() {
			games++
			total += len(g.Guesses)
		}
	}
	lost := len(r.Games) - games
	return float64(total) / float64(max(games, 1)), float64(total+lost*(wordle.Attempts+1)) / float64(max(len(r.Games), 1))
}

// Distribution returns how many games were won with 1, 2, … guesses.
func (r AgainstResult) Distribution() []int {
	distribution := make([]int, wordle.Attempts)
	for _, g := range r.Games {
		if g.Won() {
			distribution[len(g.Guesses)-1]++
		}
	}
	return distribution
}

// Lost returns the games that were lost.
func (r AgainstResult) Lost() []AgainstGame {
	return slices.DeleteFunc(slices.Clone(r.Games), AgainstGame.Won)
}

// Against plays the games. It asks for suggestions once for each position, not for each
// game. If ctx ends, it returns the games played so far with ctx's error.
func Against(ctx context.Context, o AgainstOptions) (AgainstResult, error) {
	start := time.Now()
	a := &against{AgainstOptions: o}
	opener := o.Opener
	if opener == 0 {
		suggestions, err := o.Weighted.Suggest(ctx, solver.Position{Hard: o.Hard, Limit: wordle.Attempts}, o.Strategy, 1)
		if err != nil {
			return AgainstResult{}, err
		}
		opener = suggestions[0].Word
	}
	err := a.playAll(ctx, opener)
	slices.SortFunc(a.games, func(a, b AgainstGame) int { return a.Hidden.Compare(b.Hidden) })
	return AgainstResult{Opener: opener, Games: a.games, Took: time.Since(start), Slowest: a.slowest}, err
}

// against is a run of Against.
type against struct {
	AgainstOptions

	mu      sync.Mutex // protects what is below
	games   []AgainstGame
	slowest time.Duration
}

// playAll plays the classes of the opener, the largest first.
func (a *against) playAll(ctx context.Context, opener wordle.Word) error {
	all := classes(opener, a.Hidden, nil)
	slices.SortStableFunc(all, func(x, y class) int { return len(y.left) - len(x.left) })
	return parallel.TryEach(ctx, a.Workers, len(all), func(ctx context.Context, _, i int) error {
		return a.play(ctx, []wordle.Turn{{Guess: opener, Feedback: all[i].feedback}}, all[i].left)
	})
}

// play plays the hidden words that have the turns in common.
func (a *against) play(ctx context.Context, turns []wordle.Turn, hidden []wordle.Word) error {
	last := turns[len(turns)-1].Feedback
	if last == wordle.AllGreen || len(turns) == wordle.Attempts {
		a.end(turns, hidden)
		return nil
	}
	start := time.Now()
	suggestions, err := a.Weighted.Suggest(ctx, solver.Position{Turns: turns, Hard: a.Hard, Limit: wordle.Attempts}, a.Strategy, 1)
	switch {
	case errors.Is(err, solver.ErrNothingFits):
		a.end(turns, hidden)
		return nil
	case ctx.Err() != nil: // the suggestion need not be the best
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%s: %w", describe(turns), err)
	}
	a.waited(time.Since(start))
	for _, next := range classes(suggestions[0].Word, hidden, nil) {
		more := append(slices.Clip(turns), wordle.Turn{Guess: suggestions[0].Word, Feedback: next.feedback})
		if err := a.play(ctx, more, next.left); err != nil {
			return err
		}
	}
	return nil
}

func (a *against) end(turns []wordle.Turn, hidden []wordle.Word) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, h := range hidden {
		a.games = append(a.games, AgainstGame{h, guessesOf(turns)})
	}
	if a.Progress != nil {
		a.Progress(len(a.games), len(a.Hidden))
	}
}

func (a *against) waited(d time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.slowest = max(a.slowest, d)
}
