package matches

import (
	"context"
	"errors"

	"fivefold/game"
)

// AnswerSecret reports whether the answer of a puzzle must be kept from the public, since players may still be playing it: that
// of today's or yesterday's daily puzzle, or of a later one, started when the clock was wrong.
func (m *Manager) AnswerSecret(p game.PuzzleID) bool {
	number, daily := p.Daily()
	return daily && number >= m.Today()-1
}

// Secret returns nil if a player may know the answer of a puzzle, and otherwise a *[game.SecretError] or one of the store:
// today's daily puzzle is secret until the player has finished it, and so is yesterday's while the player can still play it.
func (m *Manager) Secret(ctx context.Context, p game.PlayerID, k game.Kind, puzzle game.PuzzleID) error {
	if !m.AnswerSecret(puzzle) {
		return nil
	}
	number, _ := puzzle.Daily()
	own, err := m.Store.Load(ctx, game.PuzzleSlot(k, p, puzzle))
	switch none := errors.Is(err, game.ErrNoMatch) || errors.Is(err, game.ErrUnreadable); {
	case errors.Is(err, game.ErrCleared), none && number < m.Today():
		return nil
	case err == nil && own.Status() == game.Playing:
		if number < m.Today() { // yesterday's can be played until today's is begun
			at, err := m.daily(ctx, game.Origin{Player: p}, k)
			if err != nil {
				return err
			}
			if at.slot.Puzzle != puzzle {
				return nil
			}
		}
		return &game.SecretError{Kind: k, Playing: true}
	case none:
		return &game.SecretError{Kind: k}
	}
	return err
}
