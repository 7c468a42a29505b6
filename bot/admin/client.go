package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// ErrNobody means that no bot listens on the address.
var ErrNobody = errors.New("no bot answers there")

// Client asks the bot that listens on an address. It is safe for concurrent use.
type Client struct {
	address Address
	http    *http.Client
}

// NewClient returns a client; it does not connect yet.
func NewClient(a Address) *Client {
	return &Client{a, &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, a.network, a.address)
		},
	}}}
}

// Healthy returns nil if the bot works, else [ErrNobody] or the bot's reason.
func (c *Client) Healthy(ctx context.Context) error { return c.ask(ctx, "/healthz") }

// Ready returns nil if the bot can serve players, else [ErrNobody] or the bot's reason.
func (c *Client) Ready(ctx context.Context) error { return c.ask(ctx, "/readyz") }

// askTimeout is the longest wait for an answer of the running bot.
const askTimeout = 10 * time.Second

func (c *Client) ask(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	return c.get(ctx, path, io.Discard)
}

// Backup writes a copy of the bot's store to w. It returns an error if any of the copy is missing.
func (c *Client) Backup(ctx context.Context, w io.Writer) error { return c.get(ctx, "/backup", w) }

// get writes an answer of status 200 to w. Any other status becomes an error.
func (c *Client) get(ctx context.Context, path string, w io.Writer) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://fivefold"+path, nil)
	if err != nil {
		return err
	}
	answer, err := c.http.Do(r)
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return fmt.Errorf("%s: %w", c.address, ErrNobody)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.address, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK {
		if n, err := io.Copy(w, answer.Body); err != nil {
			return fmt.Errorf("%s: the answer was cut after %d bytes: %w", c.address, n, err)
		}
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<12))
	return errors.Join(err, errors.New(strings.TrimSpace(string(text))))
}
