// Package calls makes calls to Discord's REST API, within Discord's limits and with retries. It
// knows nothing of interactions or games.
//
// discordgo makes the requests. Where it was measured to leak, client.go works around it and says
// why. Facts about Discord are from its public documentation of 2026-08, those about discordgo from
// v0.29.0.
package calls

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/sync/semaphore"
)

// Client makes calls to Discord's REST API. It is safe for concurrent use.
//
// An error is that of ctx, of Discord or of the network: [IsStatus], [IsRefused] and the others tell what it means. It never
// has the address of the call, which can contain a token.
type Client struct {
	session *discordgo.Session // never opened: it only makes requests
	queues  channelQueues
	pace    *pace
}

// Options say how to reach Discord.
type Options struct {
	Token     string        // the bot's token, without "Bot "
	BaseURL   *url.URL      // where Discord is; nil is DefaultBaseURL
	Timeout   time.Duration // of one request
	Log       *slog.Logger
	Responded func(*http.Response) // called with each response of Discord, but for its body; may be nil
	// Transport makes the requests; nil is the network.
	Transport http.RoundTripper
	// Spacing is the least time from one call by the bot's token to the next; 0 sets no limit.
	Spacing time.Duration
	// Turn gives out the turns of all processes with the token; nil for a single process. While it fails, a process spaces
	// its own calls.
	Turn func(ctx context.Context, spacing time.Duration) (time.Time, error)
}

// New returns a client. discordgo logs nothing, since its log would contain the token, and makes
// each request once.
func New(o Options) *Client {
	next := o.Transport
	if next == nil {
		next = newTransport(o.BaseURL)
	}
	return &Client{pace: &pace{Options: o, posts: semaphore.NewWeighted(ahead), turn: semaphore.NewWeighted(1)}, session: &discordgo.Session{
		Token:     "Bot " + o.Token,
		UserAgent: "DiscordBot (https://github.com/bwmarrin/discordgo, v" + discordgo.VERSION + ")",
		Client:    &http.Client{Timeout: o.Timeout, Transport: &banLimit{next: next, responded: o.Responded, log: o.Log}},
		LogLevel:  -1,
	}}
}

// Original names the first response in calls with the token of its interaction.
const Original = "@original"

// Respond sends an interaction's first response, with retries until the given time: Discord accepts none later. unsure means
// that an earlier try may have arrived; if Discord then says that the interaction is answered, it did. With wantID, Respond
// returns the id of the new message, or "" if Discord did not say.
func (c *Client) Respond(ctx context.Context, id, token string, until time.Time, unsure bool, body any, wantID bool) (message string, err error) {
	address := discordgo.EndpointInteractionResponse(id, token)
	if wantID {
		address += "?with_response=true"
	}
	var answer []byte
	t := tries{until: until, wait: minResponseRetry}
	for again := true; again; again = t.again(ctx, err) {
		answer, err = c.call(ctx, "", http.MethodPost, address, body)
		if unsure && isAlreadyAnswered(err) {
			return "", nil
		}
		unsure = unsure || !IsRefused(err)
	}
	var made struct {
		Interaction struct {
			Message string `json:"response_message_id"`
		} `json:"interaction"`
	}
	if err != nil || json.Unmarshal(answer, &made) != nil || !IsSnowflake(made.Interaction.Message) {
		return "", err
	}
	return made.Interaction.Message, nil
}

// FollowUp sends another message, with retries, and returns its id. If Discord's answer is lost, the message may come twice,
// which is better than never.
func (c *Client) FollowUp(ctx context.Context, app, token string, body any) (id string, err error) {
	answer, err := c.Retried(ctx, "", http.MethodPost, discordgo.EndpointFollowupMessage(app, token), body)
	return madeID(answer), err
}

// Post posts a message in a channel, with retries, and returns its id.
func (c *Client) Post(ctx context.Context, channel string, body any) (id string, err error) {
	answer, err := c.Retried(ctx, http.MethodPost+" "+channel, http.MethodPost, discordgo.EndpointChannelMessages(channel), body)
	return madeID(answer), err
}

// madeID returns the id of the message in Discord's answer, or "" if it has none.
func madeID(answer []byte) string {
	var made struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(answer, &made) != nil || !IsSnowflake(made.ID) {
		return ""
	}
	return made.ID
}

// EditByToken replaces the content of a message by the token of an interaction that it answers,
// with retries. The target is the message's id or Original.
func (c *Client) EditByToken(ctx context.Context, app, token, target string, body any) error {
	_, err := c.Retried(ctx, "", http.MethodPatch, discordgo.EndpointWebhookMessage(app, token, target), body)
	return err
}

// EditByBot replaces the content of a message of the bot's in a channel, with retries.
func (c *Client) EditByBot(ctx context.Context, channel, id string, body any) error {
	_, err := c.Retried(ctx, http.MethodPatch+" "+channel, http.MethodPatch, discordgo.EndpointChannelMessage(channel, id), body)
	return err
}

// MessageID returns the id of a message that answers an interaction, with retries.
func (c *Client) MessageID(ctx context.Context, app, token, target string) (id string, err error) {
	answer, err := c.Retried(ctx, "", http.MethodGet, discordgo.EndpointWebhookMessage(app, token, target), nil)
	if id = madeID(answer); err == nil && id == "" {
		err = errors.New("the answer names no message")
	}
	return id, err
}

// DeleteByToken deletes a message by the token of an interaction that it answers, with retries. The target is the
// message's id or Original. Deleting a message that is gone is not an error.
func (c *Client) DeleteByToken(ctx context.Context, app, token, target string) error {
	return c.delete(ctx, "", discordgo.EndpointWebhookMessage(app, token, target))
}

// DeleteByBot deletes a message of the bot's in a channel, with retries. Deleting a message that is gone is not an error.
func (c *Client) DeleteByBot(ctx context.Context, channel, id string) error {
	return c.delete(ctx, http.MethodDelete+" "+channel, discordgo.EndpointChannelMessage(channel, id))
}

func (c *Client) delete(ctx context.Context, queue, address string) error {
	_, err := c.Retried(ctx, queue, http.MethodDelete, address, nil)
	if IsGone(err) {
		return nil
	}
	return err
}

// Wait returns how long to wait until the bot can change a message in a channel by that method; 0 if it can now.
func (c *Client) Wait(method, channel string) time.Duration {
	return c.queues.wait(method + " " + channel)
}

// Call makes one request, with the file of a body [WithFile], and returns the body of Discord's answer.
func (c *Client) Call(ctx context.Context, method, address string, body any) ([]byte, error) {
	return c.call(ctx, "", method, address, body)
}

// Retried makes a call until it succeeds, fails for good, was tried maxTries times, or ctx ends. A call that fails may have
// arrived, so making it twice must do little harm. Calls with the same queue go one after the other, and wait while Discord
// takes no more, see [channelQueues]; "" is no queue.
func (c *Client) Retried(ctx context.Context, queue, method, address string, body any) (answer []byte, err error) {
	t := tries{wait: minRetry}
	for again := true; again; again = t.again(ctx, err) {
		answer, err = c.call(ctx, queue, method, address, body)
	}
	return answer, err
}

// call makes one request.
//
// discordgo keeps a rate-limit bucket for every address that it ever called, and
// the address of a response contains its interaction's token: each interaction
// would leave some 450 bytes behind for ever. And it holds a bucket's lock during
// the call, so edits would wait for each other. A limiter that is thrown away
// after the call does neither. Responses to interactions are exempt from the
// global rate limit.
func (c *Client) call(ctx context.Context, queue, method, address string, body any) ([]byte, error) {
	payload, contentType, err := Encode(body)
	if err != nil {
		return nil, err
	}
	var bucket *discordgo.Bucket
	if queue == "" {
		bucket = discordgo.NewRatelimiter().LockBucket("")
	} else {
		var leave func()
		if bucket, leave, err = c.queues.enter(ctx, queue); err != nil {
			return nil, err
		}
		defer leave()
	}
	if err := c.pace.wait(ctx, address, method == http.MethodPost); err != nil {
		return nil, errors.Join(err, bucket.Release(nil))
	}
	answer, err := c.session.RequestWithLockedBucket(method, address, contentType, payload, bucket, 0, discordgo.WithContext(ctx))
	return answer, WithoutAddress(err)
}
