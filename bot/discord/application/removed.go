package application

import (
	"context"
	"slices"

	"fivefold/game"
)

// ServerRemoved is called when a server has removed the bot. What was played there is kept: the
// server may invite the bot again.
func (r Commands) ServerRemoved(ctx context.Context, guild string) {
	r.Log.Info("a server has removed the bot", "guild", guild)
	if r.Remembered == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	known, err := r.Remembered.CommandGuilds(ctx)
	if at := slices.Index(known, game.GuildID(guild)); err == nil && at >= 0 && guild != r.Guild {
		err = r.Remembered.SetCommandGuilds(ctx, slices.Delete(known, at, at+1))
	}
	if err != nil {
		r.Log.Warn("could not save that a server has removed the bot", "guild", guild, "error", err)
	}
}
