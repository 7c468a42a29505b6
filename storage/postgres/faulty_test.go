package postgres_test

import (
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// faultyProxy passes PostgreSQL's protocol on, and loses connections: some before a request reaches
// the server, and some after the server has carried it out, before the client gets the answer.
type faultyProxy struct {
	net.Listener
	server        string
	share         float64      // of the round trips that are lost before, and also of those lost after
	before, after atomic.Int64 // how many were lost
	connections   sync.WaitGroup

	mu     sync.Mutex // protects random
	random *rand.Rand
}

// startProxy starts a proxy of a server. It ends with the test.
func startProxy(t *testing.T, server string, share float64) *faultyProxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &faultyProxy{Listener: l, server: server, share: share, random: rand.New(rand.NewPCG(5, 6))}
	p.connections.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.connections.Go(func() { p.serve(c) })
		}
	})
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		p.connections.Wait()
	})
	return p
}

// draw returns what happens to a round trip.
func (p *faultyProxy) draw() (before, after bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x := p.random.Float64()
	return x < p.share, x >= p.share && x < 2*p.share
}

var errDropped = errors.New("dropped")

// serve passes one connection on until either side or chance ends it.
func (p *faultyProxy) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer server.Close()
	var deaf atomic.Bool // whether nothing is passed to the client any more
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_ = eachMessage(server, func(kind byte, message []byte) error {
			if deaf.Load() {
				if kind == 'Z' { // ready for the next query: the server has carried out the last one
					return errDropped
				}
				return nil
			}
			_, err := client.Write(message)
			return err
		})
		client.Close()
		server.Close()
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
		if kind != 'S' && kind != 'Q' { // these two, Sync and Query, end a request
			_, err := server.Write(message)
			return err
		}
		before, after := p.draw()
		if before {
			p.before.Add(1)
			return errDropped
		}
		if after {
			p.after.Add(1)
			deaf.Store(true)
		}
		if _, err := server.Write(message); err != nil || !after {
			return err
		}
		<-answered
		return errDropped
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
