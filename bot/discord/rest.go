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
	timings timings
	lanes   lanes // of channels
}

// respond sends an interaction's first response, again and again as long as Discord
// accepts one. If an earlier try may have arrived and Discord then says that the
// interaction is answered, it did arrive.
//
// An interaction that came by HTTP is answered by the HTTP response. If that cannot be
// written, the response is sent as for one from the gateway. It is not documented that Discord
// takes it then; if it does not, nothing is lost that was not lost before.
func (a *rest) respond(ctx context.Context, i interaction, r response) error {
	if err := i.exchange.respond(ctx, r); !errors.Is(err, errCut) {
		return err
	}
	_, err := a.callback(ctx, i, r, "")
	return err
}

// respondNew is respond for a new message, and returns its id; empty if Discord did not
// say, as after an HTTP response.
func (a *rest) respondNew(ctx context.Context, i interaction, r response) (string, error) {
	if err := i.exchange.respond(ctx, r); !errors.Is(err, errCut) {
		return "", err
	}
	answer, err := a.callback(ctx, i, r, "?with_response=true")
	var made struct {
		Interaction struct {
			Message string `json:"response_message_id"`
		} `json:"interaction"`
	}
	if err != nil || json.Unmarshal(answer, &made) != nil || !isSnowflake(made.Interaction.Message) {
		return "", err
	}
	return made.Interaction.Message, nil
}

func (a *rest) callback(ctx context.Context, i interaction, r response, query string) (answer []byte, err error) {
	received := i.received
	if received.IsZero() {
		received = time.Now()
	}
	unsure := i.exchange != nil && i.exchange.unsure // an earlier try may have arrived
	err = retryResponse(ctx, received.Add(a.timings.response), func() error {
		var err error
		answer, err = a.call(ctx, http.MethodPost, discordgo.EndpointInteractionResponse(i.ID, i.Token)+query, r)
		if unsure && isAlreadyAnswered(err) {
			return nil
		}
		unsure = unsure || !isRefused(err)
		return err
	})
	return answer, err
}

// edit replaces the first response by a message, with retries.
func (a *rest) edit(ctx context.Context, i interaction, m message) error {
	if err := i.exchange.arrived(ctx); err != nil {
		return err
	}
	return a.patch(ctx, discordgo.EndpointInteractionResponseActions(i.AppID, i.Token), m, a.call)
}

// followUp sends another message, with retries, and returns its id: a message that comes
// twice, because Discord's answer to the first was lost, is better than none.
func (a *rest) followUp(ctx context.Context, i interaction, m message) (id string, err error) {
	if err := i.exchange.arrived(ctx); err != nil {
		return "", err
	}
	return a.post(ctx, discordgo.EndpointFollowupMessage(i.AppID, i.Token), m, a.call)
}

// postByBot posts a message in a channel, as no answer to anything, with retries.
func (a *rest) postByBot(ctx context.Context, channel string, m message) (id string, err error) {
	return a.post(ctx, discordgo.EndpointChannelMessages(channel), m, a.callIn(channel))
}

// caller makes one request.
type caller func(ctx context.Context, method, address string, body any) ([]byte, error)

// post sends a new message, with retries, and returns its id; empty if Discord did not say.
func (a *rest) post(ctx context.Context, address string, m message, call caller) (id string, err error) {
	err = retry(ctx, func() error {
		answer, err := call(ctx, http.MethodPost, address, m)
		var made struct {
			ID string `json:"id"`
		}
		if err == nil && json.Unmarshal(answer, &made) == nil && isSnowflake(made.ID) {
			id = made.ID
		}
		return err
	})
	return id, err
}

// editByToken replaces the content of a message by the token of an interaction that it answers,
// with retries. The target is the message's id or, for the first response, "@original".
func (a *rest) editByToken(ctx context.Context, app, token, target string, m message) error {
	return a.patch(ctx, discordgo.EndpointWebhookMessage(app, token, target), m, a.call)
}

// idByToken returns the id of a message that answers an interaction, with retries.
func (a *rest) idByToken(ctx context.Context, app, token, target string) (id string, err error) {
	var answer []byte
	err = retry(ctx, func() (err error) {
		answer, err = a.call(ctx, http.MethodGet, discordgo.EndpointWebhookMessage(app, token, target), nil)
		return err
	})
	var found struct {
		ID string `json:"id"`
	}
	if err == nil && (json.Unmarshal(answer, &found) != nil || !isSnowflake(found.ID)) {
		err = errors.New("the answer names no message")
	}
	return found.ID, err
}

// editByBot replaces the content of a message of the bot's in a channel, with retries.
func (a *rest) editByBot(ctx context.Context, channel, id string, m message) error {
	return a.patch(ctx, discordgo.EndpointChannelMessage(channel, id), m, a.callIn(channel))
}

// botEditWait returns how long to wait until the bot can edit a message in a channel, and that
// many more; 0 if it can now.
func (a *rest) botEditWait(channel string, more int) time.Duration {
	return a.lanes.wait(http.MethodPatch+" "+channel, more)
}

func (a *rest) patch(ctx context.Context, address string, m message, call caller) error {
	return retry(ctx, func() error {
		_, err := call(ctx, http.MethodPatch, address, m)
		return err
	})
}

// deleteResponse deletes the first response, with retries. That a retry does not
// find it is no error.
func (a *rest) deleteResponse(ctx context.Context, i interaction) error {
	if err := i.exchange.arrived(ctx); err != nil {
		return err
	}
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
	return a.callWith(ctx, discordgo.NewRatelimiter().LockBucket(""), method, address, body)
}

// callIn returns call for what the bot does by itself in a channel: see [lanes].
func (a *rest) callIn(channel string) caller {
	return func(ctx context.Context, method, address string, body any) ([]byte, error) {
		bucket, leave, err := a.lanes.enter(ctx, method+" "+channel)
		if err != nil {
			return nil, err
		}
		defer leave()
		return a.callWith(ctx, bucket, method, address, body)
	}
}

// callWith is call with a bucket of the caller's, which is locked and will be unlocked.
func (a *rest) callWith(ctx context.Context, bucket *discordgo.Bucket, method, address string, body any) ([]byte, error) {
	payload, contentType, err := encode(body)
	if err != nil {
		return nil, errors.Join(err, bucket.Release(nil))
	}
	answer, err := a.session.RequestWithLockedBucket(method, address, contentType, payload, bucket, 0, discordgo.WithContext(ctx))
	return answer, withoutAddress(err)
}

// encode returns the body of a request or response and its type, with the picture, if any.
// Nil has an empty body.
func encode(body any) (payload []byte, contentType string, err error) {
	contentType = "application/json"
	if body == nil {
		return nil, contentType, nil
	}
	if payload, err = json.Marshal(body); err != nil {
		return nil, "", err
	}
	if p := pictureOf(body); p != nil {
		return p.multipartBody(payload)
	}
	return payload, contentType, nil
}
