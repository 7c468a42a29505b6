package preferences

import (
	"context"
	"fmt"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/storage/record"
)

// Records keeps choices as bytes; nil stands for no choice, and removes one. It is safe for concurrent use, and an acknowledged
// choice outlives a loss of power. [finished.Store.Delete] removes a player's look.
type Records interface {
	PlayerLook(ctx context.Context, player game.PlayerID) ([]byte, error)
	SetPlayerLook(ctx context.Context, player game.PlayerID, look []byte) error
}

// Store keeps choices in records. The error for an unreadable record wraps [game.ErrDamaged]; setting the look
// repairs it.
type Store struct{ Records }

// choice is the stored choice of a player. The numbers of colours and shapes must not change.
type choice struct {
	Look bot.Look `json:",omitzero"`
}

// read reads a choice; nil is the zero choice.
func read(data []byte, err error) (c choice, _ error) {
	if err != nil || data == nil {
		return c, err
	}
	c, err = record.Decode[choice](data)
	if err == nil && (int(c.Look.Colours) >= len(colourNames) || int(c.Look.Shapes) >= len(shapeNames)) {
		err = game.ErrDamaged
	}
	if err != nil {
		return choice{}, fmt.Errorf("preferences: %w", err)
	}
	return c, nil
}

func (c choice) bytes() []byte {
	if c == (choice{}) {
		return nil
	}
	data, _ := record.Encode(c) // numbers can be written
	return data
}

// PlayerLook returns a player's choice, or the zero Look.
func (s Store) PlayerLook(ctx context.Context, player game.PlayerID) (bot.Look, error) {
	r, err := read(s.Records.PlayerLook(ctx, player))
	return r.Look, err
}

// SetPlayerLook replaces a player's choice.
func (s Store) SetPlayerLook(ctx context.Context, player game.PlayerID, l bot.Look) error {
	return s.Records.SetPlayerLook(ctx, player, choice{Look: l}.bytes())
}
