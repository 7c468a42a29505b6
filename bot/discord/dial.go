package discord

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// line is the network connection under a session's websocket. Every read has a
// deadline, without which discordgo waits for ever for a HELLO that does not
// come, and minutes on a line that is dead; and it can be cut at any time, which
// needs none of the session's locks.
type line struct {
	idle time.Duration // the longest silence: Discord answers a heartbeat every 41.25 s

	mu    sync.Mutex // protects the fields below
	conn  net.Conn   // the latest one
	ended bool
}

var errEnded = errors.New("the line was given up")

// dialer returns a dialer whose connections are this line's.
func (l *line) dialer() *websocket.Dialer {
	return &websocket.Dialer{
		Proxy:            http.ProxyFromEnvironment,
		HandshakeTimeout: 20 * time.Second,
		NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.ended {
				// Closing what nobody has used yet loses nothing.
				_ = conn.Close()
				return nil, errEnded
			}
			l.conn = conn
			return &impatient{conn, l.idle}, nil
		},
	}
}

// cut ends the connection without a word, so that Discord keeps the session for
// resuming. A read in progress fails.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		// Closing a socket fails only where it is closed already.
		_ = l.conn.Close()
	}
}

// end cuts the connection for good: a session that is left behind while it still
// connects must not come up beside its successor.
func (l *line) end() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	l.cut()
}

// impatient is a connection on which every read has the same deadline, and which
// is closed when one fails: discordgo would say goodbye with 1000, which throws
// the session away where it still arrives.
type impatient struct {
	net.Conn
	idle time.Duration
}

func (c *impatient) Read(b []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.idle)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(b)
	if err != nil {
		// The connection failed already; that is the error to return.
		_ = c.Conn.Close()
	}
	return n, err
}
