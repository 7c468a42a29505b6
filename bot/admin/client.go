package admin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"io/fs"
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

// Healthy returns nil if the bot works, [ErrNobody], or what is wrong.
func (c *Client) Healthy(ctx context.Context) error { return c.ask(ctx, "/healthz") }

// Ready returns nil if the bot can serve players, [ErrNobody], or what is wrong.
func (c *Client) Ready(ctx context.Context) error { return c.ask(ctx, "/readyz") }

// askTimeout is how long the running bot may take to say how it is.
const askTimeout = 10 * time.Second

func (c *Client) ask(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	answer, err := c.get(ctx, path)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// Backup writes a copy of the bot's store to w, and returns its size. It returns an error if
// any of the copy is missing or wrong.
func (c *Client) Backup(ctx context.Context, w io.Writer) (int64, error) {
	answer, err := c.get(ctx, "/backup")
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum), answer.Body)
	switch {
	case err != nil:
		return n, fmt.Errorf("the copy was cut after %d bytes: %w", n, err)
	case answer.Trailer.Get(bytesTrailer) != fmt.Sprint(n):
		return n, fmt.Errorf("the copy has %d bytes where the bot sent %q", n, answer.Trailer.Get(bytesTrailer))
	case answer.Trailer.Get(sumTrailer) != hex.EncodeToString(sum.Sum(nil)):
		return n, errors.New("the copy's checksum is wrong")
	}
	return n, nil
}

// get returns an answer of status 200, whose body must be closed. Any other becomes an
// error.
func (c *Client) get(ctx context.Context, path string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://fivefold"+path, nil)
	if err != nil {
		return nil, err
	}
	answer, err := c.http.Do(r)
	switch {
	case errors.Is(err, connectionRefused), errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", c.address, ErrNobody)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", c.address, plain(err))
	case answer.StatusCode == http.StatusOK:
		return answer, nil
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<12))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.address, err)
	}
	return nil, errors.New(strings.TrimSpace(string(text)))
}
