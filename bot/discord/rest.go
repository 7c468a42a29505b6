package discord

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"
)

// rest makes calls to Discord's REST API. It is safe for concurrent use.
type rest struct {
	session *discordgo.Session // never opened: it only makes requests
}

// respond sends an interaction's first response, again and again as long as Discord
// accepts one. If an earlier try may have arrived and Discord then says that the
// interaction is answered, it did arrive.
func (a *rest) respond(ctx context.Context, i interaction, r response) error {
	received := i.received
	if received.IsZero() {
		received = time.Now()
	}
	unsure := false // an earlier try may have arrived
	return retryResponse(ctx, received.Add(firstResponseWithin), func() error {
		_, err := a.call(ctx, http.MethodPost, discordgo.EndpointInteractionResponse(i.ID, i.Token), r)
		if unsure && isAlreadyAnswered(err) {
			return nil
		}
		unsure = unsure || !isRefused(err)
		return err
	})
}

// edit replaces the first response by a message, with retries.
func (a *rest) edit(ctx context.Context, i interaction, m message) error {
	return retry(ctx, func() error {
		_, err := a.call(ctx, http.MethodPatch, discordgo.EndpointInteractionResponseActions(i.AppID, i.Token), m)
		return err
	})
}

// followUp sends another message, with retries: after a button was pressed, a
// message that comes twice, because Discord's answer to the first was lost, is
// better than none.
func (a *rest) followUp(ctx context.Context, i interaction, m message) error {
	return retry(ctx, func() error {
		_, err := a.call(ctx, http.MethodPost, discordgo.EndpointFollowupMessage(i.AppID, i.Token), m)
		return err
	})
}

// deleteResponse deletes the first response, with retries. That a retry does not
// find it is no error.
func (a *rest) deleteResponse(ctx context.Context, i interaction) error {
	tried := false
	return retry(ctx, func() error {
		_, err := a.call(ctx, http.MethodDelete, discordgo.EndpointInteractionResponseActions(i.AppID, i.Token), nil)
		if tried && isStatus(err, http.StatusNotFound) {
			return nil
		}
		tried = true
		return err
	})
}

// limits asks what Discord says about connecting to its gateway.
func (a *rest) limits(ctx context.Context) (limits, error) {
	body, err := a.call(ctx, http.MethodGet, discordgo.EndpointGatewayBot, nil)
	if err != nil {
		return limits{}, err
	}
	return readLimits(body)
}

// call makes one request, with the picture in the body, if any.
//
// discordgo keeps a rate-limit bucket for every address that it ever called, and
// the address of a response contains its interaction's token: each interaction
// would leave some 450 bytes behind for ever. And it holds a bucket's lock during
// the call, so edits would wait for each other. A limiter that is thrown away
// after the call does neither. Responses to interactions are exempt from the
// global rate limit.
func (a *rest) call(ctx context.Context, method, address string, body any) ([]byte, error) {
	return a.callIn(ctx, discordgo.NewRatelimiter().LockBucket(""), method, address, body)
}

// callIn is call with a bucket of the caller's, which is locked and will be unlocked.
func (a *rest) callIn(ctx context.Context, bucket *discordgo.Bucket, method, address string, body any) ([]byte, error) {
	var payload []byte
	if body != nil {
		var err error
		if payload, err = json.Marshal(body); err != nil {
			return nil, errors.Join(err, bucket.Release(nil))
		}
	}
	contentType := "application/json"
	if p := pictureOf(body); p != nil {
		var err error
		if payload, contentType, err = p.multipartBody(payload); err != nil {
			return nil, errors.Join(err, bucket.Release(nil))
		}
	}
	answer, err := a.session.RequestWithLockedBucket(method, address, contentType, payload, bucket, 0, discordgo.WithContext(ctx))
	return answer, withoutAddress(err)
}
