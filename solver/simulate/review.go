package simulate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/parallel"
)

// ReviewOptions say which games to play and review.
type ReviewOptions struct {
	Lists *wordle.Lists
	// Strategy makes the guesses; it must guess the same in the same position. nil
	// guesses any possible word, drawn for each game.
	Strategy solver.Strategy
	// Hard plays in hard mode.
	Hard bool
	// Games is how many games are played. Their hidden words are drawn from the
	// answers, the same ones for the same Seed.
	Games int
	Seed  uint64

	// ReviewTime is that of the [solver.Solver]; 0 means its default. If it is enough
	// to prove everything, the result is always the same.
	ReviewTime time.Duration
	// Workers is how many games are reviewed at a time; 0 means one for each processor.
	Workers int
	// Progress, if not nil, is called with how many different games are played, and
	// then with how many are reviewed. Calls do not overlap.
	Progress func(done, of int)
}

// Reviews is the result of [Review].
type Reviews struct {
	Games int // that were reviewed
	Lost  int // of them
	// Skill and Luck are of games: see [solver.Review.Skill] and [solver.Review.Luck].
	Skill, Luck Spread
	// GuessSkill and GuessLuck are the means over the guesses of all games, or 0
	// without any.
	GuessSkill, GuessLuck float64
	// Guesses is the number of guesses in all games, and Proven how many of them have a
	// proven skill.
	Guesses, Proven int
	// Times are how long the reviews took, the shortest first. Equal games are reviewed
	// once.
	Times []time.Duration
	Took  time.Duration
}

// Spread describes how numbers are distributed; it is 0 without any.
type Spread struct {
	Mean, Deviation float64 // the standard deviation
}

// Percentile returns the time within which p percent of the reviews were done, or 0
// without any.
func (r Reviews) Percentile(p int) time.Duration {
	if len(r.Times) == 0 {
		return 0
	}
	return r.Times[max(len(r.Times)*p-1, 0)/100]
}

// ProvenShare returns the share of proven guesses, or 0 without any.
func (r Reviews) ProvenShare() float64 {
	if r.Guesses == 0 {
		return 0
	}
	return float64(r.Proven) / float64(r.Guesses)
}

// Review plays games as players do, with up to [wordle.Attempts] guesses, and reviews
// each. When ctx ends, or anything else goes wrong, it returns what is done by then
// with the error: ctx's, or as from [Run].
func Review(ctx context.Context, o ReviewOptions) (Reviews, error) {
	start := time.Now()
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	games, err := o.play(ctx)
	if err != nil {
		return Reviews{}, err
	}
	reviewed, err := o.review(ctx, games)
	r := summary(reviewed)
	r.Took = time.Since(start)
	return r, err
}

// reviewedGame is a game that was played, once or several times.
type reviewedGame struct {
	solver.Played
	times int

	review solver.Review
	took   time.Duration // 0 as long as there is no review
}

// play returns the different games.
func (o ReviewOptions) play(ctx context.Context) ([]reviewedGame, error) {
	if o.Strategy == nil {
		return o.playRandom(ctx)
	}
	times := map[wordle.Word]int{}
	for i := range o.Games {
		times[o.draw(i).hidden]++
	}
	r := &run{Options: Options{Lists: o.Lists, Strategy: o.Strategy, Hard: o.Hard, Workers: o.Workers, Progress: o.Progress}}
	for _, w := range o.Lists.Answers() {
		if times[w] > 0 {
			r.hidden = append(r.hidden, w)
		}
	}
	if err := r.run(ctx); err != nil {
		return nil, err
	}
	slices.SortFunc(r.games, func(a, b Game) int { return a.Hidden().Compare(b.Hidden()) })
	games := make([]reviewedGame, len(r.games))
	for i, g := range r.games {
		played := solver.Played{Hard: o.Hard, Hidden: g.Hidden()}
		for _, guess := range g.Guesses[:min(len(g.Guesses), wordle.Attempts)] {
			played.Turns = append(played.Turns, wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, played.Hidden)})
		}
		games[i] = reviewedGame{Played: played, times: times[played.Hidden]}
	}
	return games, nil
}

// drawn is a game's hidden word and what else is left to chance in it.
type drawn struct {
	hidden wordle.Word
	random *rand.Rand
}

// draw draws for one of the games. It depends on nothing but its number and the seed.
func (o ReviewOptions) draw(game int) drawn {
	random := rand.New(rand.NewPCG(o.Seed, uint64(game)))
	answers := o.Lists.Answers()
	return drawn{answers[random.IntN(len(answers))], random}
}

func (o ReviewOptions) playRandom(ctx context.Context) ([]reviewedGame, error) {
	games := make([]reviewedGame, o.Games)
	for i := range games {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("after %d of %d games: %w", 0, o.Games, err)
		}
		d := o.draw(i)
		left := o.Lists.Answers()
		g := solver.Played{Hard: o.Hard, Hidden: d.hidden}
		for len(g.Turns) < wordle.Attempts && (len(g.Turns) == 0 || g.Turns[len(g.Turns)-1].Guess != d.hidden) {
			// A word that is possible keeps every clue, as hard mode demands.
			guess := left[d.random.IntN(len(left))]
			turn := wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, d.hidden)}
			g.Turns = append(g.Turns, turn)
			var fit []wordle.Word
			for _, w := range left {
				if wordle.Score(guess, w) == turn.Feedback {
					fit = append(fit, w)
				}
			}
			left = fit
		}
		games[i] = reviewedGame{Played: g, times: 1}
	}
	return games, nil
}

// review reviews the games and returns those that are done, in the same order.
func (o ReviewOptions) review(ctx context.Context, games []reviewedGame) ([]reviewedGame, error) {
	var mu sync.Mutex // protects done, and is held for Progress
	done := 0
	solvers := make([]*solver.Solver, o.Workers)
	cause := parallel.TryEach(ctx, o.Workers, len(games), func(ctx context.Context, worker, i int) error {
		if solvers[worker] == nil {
			// One for each worker; they share only the lists.
			solvers[worker] = solver.New(o.Lists)
			if o.ReviewTime > 0 {
				solvers[worker].ReviewTime = o.ReviewTime
			}
		}
		start := time.Now()
		review, err := solvers[worker].Review(ctx, games[i].Played)
		if err != nil {
			return err
		}
		games[i].review, games[i].took = review, max(time.Since(start), 1)
		mu.Lock()
		defer mu.Unlock()
		if done++; o.Progress != nil {
			o.Progress(done, len(games))
		}
		return nil
	})
	if done == len(games) {
		return games, nil
	}
	return slices.DeleteFunc(games, func(g reviewedGame) bool { return g.took == 0 }),
		fmt.Errorf("after %d of %d different games: %w", done, len(games), cause)
}

func summary(games []reviewedGame) Reviews {
	var r Reviews
	var skill, luck, guessSkill, guessLuck sums
	for _, g := range games {
		r.Games += g.times
		if g.Turns[len(g.Turns)-1].Guess != g.Hidden {
			r.Lost += g.times
		}
		skill.add(g.review.Skill(), g.times)
		luck.add(g.review.Luck(), g.times)
		r.Guesses += g.times * len(g.review.Guesses)
		for _, j := range g.review.Guesses {
			guessSkill.add(j.Skill, g.times)
			guessLuck.add(j.Luck, g.times)
			if j.Proven {
				r.Proven += g.times
			}
		}
		r.Times = append(r.Times, g.took)
	}
	r.Skill, r.Luck = skill.spread(), luck.spread()
	r.GuessSkill, r.GuessLuck = guessSkill.spread().Mean, guessLuck.spread().Mean
	slices.Sort(r.Times)
	return r
}

// sums are what a spread is made from.
type sums struct{ n, x, squares float64 }

func (s *sums) add(x float64, times int) {
	s.n += float64(times)
	s.x += float64(times) * x
	s.squares += float64(times) * x * x
}

func (s *sums) spread() Spread {
	if s.n == 0 {
		return Spread{}
	}
	mean := s.x / s.n
	return Spread{mean, math.Sqrt(max(s.squares/s.n-mean*mean, 0))}
}
