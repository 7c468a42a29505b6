package discord

import (
	"context"
	"errors"
	"time"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/endpoint"
)

// rest answers interactions by calls to Discord's REST API. It is safe for concurrent use.
type rest struct {
	*calls.Client
	timings timings
}

// respond sends an interaction's first response, again and again as long as Discord
// accepts one.
//
// An interaction that came by HTTP is answered by the HTTP response. If that cannot be
// written, the response is sent as for one from the gateway. It is not documented that Discord
// takes it then; if it does not, nothing is lost that was not lost before.
func (a *rest) respond(ctx context.Context, i interaction, r response) error {
	if i.exchange != nil {
		if err := exchanged(ctx, i, r); !errors.Is(err, endpoint.ErrCut) {
			return err
		}
	}
	return a.Respond(ctx, i.ID, i.Token, a.until(i), i.exchange != nil && i.exchange.Unsure(), r)
}

// respondNew is respond for a new message, and returns its id; empty if Discord did not
// say, as after an HTTP response.
func (a *rest) respondNew(ctx context.Context, i interaction, r response) (string, error) {
	if i.exchange != nil {
		if err := exchanged(ctx, i, r); !errors.Is(err, endpoint.ErrCut) {
			return "", err
		}
	}
	return a.RespondNew(ctx, i.ID, i.Token, a.until(i), i.exchange != nil && i.exchange.Unsure(), r)
}

// exchanged sends the first response by the request of the interaction.
func exchanged(ctx context.Context, i interaction, r response) error {
	body, contentType, err := calls.Encode(r)
	if err != nil {
		return err
	}
	return i.exchange.Respond(ctx, body, contentType)
}

// settle waits until Discord has the first response, so that it can be edited.
func (i interaction) settle(ctx context.Context) error {
	if i.exchange == nil {
		return nil
	}
	return i.exchange.Settle(ctx)
}

// until is when Discord takes no first response any more.
func (a *rest) until(i interaction) time.Time {
	received := i.received
	if received.IsZero() {
		received = time.Now()
	}
	return received.Add(a.timings.response)
}

// edit replaces the first response by a message, with retries.
func (a *rest) edit(ctx context.Context, i interaction, m message) error {
	if err := i.settle(ctx); err != nil {
		return err
	}
	return a.EditByToken(ctx, i.AppID, i.Token, calls.Original, m)
}

// followUp sends another message, with retries, and returns its id.
func (a *rest) followUp(ctx context.Context, i interaction, m message) (id string, err error) {
	if err := i.settle(ctx); err != nil {
		return "", err
	}
	return a.FollowUp(ctx, i.AppID, i.Token, m)
}

func (a *rest) postByBot(ctx context.Context, channel string, m message) (id string, err error) {
	return a.Post(ctx, channel, m)
}

func (a *rest) editByToken(ctx context.Context, app, token, target string, m message) error {
	return a.EditByToken(ctx, app, token, target, m)
}

func (a *rest) editByBot(ctx context.Context, channel, id string, m message) error {
	return a.EditByBot(ctx, channel, id, m)
}

// deleteResponse deletes the first response, with retries.
func (a *rest) deleteResponse(ctx context.Context, i interaction) error {
	if err := i.settle(ctx); err != nil {
		return err
	}
	return a.DeleteResponse(ctx, i.AppID, i.Token)
}
