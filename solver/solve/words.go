package solve

import (
	"context"
	"errors"
	"slices"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/weighted"
)

// WordPuzzle is a word puzzle. Its hidden word and its guesses may be in none of our
// lists, since other puzzles have others. Its turns may contradict each other, since
// people mistype feedback; it stays until the player corrects it.
type WordPuzzle = Puzzle[wordle.Word, weighted.Suggestion, WordSetup]

// WordSetup is how a word puzzle is played.
type WordSetup struct {
	Hard bool `json:",omitzero"` // guesses must use every clue
	// Strategy is how guesses are proposed, one of [solver.StrategyNames]; empty for
	// [solver.Optimal].
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

// WordView is a word puzzle and all there is to say about it.
type WordView struct {
	Puzzle WordPuzzle
	Record Record
	// Version is that of the player's [Session]: it grows with every change.
	Version uint64
	// Possible are the words that fit, most likely first. They are not worked out once the
	// last turn is all green.
	Possible []weighted.Possible
	// Contradiction is set if no word fits.
	Contradiction *Contradiction
}

// Words helps players with word puzzles, one for each player. Its fields must be set and
// not changed afterwards; it is safe for concurrent use.
//
// Every change is committed before it is returned, along with the words proposed; only
// [Words.Show] returns words that could not be saved at the moment. So feedback without a word
// always belongs to the word that the player was shown. A repeated request changes nothing
// and returns the puzzle as it is now.
type Words struct {
	Store  Store
	Solver *weighted.Solver
}

// Show returns the player's puzzle. If no words have been proposed for it yet, that is
// done and committed first; if they cannot be saved at the moment, they are shown all the
// same. The error is [game.ErrBusy], [game.ErrExpired], [game.ErrID], the store's or the
// context's.
func (w *Words) Show(ctx context.Context, o game.Origin) (WordView, error) {
	return w.change(ctx, o, 0, nil)
}

// Peek returns the player's puzzle as it is stored: nothing is proposed but openers, which are known
// beforehand, and a contradiction is not looked into. The error is the store's.
func (w *Words) Peek(ctx context.Context, player game.PlayerID) (WordView, error) {
	s, err := w.Store.Session(ctx, player)
	if err != nil {
		return WordView{}, err
	}
	if len(s.Words.Turns) == 0 {
		if opened, _, err := w.propose(ctx, s); err == nil { // without openers, words that fit are shown
			s = opened
		}
	}
	return w.view(s), nil
}

// Update changes the player's puzzle by a rule, which may be called more than once.
// Seen is the version that the player was looking at, or 0 to change whatever there
// is. The error is [ErrOutdated] or the rule's, both with the puzzle as it is, or as
// for [Words.Show].
func (w *Words) Update(ctx context.Context, o game.Origin, seen uint64, rule func(WordPuzzle) (WordPuzzle, error)) (WordView, error) {
	return w.change(ctx, o, seen, func(s Session) (Session, error) {
		p, err := rule(s.Words)
		return s.withWords(p), err
	})
}

// Begin begins a new puzzle for the player, with the same strategy. The one before
// stays in the record if it is over, and otherwise does not count. Seen and the error
// are as for [Words.Update].
func (w *Words) Begin(ctx context.Context, o game.Origin, seen uint64, hard bool) (WordView, error) {
	return w.change(ctx, o, seen, func(s Session) (Session, error) {
		s.Words = WordPuzzle{Setup: WordSetup{Hard: hard, Strategy: s.Words.Setup.Strategy}}
		return s, nil
	})
}

func (w *Words) change(ctx context.Context, o game.Origin, seen uint64, rule func(Session) (Session, error)) (WordView, error) {
	s, err := change(ctx, w.Store, o, seen, rule, w.propose)
	if s.Player == "" { // nothing is known of the player
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

// proposedWords is how many words are proposed for a turn.
const proposedWords = 10

// propose has words proposed if the puzzle is not over and has none, and reports whether it
// did so. It does not if no word fits the turns; that is not an error.
func (w *Words) propose(ctx context.Context, s Session) (Session, bool, error) {
	p := s.Words
	if p.Status() != game.Playing || p.allGreen() || len(p.Proposed) > 0 {
		return s, false, nil
	}
	if !slices.Contains(solver.StrategyNames(), p.Setup.Strategy) {
		p.Setup.Strategy = solver.Optimal // even if this release lacks the player's strategy
	}
	position := solver.Position{Turns: p.Turns, Hard: p.Setup.Hard, Limit: wordle.Attempts}
	best, err := w.Solver.Suggest(ctx, position, p.Setup.Strategy, proposedWords)
	switch {
	case errors.Is(err, solver.ErrNothingFits), errors.Is(err, solver.ErrNothingAllowed):
		return s, false, nil
	case err != nil:
		return s, false, err
	}
	s.Words = p.propose(best)
	return s, true, nil
}
