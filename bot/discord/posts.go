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
func (c posts) Post(ctx context.Context, in game.ChannelID, r bot.Reply, nonce string) (message string, err error) {
	m := c.deliverer.Render("", interaction.Result{Reply: r, Picture: c.deliverer.Draw(ctx, nonce, r, time.Now().Add(c.deliverer.Timeout))})
	m.Nonce, m.EnforceNonce = nonce, true
	ctx, cancel := context.WithTimeout(ctx, c.deliverer.Timeout)
	defer cancel()
	message, err = c.deliverer.Calls.Post(ctx, string(in), m)
	if plain, again := m.Plainer(err, c.deliverer.Log, nonce); again {
		message, err = c.deliverer.Calls.Post(ctx, string(in), plain)
	}
	return message, refused(err)
}

// Thread implements [bot.Channels].
func (c posts) Thread(ctx context.Context, in game.ChannelID, message, name string) error {
	ctx, cancel := context.WithTimeout(ctx, c.deliverer.Timeout)
	defer cancel()
	return refused(c.deliverer.Calls.StartThread(ctx, string(in), message, name))
}

// HasRole implements [bot.Channels].
func (c posts) HasRole(ctx context.Context, g game.GuildID, r game.RoleID) (bool, error) {
	return c.access.HasRole(ctx, g, r)
}

// Direct implements [bot.Channels].
func (c posts) Direct(ctx context.Context, to game.PlayerID, r bot.Reply, nonce string) error {
	calling, cancel := context.WithTimeout(ctx, c.deliverer.Timeout)
	defer cancel()
	in, err := c.deliverer.Calls.OpenDirect(calling, string(to))
	if err == nil {
		_, err = c.Post(ctx, game.ChannelID(in), r, nonce)
	}
	return refused(err)
}

// refused returns err as [bot.Refused] if Discord refused a call for good.
func refused(err error) error {
	if why := calls.Refusal(err); why != "" {
		return bot.Refused(why)
	}
	return err
}
