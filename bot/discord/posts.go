package discord

import (
	"context"
	"fmt"
	"net/http"
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
	a, err := interaction.Render(interaction.Result{Reply: r}, interaction.ResponseOptions{}, &c.names)
	if err != nil {
		c.log.Error("could not show part of a post", "error", err)
	}
	a.Message.Nonce, a.Message.EnforceNonce = nonce, true
	ctx, cancel := context.WithTimeout(ctx, c.deliverer.Timeout)
	defer cancel()
	switch _, err = c.deliverer.Post(ctx, string(in), a.Message); {
	case isClosed(err):
		return fmt.Errorf("%w: %w", bot.ErrNoChannel, err)
	case calls.IsRefused(err) && !calls.IsLimited(err) && calls.FinalError(err) == nil:
		return fmt.Errorf("%w: %w", bot.ErrRefused, err)
	}
	return err
}

// isClosed reports whether the channel of a call is gone, or the bot may not do that there.
func isClosed(err error) bool {
	return calls.IsStatus(err, http.StatusNotFound) || calls.IsStatus(err, http.StatusForbidden)
}

const (
	messagesOnPage = 100 // Discord's limit
	mostPages      = 4   // that are looked through
)

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
	switch err := c.deliverer.Look(ctx, string(in), "", &channel); {
	case isClosed(err):
		return true, nil
	case err != nil || !calls.IsLater(channel.Last, after):
		return false, err
	}
	for page := range mostPages {
		var messages []struct {
			ID         string
			Components []struct {
				Components []struct {
					CustomID string `json:"custom_id"`
				}
			}
		}
		err := c.deliverer.Look(ctx, string(in), fmt.Sprintf("/messages?limit=%d&after=%s", messagesOnPage, after), &messages)
		if isClosed(err) || err == nil && page == 0 && len(messages) == 0 {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		for _, m := range messages {
			if calls.IsLater(m.ID, after) {
				after = m.ID
			}
			for _, row := range m.Components {
				for _, button := range row.Components {
					if button.CustomID == wanted {
						return true, nil
					}
				}
			}
		}
		if len(messages) < messagesOnPage {
			return false, nil
		}
	}
	return true, nil // there are too many to know
}
