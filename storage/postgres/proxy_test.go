package postgres_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

// proxy passes PostgreSQL's protocol on. It loses connections: some before a request reaches the server, and some
// after the server has carried it out, before the client gets the answer. And it can be silent, as if the
// server's machine were gone.
type proxy struct {
	share         float64      // of the round trips that are lost before, and also of those lost after
	before, after atomic.Int64 // how many were lost

	lose        atomic.Int64 // so many requests to come do not reach the server, and the connections are lost
	quiet       atomic.Bool  // nothing passes in either direction any more, and no connection ends
	afterReady  atomic.Bool  // it is quiet once it has let a client in
	connections atomic.Int64 // how many there were

	unanswered chan struct{} // has something once a client has asked while it is quiet

	mu     sync.Mutex // protects random
	random *rand.Rand
}

// draw returns a number from 0 to 1.
func (p *proxy) draw() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.random.Float64()
}

// startProxy starts a proxy of a database's server, and returns it and the database's URL there. It ends with the test.
func startProxy(t *testing.T, database string, share float64) (*proxy, string) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	p, address := &proxy{share: share, random: rand.New(rand.NewPCG(5, 6)), unanswered: make(chan struct{}, 1)}, u.Host
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			p.connections.Add(1)
			go p.serve(client, address)
		}
	}()
	u.Host = l.Addr().String()
	return p, u.String()
}

var errDropped = errors.New("dropped")

// serve passes one connection on until either side or chance ends it.
func (p *proxy) serve(client net.Conn, address string) {
	defer client.Close()
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer server.Close()
	var deaf atomic.Bool // whether nothing is passed to the client any more
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_ = eachMessage(server, func(kind byte, message []byte) error {
			ready := kind == 'Z' // for the next query: the server has carried out the last one
			switch {
			case deaf.Load() && ready:
				return errDropped
			case deaf.Load() || p.quiet.Load():
				return nil
			case ready && p.afterReady.Load():
				p.quiet.Store(true)
			}
			_, err := client.Write(message)
			return err
		})
		server.Close()
		if !p.quiet.Load() {
			client.Close()
		}
	}()
	startup := make([]byte, 4)
	if _, err := io.ReadFull(client, startup); err != nil {
		return
	}
	rest := make([]byte, binary.BigEndian.Uint32(startup)-4)
	if _, err := io.ReadFull(client, rest); err != nil {
		return
	}
	if _, err := server.Write(append(startup, rest...)); err != nil {
		return
	}
	_ = eachMessage(client, func(kind byte, message []byte) error {
		chance := 1.0
		if kind == 'S' || kind == 'Q' { // these two, Sync and Query, end a request
			chance = p.draw()
		}
		switch {
		case p.quiet.Load():
			select {
			case p.unanswered <- struct{}{}:
			default:
			}
			return nil
		case chance < p.share || chance < 1 && p.lose.Add(-1) >= 0:
			p.before.Add(1)
			return errDropped
		case chance < 2*p.share:
			p.after.Add(1)
			deaf.Store(true)
			if _, err := server.Write(message); err != nil {
				return err
			}
			<-answered
			return errDropped
		}
		_, err := server.Write(message)
		return err
	})
	server.Close()
	client.Close()
	<-answered
}

// eachMessage calls f for each message of the protocol until either fails.
func eachMessage(r io.Reader, f func(kind byte, message []byte) error) error {
	for {
		head := make([]byte, 5)
		if _, err := io.ReadFull(r, head); err != nil {
			return err
		}
		message := make([]byte, 1+binary.BigEndian.Uint32(head[1:]))
		copy(message, head)
		if _, err := io.ReadFull(r, message[5:]); err != nil {
			return err
		}
		if err := f(head[0], message); err != nil {
			return err
		}
	}
}

// noTracer is a tracer of queries and batches that does nothing.
type noTracer struct{}

func (noTracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (noTracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (noTracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}
func (noTracer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (noTracer) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}
