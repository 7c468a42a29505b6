package discord

import (
	"context"
	"fmt"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
	"fivefold/game"
)

// posts are what the bot posts by itself, as no answer.
type posts struct{ *front }

var _ bot.Channels = posts{}

// Post implements [bot.Channels].
func (c posts) Post(ctx context.Context, in game.ChannelID, r bot.Reply, nonce string) error {
	m := c.deliverer.Render("", interaction.Result{Reply: r})
	m.Nonce, m.EnforceNonce = nonce, true
	ctx, cancel := context.WithTimeout(ctx, c.deliverer.Timeout)
	defer cancel()
	_, err := c.deliverer.Post(ctx, string(in), m)
	if why := calls.Refusal(err); why != "" {
		return bot.Refused(why)
	}
	return err
}

// messagesOnPage is Discord's limit, and how many messages are looked through.
const messagesOnPage = 100

// MayHavePosted implements [bot.Channels]. Discord lists no messages where the bot may not read the history.
func (c posts) MayHavePosted(ctx context.Context, in game.ChannelID, since time.Time, b bot.Button) (bool, error) {
	wanted, err := interaction.CustomID(b.Command, b.Args)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.deliverer.Timeout)
	defer cancel()
	after := calls.MadeAt(since)
	var channel struct {
		Last string `json:"last_message_id"`
	}
	err = c.deliverer.Look(ctx, string(in), "", &channel)
	if err == nil && !calls.IsLater(channel.Last, after) {
		return false, nil
	}
	var messages []struct {
		Components []struct {
			Components []struct {
				CustomID string `json:"custom_id"`
			}
		}
	}
	if err == nil {
		err = c.deliverer.Look(ctx, string(in), fmt.Sprintf("/messages?limit=%d&after=%s", messagesOnPage, after), &messages)
	}
	if err != nil || len(messages) == 0 || len(messages) == messagesOnPage { // out of sight, or in too many messages
		if calls.Refusal(err) != "" {
			err = nil
		}
		return true, err
	}
	for _, m := range messages {
		for _, row := range m.Components {
			for _, button := range row.Components {
				if button.CustomID == wanted {
					return true, nil
				}
			}
		}
	}
	return false, nil
}
