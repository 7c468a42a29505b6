// Package preferences answers the commands with which players choose how replies look, and
// servers how games are played there.
package preferences

import (
	"context"

	"fivefold/bot"
	"fivefold/game"
)

// Store keeps what was chosen. It is safe for concurrent use, and what it has acknowledged
// outlives a loss of power.
type Store interface {
	// PlayerLook returns what a player has chosen, the zero Look for nothing. An error for
	// a record that cannot be read wraps [game.ErrDamaged]; setting the look repairs it.
	PlayerLook(ctx context.Context, player game.PlayerID) (bot.Look, error)
	// SetPlayerLook replaces what a player has chosen. [game.Store.Clear] removes it.
	SetPlayerLook(ctx context.Context, player game.PlayerID, look bot.Look) error
	// ServerPreferences returns what a server has chosen, the zero Server for nothing. Errors
	// are those of PlayerLook.
	ServerPreferences(ctx context.Context, guild game.GuildID) (Server, error)
	// SetServerPreferences replaces what a server has chosen.
	SetServerPreferences(ctx context.Context, guild game.GuildID, s Server) error
}
