package evilgame

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/evil"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/dodge"
	"fivefold/solver/parallel"
)

func (*Game) Kind() game.Kind                  { return Kind }
func (*Game) Races() bool                      { return true }
func (*Game) Attempts() int                    { return evil.Attempts }
func (*Game) NoRepeat() int                    { return 0 }
func (*Game) Given(string) (game.State, error) { return nil, game.ErrKind }

func (*Game) Difficulty(context.Context, game.State) (string, error) { return "", nil }

// mostAtStart is how many words the start of a daily game leaves at most: without it every day would be the same game, and with
// many more left it would change little. A third of the built-in answers are such starts. They leave at least 174.
const mostAtStart = 400

// New makes a game, a daily one with a start. The words that a server never uses don't matter: nothing is hidden. Hints don't
// propose them.
func (g *Game) New(_ context.Context, n game.NewGame) (game.State, error) {
	starts := []evil.State{}
	if n.Daily {
		for _, w := range g.answers {
			if f, kept := evil.Answer(g.answers, w); f != wordle.AllGreen && len(kept) <= mostAtStart {
				starts = append(starts, evil.New(wordle.Turn{Guess: w, Feedback: f}, kept[0]))
			}
		}
	}
	if len(starts) == 0 { // as in a short list
		return evil.New(wordle.Turn{}, g.answers[0]), nil
	}
	return starts[n.Pick(len(starts))], nil
}

func (g *Game) Guess(s game.State, typed string) (game.State, error) {
	own := s.(evil.State)
	w, err := g.Allowed(typed, own.Could())
	if err != nil {
		return nil, err
	}
	return own.Guess(g.answers, w)
}

func (g *Game) Hint(ctx context.Context, m game.Match, kind game.HintKind, _ game.Pick, never []string) (game.HintContent, error) {
	if kind != game.HintSuggestion {
		return nil, fmt.Errorf("%q: %w", kind, game.ErrHint)
	}
	suggestion, err := g.solver.Suggest(ctx, m.State.(evil.State).Left(g.answers), wordgame.WordsOf(never))
	return suggestion, matchError(err)
}

func (g *Game) Review(ctx context.Context, m game.Match) (game.Review, error) {
	r, err := g.solver.Review(ctx, m.State.(evil.State))
	return r, matchError(err)
}

func (g *Game) Remaining(_ context.Context, s game.State) ([]game.Possible, error) {
	return game.OnOneBoard(g.left(s)), nil
}

// left returns how many words were left before the first guess and after each.
func (g *Game) left(s game.State) (all []int) {
	for used := range s.Used() + 1 {
		all = append(all, len(s.Rewind(used).(evil.State).Left(g.answers)))
	}
	return all
}

// least returns the fewest guesses that win a game from its beginning, or 0 if the solver doesn't find them in time.
func (g *Game) least(s game.State) int {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(g.solver.EndTime, 500*time.Millisecond))
	defer cancel()
	best, err := g.solver.Suggest(ctx, s.Fresh(marks.Off).(evil.State).Left(g.answers), nil)
	if err != nil {
		return 0
	}
	return best.Fewest
}

func matchError(err error) error {
	return game.Translate(game.Translate(err, dodge.ErrNothingFits, game.ErrNothingFits), parallel.ErrBusy, game.ErrBusy)
}
