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

// connection is the network connection under a session's websocket. Every read
// has a deadline, without which discordgo would wait for ever for a HELLO that
// does not come, and for minutes on a dead connection. It can be cut at any time,
// without any of the session's locks.
type connection struct {
	idle time.Duration // the longest silence: Discord acknowledges a heartbeat every 41.25 s

	mu        sync.Mutex // protects the fields below
	conn      net.Conn   // the latest one
	abandoned bool
}

var errAbandoned = errors.New("the connection was abandoned")

// dialer returns the dialer for discordgo to connect with.
func (c *connection) dialer() *websocket.Dialer {
	return &websocket.Dialer{
		Proxy:            http.ProxyFromEnvironment,
		HandshakeTimeout: 20 * time.Second,
		NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.abandoned {
				// Nothing was sent on it, so an error of closing loses nothing.
				_ = conn.Close()
				return nil, errAbandoned
			}
			c.conn = conn
			return &deadlineConn{conn, c.idle}, nil
		},
	}
}

// cut closes the connection without a close frame, so that Discord keeps the
// session for resuming. A read in progress fails.
func (c *connection) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != nil {
		// Closing a socket fails only if it is closed already.
		_ = c.conn.Close()
	}
}

// abandon cuts the connection for good: an abandoned session that is still
// connecting must not come up next to its successor.
func (c *connection) abandon() {
	c.mu.Lock()
	c.abandoned = true
	c.mu.Unlock()
	c.cut()
}

// deadlineConn is a connection on which every read has a deadline, and which is
// closed as soon as a read fails: discordgo would send close code 1000 on it, and
// Discord would then discard the session.
type deadlineConn struct {
	net.Conn
	idle time.Duration
}

func (c *deadlineConn) Read(b []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.idle)); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(b)
	if err != nil {
		// The read's error is the one to return.
		_ = c.Conn.Close()
	}
	return n, err
}
