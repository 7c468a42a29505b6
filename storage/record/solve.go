package record

import (
	"fmt"
	"slices"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

// EncodeSession returns the stored form of a player's session.
func EncodeSession(s solve.Session) ([]byte, error) { return Encode(s) }

// DecodeSession reads what [EncodeSession] writes. The error wraps
// [game.ErrNewer] or [game.ErrDamaged] and never contains the record.
func DecodeSession(data []byte) (solve.Session, error) {
	s, err := Decode[solve.Session](data)
	if err != nil {
		return solve.Session{}, fmt.Errorf("session: %w", err)
	}
	count := append(slices.Clone(s.Record.Distribution[:]), s.Record.Lost)
	if s.Player == "" || s.Version == 0 || slices.Min(count) < 0 || !possibleWords(s.Words) || !possibleBoard(s.Board) {
		return solve.Session{}, fmt.Errorf("session: %w", game.ErrDamaged)
	}
	return s, nil
}

// possibleWords reports whether a puzzle can have been stored. Its setup may forbid what its turns have.
func possibleWords(p solve.WordPuzzle) bool {
	for i, t := range p.Turns {
		if t.Guess == 0 || t.Feedback == wordle.AllGreen && i < len(p.Turns)-1 {
			return false
		}
	}
	return len(p.Turns) <= wordle.Attempts && !slices.ContainsFunc(p.Proposed, func(a weighted.Suggestion) bool { return a.Word == 0 })
}

// possibleBoard is possibleWords for boards, which are played again.
func possibleBoard(p solve.BoardPuzzle) bool {
	again, err := solve.BoardPuzzle{Setup: p.Setup}, error(nil)
	if p.Setup.HasDeal() {
		err = p.Setup.Deal.Validate()
	}
	for _, t := range p.Turns {
		if err == nil {
			again, err = again.Add(t)
		}
	}
	if err == nil && p.Chosen != *new(pokle.Board) {
		err = again.Allows(p.Chosen)
	}
	return err == nil && !slices.ContainsFunc(p.Proposed, func(s boards.Suggestion) bool { return again.Allows(s.Board) != nil })
}
