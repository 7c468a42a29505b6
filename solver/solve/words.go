package solve

import (
	"cmp"
	"context"
	"errors"

	"fivefold/game"
	"fivefold/game/boards"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/multi"
	"fivefold/solver/optimal"
	"fivefold/solver/weighted"
)

// WordPuzzle is a word puzzle. Its game may have other lists, so its hidden word and guesses may be unknown here. Its
// turns may contradict each other until the player corrects them.
type WordPuzzle = Puzzle[wordle.Word, weighted.Suggestion, WordSetup]

// WordSetup is how a word puzzle is played.
type WordSetup struct {
	Hard   marks.Hardness `json:",omitzero"`
	Boards int            `json:",omitzero"` // of which this is one; 0 for a puzzle of its own
	// Strategy is the rule that proposes guesses, one of [optimal.StrategyNames]. Empty means [optimal.Optimal].
	Strategy string `json:",omitzero"`
}

// Limit returns how many guesses the puzzle has.
func (s WordSetup) Limit() int { return boards.Attempts(max(1, s.Boards)) }

func (WordSetup) guess(a weighted.Suggestion) wordle.Word { return a.Word }

func (s WordSetup) allows(turns []wordle.Turn, w wordle.Word) error {
	return wordle.CheckClues(s.Hard, turns, w)
}

// WordView is a session as its player sees it. Left lists the words that fit, most likely first. It is nil once the
// puzzle is solved.
type WordView = View[weighted.Possible]

// Words helps players with word puzzles, one for each player. Set its fields before the first
// call. It is safe for concurrent use.
type Words struct {
	Store  Store
	Solver *weighted.Solver
	Boards *multi.Solver // proposes for several boards
}

// Update is [Cards.Update] for words. If the turns contradict each other, the view has a Contradiction, and there is
// no error.
func (w *Words) Update(ctx context.Context, o game.Origin, seen uint64, rule func(Session) (Session, error)) (WordView, error) {
	return update(ctx, w.Store, o, seen, rule, w.View)
}

// Peek returns the player's puzzle without a commit. The error is the store's.
func (w *Words) Peek(ctx context.Context, player game.PlayerID) (WordView, error) {
	s, err := w.Store.Session(ctx, player)
	if err != nil {
		return WordView{}, err
	}
	v, _ := w.View(ctx, s) // there may be no time for proposals
	return v, nil
}

// View returns a session, stored or not, as its player sees it. It proposes words while the word puzzle goes on,
// unless it is one of several boards, no word fits or hard mode allows none. The error is [parallel.ErrBusy] or the context's.
func (w *Words) View(ctx context.Context, s Session) (WordView, error) {
	v := WordView{Session: s}
	p := s.Words
	if p.Status() == game.Won {
		return v, nil
	}
	v.Left = w.Solver.Possible(p.Turns)
	switch {
	case p.Status() != game.Playing:
		return v, nil
	case len(v.Left) == 0:
		v.Contradiction = contradiction(p.Turns, w.Solver.Possible)
		return v, nil
	case len(p.Proposed) > 0 || p.Setup.Boards > 0:
		return v, nil
	}
	position := optimal.Position{Turns: p.Turns, Hard: p.Setup.Hard, Limit: p.Setup.Limit()}
	best, err := w.Solver.Suggest(ctx, position, cmp.Or(p.Setup.Strategy, optimal.Optimal), optimal.MaxSuggestions)
	if err == nil {
		v.Words = p.propose(best...)
	} else if errors.Is(err, optimal.ErrNothingAllowed) {
		err = nil
	}
	return v, err
}
