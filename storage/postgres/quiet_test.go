package postgres_test

import (
	"errors"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
)

// quietProxy passes PostgreSQL's protocol on until the server is to be silent, as if its machine were gone.
type quietProxy struct {
	net.Listener
	quiet       atomic.Bool  // nothing comes from the server any more
	afterReady  atomic.Bool  // it is quiet once it has let somebody in
	connections atomic.Int64 // how many there were
}

// startQuiet starts a proxy of a database's server, and returns it and the database's URL there.
func startQuiet(t *testing.T, database string) (*quietProxy, string) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p, address := &quietProxy{Listener: l}, u.Host
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			p.connections.Add(1)
			server, err := net.Dial("tcp", address)
			if err != nil {
				t.Error(err)
				return
			}
			go func() {
				defer server.Close()
				_, _ = io.Copy(server, client)
			}()
			go func() {
				defer client.Close()
				_ = eachMessage(server, func(kind byte, message []byte) error {
					if p.quiet.Load() {
						return nil
					}
					p.quiet.Store(kind == 'Z' && p.afterReady.Load())
					_, err := client.Write(message)
					return err
				})
			}()
		}
	}()
	u.Host = l.Addr().String()
	return p, u.String()
}

// TestQuietWhileOpening: a server that lets us in and then says nothing is given up.
func TestQuietWhileOpening(t *testing.T) {
	p, at := startQuiet(t, postgrestest.Database(t))
	p.afterReady.Store(true)
	if _, err := postgres.Open(t.Context(), at, testCodecs, postgres.Options{}.WithPatience(time.Second)); !errors.Is(err, postgres.ErrUnreachable) {
		t.Errorf("opening: %v", err)
	}
	p.quiet.Store(false)
	if _, err := postgres.Migrate(t.Context(), at, postgres.Options{}.WithPatience(time.Second)); !errors.Is(err, postgres.ErrUnreachable) {
		t.Errorf("making tables: %v", err)
	}
}

// TestQuietTogether: operations of one request together wait no longer than one of them.
func TestQuietTogether(t *testing.T) {
	p, at := startQuiet(t, postgrestest.Database(t))
	var s *postgres.Store
	for patience := time.Second; s == nil; patience *= 2 { // a slow machine needs more to connect
		s, _ = postgres.Open(t.Context(), at, testCodecs, postgres.Options{}.WithPatience(patience).Quiet())
	}
	p.quiet.Store(true)
	ctx := game.WithWaiting(t.Context())
	if _, err := s.CommandGuilds(ctx); err == nil {
		t.Fatal("a silent server has answered")
	}
	tried := p.connections.Load()
	for range 10 {
		if _, err := s.CommandGuilds(ctx); err == nil {
			t.Fatal("a silent server has answered")
		}
	}
	if again := p.connections.Load() - tried; again > 0 {
		t.Errorf("the time was up, and the server was tried %d times more", again)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestQuietClose: a server that says nothing does not keep the store from closing.
func TestQuietClose(t *testing.T) {
	p, at := startQuiet(t, postgrestest.Database(t))
	s := mustOpenWith(t, at, postgres.Options{}.WithPatience(10*time.Hour).WithClosing(100*time.Millisecond))
	p.quiet.Store(true)
	reading := make(chan error, 1)
	go func() {
		_, err := s.CommandGuilds(t.Context())
		reading <- err
	}()
	m := storagetest.Wordle.Match("100", game.Location{Guild: "5", Channel: "6"}, "7", "CRANE")
	if err := s.SaveBoardMessage(t.Context(), m.Slot(), game.BoardMessage{Match: m.ID, Message: "9"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-reading; err == nil {
		t.Error("a silent server has answered")
	}
}
