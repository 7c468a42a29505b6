package boardsgame

import (
	"context"
	"fmt"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/boards"
	"fivefold/game/wordle"
	"fivefold/solver/multi"
	"fivefold/solver/parallel"
)

// LetterHint gives away a letter of the word on a board.
type LetterHint struct {
	Board int `json:"board"` // from 1
	wordgame.LetterHint
}

func (g *Game) Kind() game.Kind                                      { return g.kind }
func (*Game) Races() bool                                            { return true }
func (g *Game) Attempts() int                                        { return boards.Attempts(g.boards) }
func (g *Game) NoRepeat() int                                        { return g.Words.NoRepeat() / g.boards }
func (*Game) Given(string) (game.State, error)                       { return nil, game.ErrKind }
func (*Game) Difficulty(context.Context, game.State) (string, error) { return "", nil }

func (g *Game) New(_ context.Context, n game.NewGame) (game.State, error) {
	var hidden []wordle.Word
	for range g.boards {
		hidden = append(hidden, g.Pick(n, hidden...))
	}
	return boards.New(hidden...), nil
}

func (g *Game) Guess(s game.State, typed string) (game.State, error) {
	own := s.(boards.State)
	w, err := g.Allowed(typed, own.Words()...)
	if err != nil {
		return nil, err
	}
	return own.Guess(w)
}

func (g *Game) Hint(ctx context.Context, m game.Match, kind game.HintKind, pick game.Pick, never []string) (game.HintContent, error) {
	s := m.State.(boards.State)
	switch kind {
	case game.HintLetter:
		return letter(s, m.Hints, pick)
	case game.HintSuggestion:
		best, err := g.solver.Suggest(ctx, multi.Position{Boards: s.All(), Limit: g.Attempts(), Never: wordgame.WordsOf(never)}, 1)
		if err != nil {
			return nil, matchError(err)
		}
		return best[0], nil
	}
	return nil, fmt.Errorf("%q: %w", kind, game.ErrHint)
}

// letter picks an unknown letter of an open board.
func letter(s boards.State, hints []game.Hint, pick game.Pick) (game.HintContent, error) {
	var all []LetterHint
	for b := range s.Boards() {
		var earlier []game.Hint
		for _, h := range hints {
			if h, ok := h.Content.(LetterHint); ok && h.Board == b+1 {
				earlier = append(earlier, game.Hint{Content: h.LetterHint})
			}
		}
		if content, err := wordgame.Letter(s.Hidden(b), s.Board(b), earlier, pick); err == nil {
			all = append(all, LetterHint{b + 1, content.(wordgame.LetterHint)})
		}
	}
	if all == nil {
		return nil, game.ErrAllKnown
	}
	return all[pick(len(all))], nil
}

func (g *Game) Review(ctx context.Context, m game.Match) (game.Review, error) {
	r, err := g.solver.Review(ctx, m.State.(boards.State))
	return r, matchError(err)
}

func (g *Game) Remaining(_ context.Context, s game.State) ([]game.Possible, error) {
	return g.solver.Remaining(s.(boards.State)), nil
}

func matchError(err error) error {
	return game.Translate(game.Translate(err, multi.ErrNothingFits, game.ErrNothingFits), parallel.ErrBusy, game.ErrBusy)
}
