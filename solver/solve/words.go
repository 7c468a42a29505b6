package solve

import (
	"cmp"
	"context"
	"errors"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
	"fivefold/solver/weighted"
)

// WordPuzzle is a word puzzle. Other puzzles have other lists, so its hidden word and its guesses
// may be unknown here. Its turns may contradict each other until the player corrects them.
type WordPuzzle = Puzzle[wordle.Word, weighted.Suggestion, WordSetup]

// WordSetup is how a word puzzle is played.
type WordSetup struct {
	Hard bool `json:",omitzero"` // guesses must use every clue
	// Strategy is how guesses are proposed, one of [optimal.StrategyNames]; empty for
	// [optimal.Optimal].
	Strategy string `json:",omitzero"`
}

func (WordSetup) ready() error { return nil }

func (WordSetup) misfits(turns []wordle.Turn) []Misfit {
	var all []Misfit
	last := len(turns) - 1
	for i, t := range turns[:last] {
		if f := wordle.Score(t.Guess, turns[last].Guess); f != t.Feedback {
			all = append(all, Misfit{i + 1, f})
		}
	}
	return all
}

func (WordSetup) guess(a weighted.Suggestion) wordle.Word { return a.Word }

func (s WordSetup) allows(turns []wordle.Turn, w wordle.Word) error {
	if s.Hard {
		return wordle.CheckHard(turns, w)
	}
	return nil
}

// WordView is a word puzzle with the words that fit and the player's record.
type WordView struct {
	Puzzle WordPuzzle
	Record Record
	// Version is that of the player's [Session] and grows with every change.
	Version uint64
	// Possible are the words that fit, most likely first. It is nil once the last turn is
	// all green.
	Possible []weighted.Possible
	// Contradiction is set if no word fits.
	Contradiction *Contradiction
}

// Words helps players with word puzzles, one for each player. Set its fields before the first
// call. It is safe for concurrent use.
//
// A change is committed with the words proposed before it is returned, so feedback without a
// word belongs to the word that the player was shown. A repeated request changes nothing and
// returns the puzzle as it is now.
type Words struct {
	Store  Store
	Solver *weighted.Solver
}

// Show returns the player's puzzle. It proposes and commits words first if there are none; words
// that cannot be saved at the moment are returned too. The error is [game.ErrBusy],
// [game.ErrExpired], [game.ErrID], the store's or the context's.
func (w *Words) Show(ctx context.Context, o game.Origin) (WordView, error) {
	return w.change(ctx, o, 0, nil)
}

// Peek returns the player's puzzle as it is stored, with openers if it has no turns and without
// a Contradiction. The error is the store's.
func (w *Words) Peek(ctx context.Context, player game.PlayerID) (WordView, error) {
	s, err := w.Store.Session(ctx, player)
	if err != nil {
		return WordView{}, err
	}
	if len(s.Words.Turns) == 0 {
		if opened, _, err := w.propose(ctx, s); err == nil { // openers are not needed
			s = opened
		}
	}
	return w.view(s), nil
}

// Update changes the player's puzzle by a rule, which may be called more than once.
// Seen is the version that the player saw, or 0 for any. With [ErrOutdated] or the rule's error
// comes the puzzle as it is. Other errors are those of [Words.Show].
func (w *Words) Update(ctx context.Context, o game.Origin, seen uint64, rule func(WordPuzzle) (WordPuzzle, error)) (WordView, error) {
	return w.change(ctx, o, seen, func(s Session) (Session, error) {
		p, err := rule(s.Words)
		return s.withWords(p), err
	})
}

// Begin begins a new puzzle with the same strategy. The one before counts in the record if it
// is over. Seen and the error are as for [Words.Update].
func (w *Words) Begin(ctx context.Context, o game.Origin, seen uint64, hard bool) (WordView, error) {
	return w.change(ctx, o, seen, func(s Session) (Session, error) {
		s.Words = WordPuzzle{Setup: WordSetup{Hard: hard, Strategy: s.Words.Setup.Strategy}}
		return s, nil
	})
}

func (w *Words) change(ctx context.Context, o game.Origin, seen uint64, rule func(Session) (Session, error)) (WordView, error) {
	s, err := change(ctx, w.Store, o, seen, rule, w.propose)
	if s.Player == "" { // the session is not known
		return WordView{}, err
	}
	v := w.view(s)
	switch misfits := v.Puzzle.Misfits(); {
	case len(misfits) > 0:
		v.Contradiction = &Contradiction{Misfits: misfits}
	case len(v.Possible) == 0 && v.Puzzle.Status() != game.Won:
		c := contradiction(v.Puzzle.Turns, w.Solver.Possible)
		v.Contradiction = &c
	}
	return v, err
}

// view returns the puzzle with the words that fit.
func (w *Words) view(s Session) WordView {
	v := WordView{Puzzle: s.Words, Record: s.Record, Version: s.Version}
	if !v.Puzzle.allGreen() {
		v.Possible = w.Solver.Possible(v.Puzzle.Turns)
	}
	return v
}

// propose proposes words if the puzzle goes on and has none, and reports whether it did. If no
// word fits the turns, it proposes none, without an error.
func (w *Words) propose(ctx context.Context, s Session) (Session, bool, error) {
	p := s.Words
	if p.Status() != game.Playing || p.allGreen() || len(p.Proposed) > 0 {
		return s, false, nil
	}
	p, err := w.suggest(ctx, p)
	switch {
	case errors.Is(err, optimal.ErrNothingFits), errors.Is(err, optimal.ErrNothingAllowed):
		return s, false, nil
	case err != nil:
		return s, false, err
	}
	s.Words = p
	return s, true, nil
}

// Advise returns a puzzle that is not kept, with words proposed. The error is that of
// [weighted.Solver.Suggest].
func (w *Words) Advise(ctx context.Context, p WordPuzzle) (WordView, error) {
	p, err := w.suggest(ctx, p)
	return w.view(Session{Words: p}), err
}

func (w *Words) suggest(ctx context.Context, p WordPuzzle) (WordPuzzle, error) {
	position := optimal.Position{Turns: p.Turns, Hard: p.Setup.Hard, Limit: wordle.Attempts}
	best, err := w.Solver.Suggest(ctx, position, cmp.Or(p.Setup.Strategy, optimal.Optimal), optimal.MaxSuggestions)
	if err != nil {
		return p, err
	}
	return p.propose(best), nil
}
