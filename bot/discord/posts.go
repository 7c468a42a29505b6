package discord

import (
	"context"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
	"fivefold/game"
)

// posts sends messages that answer no interaction.
type posts struct{ *front }

var _ bot.Channels = posts{}

// Post implements [bot.Channels]. A picture waits for its permit as long as a call may take. Without one, or if Discord refuses
// it, its lines are posted.
func (c posts) Post(ctx context.Context, in game.ChannelID, r bot.Reply, nonce string) error {
	m := c.deliverer.Render("", interaction.Result{Reply: r, Picture: c.deliverer.Draw(ctx, nonce, r, time.Now().Add(c.deliverer.Timeout))})
	m.Nonce, m.EnforceNonce = nonce, true
	ctx, cancel := context.WithTimeout(ctx, c.deliverer.Timeout)
	defer cancel()
	_, err := c.deliverer.Calls.Post(ctx, string(in), m)
	if plain, again := m.Plainer(err, c.deliverer.Log, nonce); again {
		_, err = c.deliverer.Calls.Post(ctx, string(in), plain)
	}
	if why := calls.Refusal(err); why != "" {
		return bot.Refused(why)
	}
	return err
}
