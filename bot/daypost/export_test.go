package daypost

import (
	"context"

	"fivefold/bot"
	"fivefold/game"
)

// Awards returns the awards of a month as text.
func (h *Handlers) Awards(ctx context.Context, guild game.GuildID, month string) (string, error) {
	reply, err := h.awards(ctx, guild, month, bot.Reply{})
	return reply.String(), err
}
