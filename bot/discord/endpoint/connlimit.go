package endpoint

import (
	"container/list"
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
	count int
	// strangers are connections that have never sent a request with a right signature, idle those
	// that wait for another one; in each list, the longest silent comes first. Strangers are
	// closed first.
	strangers, idle list.List
}

// limitedConn is a connection of a connLimit.
type limitedConn struct {
	net.Conn
	limit *connLimit

	in      *list.List    // the list that it is in; nil for none
	at      *list.Element // its place there
	trusted bool          // it has sent a request with a right signature
	closed  bool
}

func newConnLimit(l net.Listener, most int) *connLimit {
	return &connLimit{Listener: l, most: most}
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
		victim, full := (*limitedConn)(nil), l.count >= l.most
		if full {
			victim = l.victim()
		}
		if !full || victim != nil {
			l.count++
			l.put(c, &l.strangers)
		}
		l.mu.Unlock()
		switch {
		case victim != nil:
			// It is given up, even if this fails.
			_ = victim.Close()
		case full: // requests are being answered on all of them
			_ = conn.Close()
			continue
		}
		return c, nil
	}
}

// victim takes a connection that is to be closed for another one out of its list, and returns
// it; nil for none. It is called with mu held.
func (l *connLimit) victim() *limitedConn {
	for _, from := range []*list.List{&l.strangers, &l.idle} {
		if first := from.Front(); first != nil {
			c := first.Value.(*limitedConn)
			l.put(c, nil)
			return c
		}
	}
	return nil
}

// put moves a connection to the end of a list, or to none. It is called with mu held.
func (l *connLimit) put(c *limitedConn, to *list.List) {
	if c.in != nil {
		c.in.Remove(c.at)
	}
	c.in, c.at = to, nil
	if to != nil {
		c.at = to.PushBack(c)
	}
}

// Close implements [net.Conn].
func (c *limitedConn) Close() error {
	c.limit.mu.Lock()
	if !c.closed {
		c.closed = true
		c.limit.count--
		c.limit.put(c, nil)
	}
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
		switch {
		case c.closed:
		case c.trusted:
			l.put(c, &l.idle)
		default:
			l.put(c, &l.strangers)
		}
	}
}

// trust notes that a request with this context has a right signature: its connection stays
// open until that is answered.
func trust(ctx context.Context) {
	if c, _ := ctx.Value(connKey{}).(*limitedConn); c != nil {
		c.limit.mu.Lock()
		defer c.limit.mu.Unlock()
		c.trusted = true
		c.limit.put(c, nil)
	}
}
