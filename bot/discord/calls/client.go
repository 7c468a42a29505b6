// Package calls makes calls to Discord's REST API, within Discord's limits (limits.go) and with retries (retry.go). It knows
// nothing of interactions or games.
//
// It doesn't make them with discordgo, which keeps some memory for ever for each interaction, lets edits wait for each other,
// and sleeps without regard to a context. Facts about Discord are from its public documentation of 2026-08.
package calls

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
)

// Client makes calls to Discord's REST API. It is safe for concurrent use.
//
// Its errors are those of ctx, of the network, or an [Error]: [IsStatus], [IsRefused] and the others tell what they mean.
// They never contain the address of the call, which can contain a token.
type Client struct {
	options Options
	http    *http.Client
	base    string // the address of Discord, with a slash at its end
	limits  limits
}

// Options say how to reach Discord.
type Options struct {
	Token     string        // the bot's token, without "Bot "
	BaseURL   *url.URL      // where Discord is; nil is DefaultBaseURL
	Timeout   time.Duration // of one request
	Log       *slog.Logger
	Responded func(*http.Response) // called with each response of Discord, whose body it must not read; may be nil
	// Transport makes the requests; nil is the network.
	Transport http.RoundTripper
	// Spacing is the least time from one call by the bot's token to the next; 0 sets no limit.
	Spacing time.Duration
}

// DefaultBaseURL is where Discord is.
const DefaultBaseURL = "https://discord.com/"

// New returns a client.
func New(o Options) *Client {
	c := &Client{options: o, base: DefaultBaseURL, limits: limits{log: o.Log, spacing: o.Spacing, queues: map[string]*queue{}}}
	if o.BaseURL != nil {
		c.base = strings.TrimSuffix(o.BaseURL.String(), "/") + "/"
	}
	if o.Transport == nil {
		network := http.DefaultTransport.(*http.Transport).Clone()
		network.MaxIdleConnsPerHost = 64 // answers come in bursts; two, the default, would mean a handshake for most
		o.Transport = network
	}
	c.http = &http.Client{Timeout: o.Timeout, Transport: o.Transport}
	return c
}

// Original names the first response in calls with the token of its interaction.
const Original = "@original"

// Respond sends an interaction's first response, with retries until the given time: Discord accepts none later. unsure means
// that an earlier try may have arrived. If Discord then says that the interaction is answered, that try did. With wantID,
// Respond returns the id of the new message, or "" if Discord did not say.
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

// StartThread starts a public thread on a message, with retries, that hides after a day without messages. It returns nil if the
// message has a thread.
func (c *Client) StartThread(ctx context.Context, channel, message, name string) error {
	body := map[string]any{"name": name, "auto_archive_duration": 24 * 60}
	_, err := c.Retried(ctx, "", http.MethodPost, discordgo.EndpointChannelMessageThread(channel, message), body)
	if isCode(err, discordgo.ErrCodeThreadAlreadyCreatedForThisMessage) { // by an earlier try
		return nil
	}
	return err
}

// OpenDirect returns the channel of the bot's direct messages with a user, with retries.
func (c *Client) OpenDirect(ctx context.Context, user string) (channel string, err error) {
	answer, err := c.Retried(ctx, "", http.MethodPost, discordgo.EndpointUserChannels("@me"), map[string]string{"recipient_id": user})
	return madeID(answer), err
}

// madeID returns the id of what was made, in Discord's answer, or "" if it has none.
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
	return c.limits.queueWait(method + " " + channel)
}

// Call makes one request, with the file of a body [WithFile], and returns the body of Discord's answer.
func (c *Client) Call(ctx context.Context, method, address string, body any) ([]byte, error) {
	return c.call(ctx, "", method, address, body)
}

// Retried makes a call until it succeeds, fails for good, was tried maxTries times, or ctx ends. A call that fails may have
// arrived, so making it twice must do little harm. Calls with the same queue go one after the other, and wait while Discord
// takes no more; "" is no queue.
func (c *Client) Retried(ctx context.Context, queue, method, address string, body any) (answer []byte, err error) {
	t := tries{wait: minRetry}
	for again := true; again; again = t.again(ctx, err) {
		answer, err = c.call(ctx, queue, method, address, body)
	}
	return answer, err
}

// call makes one request to an address of discordgo's.
func (c *Client) call(ctx context.Context, queue, method, address string, body any) (answer []byte, err error) {
	payload, contentType, err := Encode(body)
	if err != nil {
		return nil, err
	}
	byInteraction := strings.HasPrefix(address, discordgo.EndpointAPI+"interactions/") || strings.HasPrefix(address, discordgo.EndpointWebhooks)
	leave, err := c.limits.enter(ctx, queue, !byInteraction)
	if err != nil {
		return nil, err
	}
	var header http.Header
	defer func() { leave(header, err) }()
	r, err := http.NewRequestWithContext(ctx, method, c.base+strings.TrimPrefix(address, DefaultBaseURL), bytes.NewReader(payload))
	if err != nil {
		return nil, withoutAddress(err)
	}
	r.Header.Set("Authorization", "Bot "+c.options.Token)
	r.Header.Set("User-Agent", "DiscordBot (https://github.com/bwmarrin/discordgo, "+discordgo.VERSION+")")
	if len(payload) > 0 {
		r.Header.Set("Content-Type", contentType)
	}
	response, err := c.http.Do(r)
	if err != nil {
		return nil, withoutAddress(err)
	}
	defer response.Body.Close()
	if c.options.Responded != nil {
		c.options.Responded(response)
	}
	header = response.Header
	answer, err = io.ReadAll(response.Body)
	if response.StatusCode >= 300 {
		err = newError(response.StatusCode, answer)
	}
	return answer, err
}

// withoutAddress removes the address from an error, since it can contain a token.
func withoutAddress(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}
