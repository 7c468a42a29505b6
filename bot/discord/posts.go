package discord

import (
	"context"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
	"fivefold/game"
)

// posts sends messages that answer no interaction.
type posts struct{ *front }

var _ bot.Channels = posts{}

// Post implements [bot.Channels].
func (c posts) Post(ctx context.Context, in game.ChannelID, r bot.Reply, nonce string) error {
	m := c.deliverer.Render("", interaction.Result{Reply: r})
	m.Nonce, m.EnforceNonce = nonce, true
	ctx, cancel := context.WithTimeout(ctx, c.deliverer.Timeout)
	defer cancel()
	_, err := c.deliverer.Calls.Post(ctx, string(in), m)
	if why := calls.Refusal(err); why != "" {
		return bot.Refused(why)
	}
	return err
}
