package endpoint

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// connLimit limits the open connections of a server. To admit one more, it closes an idle one: at first those without a
// signed request so far, and of these the one silent for longest. So half-open connections, however many, take no place from
// those of Discord. It is safe for concurrent use.
type connLimit struct {
	most int

	mu    sync.Mutex // protects the fields below
	open  map[net.Conn]use
	moves int // counts the changes by which use.moved orders connections
}

// use is what a connection is used for.
type use struct {
	trusted bool // it has sent a request with a right signature
	busy    bool // a signed request is not answered yet
	moved   int  // the count of moves when the connection was last opened, trusted or idle
}

// changed is for [http.Server].ConnState.
func (l *connLimit) changed(conn net.Conn, state http.ConnState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	was, isOpen := l.open[conn]
	switch {
	case state == http.StateNew:
		if len(l.open) >= l.most && !l.closeOne() {
			_ = conn.Close() // all others are answering requests
			return
		}
		l.moves++
		l.open[conn] = use{moved: l.moves}
	case state == http.StateIdle && isOpen:
		l.moves++
		l.open[conn] = use{trusted: was.trusted, moved: l.moves}
	case state == http.StateClosed:
		delete(l.open, conn)
	}
}

// closeOne closes a connection for another one, and reports whether there was one to close. The caller holds mu.
func (l *connLimit) closeOne() bool {
	var victim net.Conn
	var least use
	for conn, u := range l.open {
		if !u.busy && (victim == nil || least.trusted && !u.trusted || least.trusted == u.trusted && u.moved < least.moved) {
			victim, least = conn, u
		}
	}
	if victim == nil {
		return false
	}
	delete(l.open, victim)
	_ = victim.Close() // it is given up, even if this fails
	return true
}

// connKey is the context's key for the request's connection.
type connKey struct{}

// withConn is for [http.Server].ConnContext.
func withConn(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

// trust notes that a request with this context has a right signature: its connection stays open until the request is
// answered.
func (l *connLimit) trust(ctx context.Context) {
	conn, _ := ctx.Value(connKey{}).(net.Conn)
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, isOpen := l.open[conn]; isOpen {
		l.moves++
		l.open[conn] = use{trusted: true, busy: true, moved: l.moves}
	}
}
