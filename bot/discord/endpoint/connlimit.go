package endpoint

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// connLimit is a listener that limits how many connections are open. Where there would be
// one more, the one that has been silent for longest is closed: so half-open connections,
// of which anybody can make thousands, take no place from those on which Discord has sent
// something. It is safe for concurrent use.
type connLimit struct {
	net.Listener
	most int

	mu    sync.Mutex // protects the fields below, and those of limitedConn
	open  map[*limitedConn]bool
	moves int // so far
}

// limitedConn is a connection of a connLimit.
type limitedConn struct {
	net.Conn
	limit   *connLimit
	trusted bool // it has sent a request with a right signature
	busy    bool // one that is not answered yet
	moved   int  // by the count of moves, when it was last opened, trusted or idle
}

func newConnLimit(l net.Listener, most int) *connLimit {
	return &connLimit{Listener: l, most: most, open: map[*limitedConn]bool{}}
}

// Accept implements [net.Listener].
func (l *connLimit) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &limitedConn{Conn: conn, limit: l}
		l.mu.Lock()
		victim := l.victim()
		fits := len(l.open) < l.most || victim != nil
		if fits {
			delete(l.open, victim)
			l.open[c] = true
			c.move(false)
		}
		l.mu.Unlock()
		if victim != nil {
			_ = victim.Conn.Close() // it is given up, even if this fails
		}
		if fits {
			return c, nil
		}
		_ = conn.Close() // requests are being answered on all of them
	}
}

// victim returns the connection that is to be closed for another one; nil for none. It is called with mu held.
func (l *connLimit) victim() (victim *limitedConn) {
	if len(l.open) < l.most {
		return nil
	}
	for c := range l.open {
		if !c.busy && (victim == nil || victim.trusted && !c.trusted || victim.trusted == c.trusted && c.moved < victim.moved) {
			victim = c
		}
	}
	return victim
}

// move is called with mu held.
func (c *limitedConn) move(busy bool) {
	c.limit.moves++
	c.busy, c.moved = busy, c.limit.moves
}

// Close implements [net.Conn].
func (c *limitedConn) Close() error {
	c.limit.mu.Lock()
	delete(c.limit.open, c)
	c.limit.mu.Unlock()
	return c.Conn.Close()
}

// connKey is the context's key for the request's limitedConn.
type connKey struct{}

// context is for [http.Server].ConnContext.
func (l *connLimit) context(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, limited(conn))
}

// limited returns our connection, which is below TLS if there is TLS; nil if it is not ours.
func limited(conn net.Conn) *limitedConn {
	if t, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = t.NetConn()
	}
	c, _ := conn.(*limitedConn)
	return c
}

// changed is for [http.Server].ConnState.
func (l *connLimit) changed(conn net.Conn, state http.ConnState) {
	if c := limited(conn); c != nil && state == http.StateIdle {
		l.mu.Lock()
		defer l.mu.Unlock()
		c.move(false)
	}
}

// trust notes that a request with this context has a right signature: its connection stays
// open until that is answered.
func trust(ctx context.Context) {
	if c, _ := ctx.Value(connKey{}).(*limitedConn); c != nil {
		c.limit.mu.Lock()
		defer c.limit.mu.Unlock()
		c.trusted = true
		c.move(true)
	}
}
