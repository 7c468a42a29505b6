package matches

import (
	"context"
	"errors"

	"fivefold/game"
)

// AnswerSecret reports whether players may still be playing a puzzle, so that its answer must not become public. That is so for
// the daily puzzles of today and yesterday, and for a later one, started when the clock was wrong.
func (m *Manager) AnswerSecret(p game.PuzzleID) bool {
	number, daily := p.Daily()
	return daily && number >= m.Today()-1
}

// Secret returns nil if a player may know the answer of a puzzle. Otherwise the error is a *[game.SecretError] or one of the
// store. Today's daily puzzle is secret until the player has finished it, yesterday's only while the player can still play it.
func (m *Manager) Secret(ctx context.Context, p game.PlayerID, k game.Kind, puzzle game.PuzzleID) error {
	if !m.AnswerSecret(puzzle) {
		return nil
	}
	number, _ := puzzle.Daily()
	own, err := m.Store.Load(ctx, game.PuzzleSlot(k, p, puzzle))
	switch none := errors.Is(err, game.ErrNoMatch) || errors.Is(err, game.ErrUnreadable); {
	case errors.Is(err, game.ErrDeleted), none && number < m.Today():
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
