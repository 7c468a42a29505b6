package finished

import (
	"context"
	"fmt"

	"fivefold/game"
)

// Clear makes the asking player anonymous: see [ClearRequest]. When it returns nil, that is done for good.
func (m *Matches) Clear(ctx context.Context, o game.Origin) error {
	if err := o.Check(); err != nil {
		return err
	}
	if _, err := m.Games.EndIdle(ctx, 0); err != nil { // ends closed daily puzzles first, since closed months do not change
		return err
	}
	c := ClearRequest{Player: o.Player, Request: o.Request, At: m.Games.Clock()}
	for _, rules := range m.Games.Rules {
		c.Mark = append(c.Mark, game.PuzzleSlot(rules.Kind(), o.Player, game.DailyPuzzle(m.Games.Today())))
	}
	if err := m.Store.Clear(o.ForCommit(ctx), c); err != nil {
		return fmt.Errorf("clearing a history: %w", err)
	}
	return nil
}
