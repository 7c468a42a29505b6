package pokergame

import (
	"context"
	"fmt"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/parallel"
	"fivefold/solver/poker"
)

func (*Game) Kind() game.Kind                  { return Kind }
func (*Game) Races() bool                      { return false }
func (*Game) Attempts() int                    { return pokle.Attempts }
func (*Game) NoRepeat() int                    { return 0 }
func (*Game) Given(string) (game.State, error) { return nil, game.ErrKind }

func (g *Game) New(ctx context.Context, n game.NewGame) (game.State, error) {
	puzzle, err := g.solver.Generate(ctx, n.Pick.Seed())
	return pokle.NewState(puzzle.Deal, puzzle.Hidden), matchError(err)
}

func (*Game) Guess(s game.State, typed string) (game.State, error) {
	b, err := pokle.ParseBoard(typed)
	if err != nil {
		return nil, err
	}
	return s.(pokle.State).Guess(b)
}

func (g *Game) Hint(ctx context.Context, m game.Match, kind game.HintKind, _ game.Pick, _ []string) (game.HintContent, error) {
	if kind != game.HintSuggestion {
		return nil, fmt.Errorf("%q: %w", kind, game.ErrHint)
	}
	suggestion, err := g.solver.Suggest(ctx, position(m.State))
	return suggestion, matchError(err)
}

func (g *Game) Review(ctx context.Context, m game.Match) (game.Review, error) {
	s := m.State.(pokle.State)
	played := poker.Played{Deal: s.Deal(), Hidden: s.Hidden()}
	for _, step := range s.Turns() {
		played.Guesses = append(played.Guesses, step.Guess)
	}
	r, err := g.solver.Review(ctx, played)
	return r, matchError(err)
}

func (g *Game) Remaining(ctx context.Context, s game.State) ([]game.Possible, error) {
	counts, err := g.solver.CountRemaining(ctx, position(s))
	return game.OnOneBoard(counts), matchError(err)
}

func (g *Game) Difficulty(ctx context.Context, s game.State) (string, error) {
	l, err := g.solver.List(ctx, s.(pokle.State).Deal())
	if err != nil {
		return "", matchError(err)
	}
	return poker.DifficultyOf(len(l)).String(), nil
}

func position(s game.State) poker.Position {
	own := s.(pokle.State)
	return poker.Position{Deal: own.Deal(), Steps: own.Turns()}
}

func matchError(err error) error {
	return game.Translate(game.Translate(err, poker.ErrNothingFits, game.ErrNothingFits), parallel.ErrBusy, game.ErrBusy)
}
