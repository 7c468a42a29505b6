// Package calls makes calls to Discord's REST API, within Discord's limits and with retries. It
// knows nothing of interactions or games. Facts about Discord are from its public documentation of 2026-08.
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
)

// DefaultBaseURL is where Discord is.
const DefaultBaseURL = "https://discord.com/"

// APIVersion is the version of Discord's API that is used, also over the gateway.
const APIVersion = "9"

// Client makes calls to Discord's REST API. What it calls a path is what follows the version in an address, such as
// "gateway/bot". It is safe for concurrent use.
type Client struct {
	base   string // of all addresses
	token  string // as the header has it
	http   http.Client
	limit  banLimit
	queues channelQueues
}

// Options say how to reach Discord.
type Options struct {
	Token     string        // the bot's token, without "Bot "
	BaseURL   *url.URL      // where Discord is; nil is DefaultBaseURL
	Timeout   time.Duration // of one request
	Log       *slog.Logger
	Responded func(status int) // called with the status of each response of Discord; may be nil
	// Transport makes the requests; nil is the network.
	Transport http.RoundTripper
}

// New returns a client.
func New(o Options) *Client {
	if o.Transport == nil {
		network := http.DefaultTransport.(*http.Transport).Clone()
		network.MaxIdleConnsPerHost = 64 // answers come in bursts; two, the default, would mean a handshake for most
		o.Transport = network
	}
	base := DefaultBaseURL
	if o.BaseURL != nil {
		base = strings.TrimSuffix(o.BaseURL.String(), "/") + "/"
	}
	return &Client{
		base: base + "api/v" + APIVersion + "/", token: "Bot " + o.Token,
		http:  http.Client{Timeout: o.Timeout, Transport: o.Transport},
		limit: banLimit{responded: o.Responded, log: o.Log},
	}
}

// Original names the first response in calls with the token of its interaction.
const Original = "@original"

// Respond sends an interaction's first response, again and again until a time: Discord accepts
// none later. If an earlier try may have arrived, as unsure says of those before the call, and
// Discord then says that the interaction is answered, it did arrive. With wantID it returns the id of
// the new message; empty if Discord did not say.
func (c *Client) Respond(ctx context.Context, id, token string, until time.Time, unsure bool, body any, wantID bool) (message string, err error) {
	path := "interactions/" + id + "/" + token + "/callback"
	if wantID {
		path += "?with_response=true"
	}
	var answer []byte
	t := tries{until: until, wait: minResponseRetry}
	for again := true; again; again = t.again(ctx, err) {
		answer, err = c.call(ctx, "", http.MethodPost, path, body)
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

// FollowUp sends another message, with retries, and returns its id: a message that comes twice,
// because Discord's answer to the first was lost, is better than none.
func (c *Client) FollowUp(ctx context.Context, app, token string, body any) (id string, err error) {
	answer, err := c.Retried(ctx, "", http.MethodPost, "webhooks/"+app+"/"+token, body)
	return madeID(answer), err
}

// Post posts a message in a channel, as no answer to anything, with retries, and returns its id.
func (c *Client) Post(ctx context.Context, channel string, body any) (id string, err error) {
	answer, err := c.Retried(ctx, http.MethodPost+" "+channel, http.MethodPost, "channels/"+channel+"/messages", body)
	return madeID(answer), err
}

// madeID is the id of a message that Discord returns; empty if it does not.
func madeID(answer []byte) string {
	var made struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(answer, &made) != nil || !IsSnowflake(made.ID) {
		return ""
	}
	return made.ID
}

// Look reads what an address below a channel's says, with retries.
func (c *Client) Look(ctx context.Context, channel, below string, into any) error {
	answer, err := c.Retried(ctx, http.MethodGet+" "+channel, http.MethodGet, "channels/"+channel+below, nil)
	if err != nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

// EditByToken replaces the content of a message by the token of an interaction that it answers,
// with retries. The target is the message's id or Original.
func (c *Client) EditByToken(ctx context.Context, app, token, target string, body any) error {
	_, err := c.Retried(ctx, "", http.MethodPatch, "webhooks/"+app+"/"+token+"/messages/"+target, body)
	return err
}

// EditByBot replaces the content of a message of the bot's in a channel, with retries.
func (c *Client) EditByBot(ctx context.Context, channel, id string, body any) error {
	_, err := c.Retried(ctx, http.MethodPatch+" "+channel, http.MethodPatch, "channels/"+channel+"/messages/"+id, body)
	return err
}

// MessageID returns the id of a message that answers an interaction, with retries.
func (c *Client) MessageID(ctx context.Context, app, token, target string) (id string, err error) {
	answer, err := c.Retried(ctx, "", http.MethodGet, "webhooks/"+app+"/"+token+"/messages/"+target, nil)
	if id = madeID(answer); err == nil && id == "" {
		err = errors.New("the answer names no message")
	}
	return id, err
}

// DeleteResponse deletes the first response, with retries. That a retry does not find it is no
// error.
func (c *Client) DeleteResponse(ctx context.Context, app, token string) (err error) {
	t := tries{wait: minRetry}
	for again := true; again; again = t.again(ctx, err) {
		_, err = c.call(ctx, "", http.MethodDelete, "webhooks/"+app+"/"+token+"/messages/"+Original, nil)
		if t.n > 0 && IsStatus(err, http.StatusNotFound) {
			return nil
		}
	}
	return err
}

// EditWait returns how long to wait until the bot can edit a message in a channel, and that many
// more; 0 if it can now.
func (c *Client) EditWait(channel string, more int) time.Duration {
	return c.queues.wait(http.MethodPatch+" "+channel, more)
}

// Call makes one request, with the file of the body, if any: see [WithFile].
func (c *Client) Call(ctx context.Context, method, path string, body any) ([]byte, error) {
	return c.call(ctx, "", method, path, body)
}

// Retried makes a call until it succeeds, fails for good, was tried maxTries times, or ctx ends. Making the
// call twice must do little harm: a call that fails may have arrived. Calls with the same queue go one after
// the other, and wait while Discord takes no more: see [channelQueues]. It is empty for what needs no queue.
func (c *Client) Retried(ctx context.Context, queue, method, path string, body any) (answer []byte, err error) {
	t := tries{wait: minRetry}
	for again := true; again; again = t.again(ctx, err) {
		answer, err = c.call(ctx, queue, method, path, body)
	}
	return answer, err
}

// call makes one request.
func (c *Client) call(ctx context.Context, queue, method, path string, body any) ([]byte, error) {
	payload, contentType, err := Encode(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(payload))
	if err != nil {
		return nil, WithoutAddress(err)
	}
	request.Header.Set("Authorization", c.token)
	request.Header.Set("User-Agent", "DiscordBot (fivefold, 1)")
	if body != nil { // Discord refuses a type without content
		request.Header.Set("Content-Type", contentType)
	}
	var q *channelQueue
	if queue != "" {
		if q, err = c.queues.enter(ctx, queue); err != nil {
			return nil, err
		}
		defer c.queues.leave(q)
	}
	if err := c.limit.wait(ctx); err != nil {
		return nil, err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, WithoutAddress(err)
	}
	defer response.Body.Close()
	c.limit.saw(response)
	q.saw(response.Header)
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = newError(response.StatusCode, answer)
	}
	return answer, err
}
