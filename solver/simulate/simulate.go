// Package simulate plays every hidden word of a list with one strategy and counts the
// guesses.
//
// A lost game continues until the word is found, so that it counts with its true number
// of guesses; the published figures of strategies are made the same way.
package simulate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/parallel"
)

// Options say what to play, and how.
type Options struct {
	Lists    *wordle.Lists
	Strategy solver.Strategy
	// Hard plays in hard mode.
	Hard bool
	// Opener is the first guess; the zero Word means the strategy's own.
	Opener wordle.Word
	// Sample is how many hidden words are drawn from the answers, the same ones for the
	// same Seed; 0 means all. The strategy takes all answers to be possible either way.
	Sample int
	Seed   uint64

	// Workers is how many positions are searched at a time; 0 means one for each
	// processor. The result does not depend on it.
	Workers int
	// Progress, if not nil, is called with how many hidden words are found. Calls do
	// not overlap.
	Progress func(done, of int)
	// Checkpoint, if not empty, is the file that stores what is done, so that another run
	// can continue from there. Settings describes the strategy in that file.
	Checkpoint string
	Settings   string
	// Create makes the checkpoint, or replaces an empty one, with this content. The file
	// must be whole and on the disk under its name when it returns, or be left as it was.
	Create func(path string, content []byte) error
}

// Result is the result of [Run].
type Result struct {
	Opener wordle.Word
	Games  []Game // in the order of the hidden words
	Of     int    // how many games were to be played
	// Resumed is how many of the games were taken from the checkpoint, and Took how
	// long the others took.
	Resumed int
	Took    time.Duration
}

// Game is one game.
type Game struct {
	Guesses []wordle.Word // the last one is the hidden word
}

// Hidden returns the hidden word.
func (g Game) Hidden() wordle.Word { return g.Guesses[len(g.Guesses)-1] }

// Lost reports whether the game took more than [wordle.Attempts] guesses.
func (g Game) Lost() bool { return len(g.Guesses) > wordle.Attempts }

// Complete reports whether every game was played.
func (r Result) Complete() bool { return len(r.Games) == r.Of }

// Total returns the sum of guesses.
func (r Result) Total() int {
	total := 0
	for _, g := range r.Games {
		total += len(g.Guesses)
	}
	return total
}

// Average returns the average number of guesses in a game, or 0 without games.
func (r Result) Average() float64 {
	if len(r.Games) == 0 {
		return 0
	}
	return float64(r.Total()) / float64(len(r.Games))
}

// Lost returns the number of lost games.
func (r Result) Lost() int {
	lost := 0
	for _, g := range r.Games {
		if g.Lost() {
			lost++
		}
	}
	return lost
}

// Distribution returns how many games took 1, 2, … guesses. It has at least
// [wordle.Attempts] elements.
func (r Result) Distribution() []int {
	distribution := make([]int, wordle.Attempts)
	for _, g := range r.Games {
		for len(distribution) < len(g.Guesses) {
			distribution = append(distribution, 0)
		}
		distribution[len(g.Guesses)-1]++
	}
	return distribution
}

// Longest returns the games that took the most guesses.
func (r Result) Longest() []Game {
	var longest []Game
	for _, g := range r.Games {
		if len(longest) > 0 && len(g.Guesses) > len(longest[0].Guesses) {
			longest = nil
		}
		if len(longest) == 0 || len(g.Guesses) == len(longest[0].Guesses) {
			longest = append(longest, g)
		}
	}
	return longest
}

// ErrStuck means that a strategy made a guess that leaves all words possible, and would
// go on forever.
var ErrStuck = errors.New("the strategy makes no progress")

// Run plays the games. It asks the strategy once for each position, not for each game:
// all hidden words with the same feedback so far share it.
//
// If ctx ends, or anything else goes wrong, it returns the games played so far with the
// error: [ErrOtherRun] or [ErrNoCheckpoint] if the checkpoint does not fit, [ErrStuck],
// ctx's, or what the strategy and the file system return.
func Run(ctx context.Context, o Options) (Result, error) {
	start := time.Now()
	r := &run{Options: o, hidden: sample(o.Lists.Answers(), o.Sample, o.Seed)}
	err := r.run(ctx)
	slices.SortFunc(r.games, func(a, b Game) int { return a.Hidden().Compare(b.Hidden()) })
	return Result{Opener: r.opener, Games: r.games, Of: len(r.hidden), Resumed: r.resumed, Took: time.Since(start)}, err
}

func sample(answers []wordle.Word, n int, seed uint64) []wordle.Word {
	if n <= 0 || n >= len(answers) {
		return answers
	}
	random := rand.New(rand.NewPCG(seed, 0))
	words := make([]wordle.Word, n)
	for i, j := range random.Perm(len(answers))[:n] {
		words[i] = answers[j]
	}
	slices.SortFunc(words, wordle.Word.Compare)
	return words
}

// run is a run in progress.
type run struct {
	Options
	hidden     []wordle.Word // the words to find
	opener     wordle.Word
	resumed    int
	checkpoint *checkpoint // nil without one

	mu    sync.Mutex // protects what is below
	games []Game
}

// class is what one feedback leaves.
type class struct {
	feedback wordle.Feedback
	left     []wordle.Word // that are possible
	hidden   []wordle.Word // those of them that are to be found
}

func (r *run) run(ctx context.Context) error {
	r.progress(nil) // the opener may take long
	header := headerOf(r.Options)
	if r.Checkpoint != "" {
		found, err := readCheckpoint(r.Checkpoint, r.Create, header)
		if err != nil {
			return err
		}
		r.checkpoint = found
		r.opener = found.opener()
	}
	if r.opener == 0 {
		var err error
		if r.opener, err = r.first(ctx); err != nil {
			return err
		}
	}
	all := classes(r.opener, r.Lists.Answers(), r.hidden)
	if r.checkpoint != nil {
		if err := r.checkpoint.open(r.opener); err != nil {
			return err
		}
		defer r.checkpoint.close()
		var err error
		if all, err = r.resume(all); err != nil {
			return err
		}
	}
	return r.playAll(ctx, all)
}

// first returns the opener.
func (r *run) first(ctx context.Context) (wordle.Word, error) {
	if r.Opener == 0 {
		return r.ask(ctx, nil, r.Lists.Answers())
	}
	if !r.Lists.CanGuess(r.Opener) {
		return 0, fmt.Errorf("the opener %v is not in the list of guesses", r.Opener)
	}
	return r.Opener, nil
}

// resume takes over the games of the classes in the checkpoint, and returns the other
// classes.
func (r *run) resume(all []class) (rest []class, err error) {
	for _, c := range all {
		games, ok, err := r.checkpoint.games(c)
		if err != nil {
			return nil, err
		}
		if !ok {
			rest = append(rest, c)
			continue
		}
		r.games = append(r.games, games...)
	}
	r.resumed = len(r.games)
	return rest, nil
}

// playAll plays the classes of the opener, the largest first, so that the last one does
// not take long.
func (r *run) playAll(ctx context.Context, all []class) error {
	slices.SortStableFunc(all, func(a, b class) int { return len(b.hidden) - len(a.hidden) })
	r.progress(nil)
	cause := parallel.TryEach(ctx, r.Workers, len(all), func(ctx context.Context, _, i int) error { return r.playClass(ctx, all[i]) })
	complete := len(r.games) == len(r.hidden)
	switch {
	case cause == nil || cause == context.Cause(ctx) && complete:
		return nil
	case cause == context.Cause(ctx):
		return fmt.Errorf("after %d of %d hidden words: %w", len(r.games), len(r.hidden), ctx.Err())
	default:
		return cause
	}
}

// playClass plays a class of the opener and records it in the checkpoint.
func (r *run) playClass(ctx context.Context, c class) error {
	turns := []wordle.Turn{{Guess: r.opener, Feedback: c.feedback}}
	if c.feedback == wordle.AllGreen {
		r.progress([]Game{{Guesses: []wordle.Word{r.opener}}})
		return nil
	}
	games, err := r.play(ctx, turns, c)
	if err != nil || r.checkpoint == nil {
		return err
	}
	return r.checkpoint.add(c.feedback, games)
}

// play plays the hidden words that have the turns in common.
func (r *run) play(ctx context.Context, turns []wordle.Turn, c class) ([]Game, error) {
	guess, err := r.ask(ctx, turns, c.left)
	if err != nil {
		return nil, err
	}
	var games []Game
	for _, next := range classes(guess, c.left, c.hidden) {
		more := append(slices.Clip(turns), wordle.Turn{Guess: guess, Feedback: next.feedback})
		var played []Game
		if next.feedback == wordle.AllGreen {
			played = []Game{{Guesses: guessesOf(more)}}
			r.progress(played)
		} else if played, err = r.play(ctx, more, next); err != nil {
			return nil, err
		}
		games = append(games, played...)
	}
	return games, nil
}

// ask returns the strategy's guess after the turns, with these words left. It checks
// that the guess is allowed and leaves fewer words.
func (r *run) ask(ctx context.Context, turns []wordle.Turn, left []wordle.Word) (wordle.Word, error) {
	p := solver.Position{Turns: turns, Hard: r.Hard, Limit: wordle.Attempts}
	if len(turns) >= wordle.Attempts {
		p.Limit = 0 // the game is lost and goes on
	}
	suggestions, err := r.Strategy(ctx, p, 1)
	switch {
	case ctx.Err() != nil: // a strategy may have given up without an error
		return 0, ctx.Err()
	case err != nil:
		return 0, fmt.Errorf("%s: %w", describe(turns), err)
	case len(suggestions) == 0:
		return 0, fmt.Errorf("%s: it has no guess: %w", describe(turns), ErrStuck)
	}
	guess := suggestions[0].Word
	if !r.Lists.CanGuess(guess) {
		return 0, fmt.Errorf("%s: the strategy guesses %v, which is not in the list", describe(turns), guess)
	}
	if r.Hard {
		if err := wordle.CheckHard(turns, guess); err != nil {
			return 0, fmt.Errorf("%s: the strategy guesses %v: %w", describe(turns), guess, err)
		}
	}
	if after := classes(guess, left, nil); len(after) == 1 && after[0].feedback != wordle.AllGreen {
		return 0, fmt.Errorf("%s: its guess %v leaves all words possible: %w", describe(turns), guess, ErrStuck)
	}
	return guess, nil
}

func describe(turns []wordle.Turn) string {
	if len(turns) == 0 {
		return "for the first guess"
	}
	text := "after"
	for _, t := range turns {
		text += fmt.Sprintf(" %v %v", t.Guess, t.Feedback)
	}
	return text
}

func guessesOf(turns []wordle.Turn) []wordle.Word {
	guesses := make([]wordle.Word, len(turns))
	for i, t := range turns {
		guesses[i] = t.Guess
	}
	return guesses
}

// classes returns the classes that the guess splits the words into, ordered by
// feedback. If hidden is not empty, it leaves out classes without hidden words.
func classes(guess wordle.Word, left, hidden []wordle.Word) []class {
	var all [wordle.Feedbacks]class
	for _, w := range left {
		c := &all[wordle.Score(guess, w)]
		c.left = append(c.left, w)
	}
	for _, w := range hidden {
		c := &all[wordle.Score(guess, w)]
		c.hidden = append(c.hidden, w)
	}
	var some []class
	for f, c := range all {
		if len(c.left) > 0 && (len(hidden) == 0 || len(c.hidden) > 0) {
			c.feedback = wordle.Feedback(f)
			some = append(some, c)
		}
	}
	return some
}

// progress adds finished games.
func (r *run) progress(games []Game) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.games = append(r.games, games...)
	if r.Progress != nil {
		r.Progress(len(r.games), len(r.hidden))
	}
}
