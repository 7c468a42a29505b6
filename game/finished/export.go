package finished

import (
	"context"
	"errors"
	"time"

	"fivefold/game"
)

// Export is [Store.Export] without the answers of puzzles that the player may still play, or that others are playing.
func (m *Matches) Export(ctx context.Context, player game.PlayerID, before uint64, most int) (file []byte, rest uint64, until time.Time, err error) {
	return m.Store.Export(ctx, player, before, most, func(r game.Result) (bool, error) {
		err := m.secretIn(ctx, player, r)
		if _, is := errors.AsType[*game.SecretError](err); is {
			return true, nil
		}
		return err != nil, err
	})
}
