package finished

import (
	"context"
	"fmt"

	"fivefold/game"
)

// Delete ends what the asking player plays alone, and makes the player anonymous: see [Deletion]. When it returns nil, that is
// done for good.
func (m *Matches) Delete(ctx context.Context, o game.Origin) error {
	if err := o.Check(); err != nil {
		return err
	}
	if _, err := m.Games.EndIdle(ctx, 0); err != nil { // ends closed daily puzzles first, since closed months do not change
		return err
	}
	if err := m.Games.EndOwn(ctx, o); err != nil {
		return err
	}
	c := Deletion{Player: o.Player, Request: o.Request, At: m.Games.Clock()}
	for _, rules := range m.Games.Rules {
		c.Mark = append(c.Mark, game.PuzzleSlot(rules.Kind(), o.Player, game.DailyPuzzle(m.Games.Today())))
	}
	if err := m.Store.Delete(o.ForCommit(ctx), c); err != nil {
		return fmt.Errorf("deleting a player's data: %w", err)
	}
	return nil
}
