package admin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	for text, want := range map[string]string{
		"unix:/run/fivefold/admin.sock": "", "unix:admin.sock": "", "127.0.0.1:9095": "", "127.1.2.3:80": "", "[::1]:9095": "",
		"unix:": "needs the path", "": "neither", "9095": "neither", ":9095": "neither", "127.0.0.1": "neither", "localhost:9095": "neither",
		"127.0.0.1:": "neither", "127.0.0.1:99999": "neither", "/run/admin.sock": "neither", "http://127.0.0.1:9095": "neither",
		"0.0.0.0:9095": "from other machines", "[::]:9095": "from other machines", "192.168.1.5:9095": "from other machines",
		"[::ffff:192.168.1.5]:9095": "from other machines",
	} {
		a, err := ParseAddress(text)
		switch {
		case want == "" && (err != nil || a.String() != text || a.IsSocket() != strings.HasPrefix(text, "unix:")):
			t.Errorf("%q: %v, %v", text, a, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// socket returns an address in a folder of its own. The paths of sockets are short: 107
// bytes on Linux.
func socket(t *testing.T) Address {
	t.Helper()
	folder, err := os.MkdirTemp("", "admin")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	return Address{"unix", filepath.Join(folder, "s")}
}

func mustListen(t *testing.T, a Address) net.Listener {
	t.Helper()
	l, err := a.Listen()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() }) // a second time, in some tests
	return l
}

func TestListen(t *testing.T) {
	t.Run("only its user can connect", func(t *testing.T) {
		a := socket(t)
		mustListen(t, a)
		info, err := os.Stat(a.address)
		if err != nil || info.Mode() != fs.ModeSocket|0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	})
	t.Run("a stale socket is replaced", func(t *testing.T) {
		a := socket(t)
		l := mustListen(t, a)
		l.(*net.UnixListener).SetUnlinkOnClose(false) // as when the process is killed
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(a.address); err != nil {
			t.Fatal(err)
		}
		mustListen(t, a)
	})
	t.Run("a socket in use is not", func(t *testing.T) {
		a := socket(t)
		l := mustListen(t, a)
		if _, err := a.Listen(); err == nil || !strings.Contains(err.Error(), "address already in use") {
			t.Errorf("%v", err)
		}
		if conn, err := net.Dial("unix", a.address); err != nil {
			t.Errorf("the first one is gone: %v", err)
		} else if err := errors.Join(conn.Close(), l.Close()); err != nil {
			t.Error(err)
		}
	})
	t.Run("another file is not", func(t *testing.T) {
		a := socket(t)
		if err := os.WriteFile(a.address, []byte("notes"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Listen(); err == nil {
			t.Error("it listens")
		}
		if b, err := os.ReadFile(a.address); err != nil || string(b) != "notes" {
			t.Errorf("%q, %v", b, err)
		}
	})
}

// serve starts a server and returns a client of it.
func serve(t *testing.T, s *Server, a Address) *Client {
	t.Helper()
	c, _ := serveUntil(t, s, a, t.Output())
	return c
}

// serveUntil is serve with what ends the server, and with its log.
func serveUntil(t *testing.T, s *Server, a Address, log io.Writer) (c *Client, end func()) {
	t.Helper()
	s.Log = slog.New(slog.NewTextHandler(log, nil))
	l := mustListen(t, a)
	if !a.IsSocket() {
		a.address = l.Addr().String()
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Serve(ctx, []net.Listener{l})
	}()
	end = func() {
		stop()
		<-done
	}
	t.Cleanup(end)
	return NewClient(a), end
}

func TestHealth(t *testing.T) {
	a := socket(t)
	if err := NewClient(a).Healthy(t.Context()); !errors.Is(err, ErrNobody) {
		t.Errorf("without a socket: %v", err)
	}
	ready := errors.New("not connected to Discord\nthe store does not save")
	c := serve(t, &Server{
		Alive:   func(context.Context) error { return nil },
		Ready:   func(context.Context) error { return ready },
		Metrics: http.NotFoundHandler(),
	}, a)
	if err := c.Healthy(t.Context()); err != nil {
		t.Error(err)
	}
	if err := c.Ready(t.Context()); err == nil || err.Error() != ready.Error() {
		t.Errorf("got %v, want %v", err, ready)
	}
}

// TestBackup: a copy that was cut is never taken for whole.
func TestBackup(t *testing.T) {
	whole, broken := bytes.Repeat([]byte("copy"), 100_000), errors.New("the disk is broken")
	for _, c := range []struct {
		written []byte
		err     error
		want    string // part of the error
	}{
		{whole, nil, ""},
		{nil, broken, "the disk is broken"},
		{whole[:200_000], broken, "cut after"},
		{whole[:10], broken, "EOF"}, // nothing was flushed
	} {
		var log strings.Builder
		client, end := serveUntil(t, &Server{Metrics: http.NotFoundHandler(), Backup: func(_ context.Context, w io.Writer) error {
			if len(c.written) == 0 {
				return c.err
			}
			_, err := w.Write(c.written)
			return errors.Join(err, c.err)
		}}, socket(t), &log)
		var got bytes.Buffer
		err := client.Backup(t.Context(), &got)
		end()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || err == nil && !bytes.Equal(got.Bytes(), whole) {
			t.Errorf("%d bytes and %v: %d bytes and %v", len(c.written), c.err, got.Len(), err)
		}
		logged := "level=ERROR msg=\"could not make a copy of the store\" error=\"the disk is broken\""
		if c.err == nil {
			logged = fmt.Sprintf("level=INFO msg=\"made a copy of the store\" bytes=%d took=", len(whole))
		}
		if !strings.Contains(log.String(), logged) {
			t.Errorf("logged %q, want %q", log.String(), logged)
		}
	}
}

// TestNoBackupOverTCP: every user of the machine can connect there.
func TestNoBackupOverTCP(t *testing.T) {
	client := serve(t, &Server{Metrics: http.NotFoundHandler(), Backup: func(context.Context, io.Writer) error {
		t.Error("a copy is made")
		return nil
	}}, Address{"tcp", "127.0.0.1:0"})
	if err := client.Backup(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), "Unix socket") {
		t.Errorf("%v", err)
	}
}
