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
		made := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(made, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(made); err != nil || info.Mode() != 0o644 {
			t.Errorf("a file made afterwards has %v, %v", info.Mode(), err)
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
		if _, err := a.Listen(); err == nil || !strings.Contains(err.Error(), a.String()+": address already in use") {
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
	answer, err := c.http.Post("http://fivefold/healthz", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: status %d", answer.StatusCode)
	}
}

func TestBackup(t *testing.T) {
	whole := bytes.Repeat([]byte("copy"), 100_000)
	write := func(b []byte, err error) func(context.Context, io.Writer) error {
		return func(_ context.Context, w io.Writer) error {
			if len(b) > 0 {
				if _, err := w.Write(b); err != nil {
					return err
				}
			}
			return err
		}
	}
	broken := errors.New("the disk is broken")
	for _, c := range []struct {
		name   string
		backup func(context.Context, io.Writer) error
		want   string // part of the error
	}{
		{"whole", write(whole, nil), ""},
		{"empty", write(nil, nil), ""},
		{"not begun", write(nil, broken), "the disk is broken"},
		{"cut", write(whole[:200_000], broken), "cut after"},
		{"cut early", write(whole[:10], broken), "EOF"}, // nothing was flushed
	} {
		t.Run(c.name, func(t *testing.T) {
			var log strings.Builder
			server := &Server{Metrics: http.NotFoundHandler(), Backup: c.backup}
			client, end := serveUntil(t, server, socket(t), &log)
			var got bytes.Buffer
			n, err := client.Backup(t.Context(), &got)
			end()
			switch {
			case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v, want %q", err, c.want)
			case n != int64(got.Len()):
				t.Errorf("%d bytes of %d", n, got.Len())
			case c.name == "whole" && !bytes.Equal(got.Bytes(), whole):
				t.Error("another copy")
			}
			logged := "level=ERROR msg=\"could not make a copy of the store\" error=\"the disk is broken\""
			if c.want == "" {
				logged = fmt.Sprintf("level=INFO msg=\"made a copy of the store\" bytes=%d took=", n)
			}
			if !strings.Contains(log.String(), logged) {
				t.Errorf("logged %q, want %q", log.String(), logged)
			}
		})
	}
}

// TestForgedBackup: what differs from what was sent is noticed.
func TestForgedBackup(t *testing.T) {
	for _, c := range []struct{ name, bytes, sum, want string }{
		{"no trailers", "", "", `where the bot sent ""`},
		{"another length", "5", "", `has 4 bytes where the bot sent "5"`},
		{"another sum", "4", "abc", "checksum is wrong"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := socket(t)
			server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Trailer", bytesTrailer+", "+sumTrailer)
				_, _ = io.WriteString(w, "copy")
				if c.bytes != "" {
					w.Header().Set(bytesTrailer, c.bytes)
					w.Header().Set(sumTrailer, c.sum)
				}
			})}
			go server.Serve(mustListen(t, a))
			defer server.Close()
			if _, err := NewClient(a).Backup(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestOneBackupAtATime: each keeps the store from using its free pages again.
func TestOneBackupAtATime(t *testing.T) {
	begun, end := make(chan struct{}), make(chan struct{})
	client := serve(t, &Server{Metrics: http.NotFoundHandler(), Backup: func(context.Context, io.Writer) error {
		close(begun)
		<-end
		return nil
	}}, socket(t))
	first := make(chan error)
	go func() {
		_, err := client.Backup(t.Context(), io.Discard)
		first <- err
	}()
	<-begun
	if _, err := client.Backup(t.Context(), io.Discard); err == nil || !strings.HasPrefix(err.Error(), "Another copy is being made") {
		t.Errorf("the second: %v", err)
	}
	close(end)
	if err := <-first; err != nil {
		t.Errorf("the first: %v", err)
	}
}

// TestNoBackupOverTCP: every user of the machine can connect there.
func TestNoBackupOverTCP(t *testing.T) {
	client := serve(t, &Server{Metrics: http.NotFoundHandler(), Backup: func(context.Context, io.Writer) error {
		t.Error("a copy is made")
		return nil
	}}, Address{"tcp", "127.0.0.1:0"})
	if _, err := client.Backup(t.Context(), io.Discard); err == nil || !strings.Contains(err.Error(), "Unix socket") {
		t.Errorf("%v", err)
	}
}

// TestNobodyOverTCP: an address at which nothing listens.
func TestNobodyOverTCP(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a, err := ParseAddress(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := NewClient(a).Healthy(t.Context()); !errors.Is(err, ErrNobody) {
		t.Errorf("got %v", err)
	}
}
