// Package admin lets the operator of a running bot look at it, over HTTP on a Unix socket
// or a loopback address:
//
//	/healthz   200 if the bot works, or 503 and the reason
//	/readyz    200 if the bot can serve players, or 503 and the reason
//	/metrics   figures for Prometheus
//	/backup    a copy of the store; through a socket only
//
// Nothing here changes games, statistics or settings. Except for the copy, no answer contains a player's name, a word, a
// board or the token.
package admin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Server answers the operator's requests. Its functions are called from many goroutines at once.
type Server struct {
	// Alive and Ready return the fault, in words for the operator, or nil.
	Alive, Ready func(context.Context) error
	Metrics      http.Handler
	// Backup writes a copy of the store.
	Backup func(context.Context, io.Writer) error
	Log    *slog.Logger
}

// Serve answers on the listeners until ctx ends. Copies in progress are then cut off.
func (s *Server) Serve(ctx context.Context, listeners []net.Listener) {
	var serving sync.WaitGroup
	for _, l := range listeners {
		server := &http.Server{
			Handler:           s.handler(l.Addr().Network() == "unix"),
			ReadHeaderTimeout: 5 * time.Second,
			IdleTimeout:       2 * time.Minute,
			MaxHeaderBytes:    1 << 14,
			BaseContext:       func(net.Listener) context.Context { return ctx },
			ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug), // about broken connections
		}
		stop := context.AfterFunc(ctx, func() {
			// Nothing is lost: the client sees that the answer is cut.
			_ = server.Close()
		})
		serving.Go(func() {
			defer stop()
			if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
				s.Log.Error("could not go on serving the admin address", "error", err)
			}
		})
	}
	serving.Wait()
}

func (s *Server) handler(socket bool) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /healthz", report(s.Alive))
	mux.Handle("GET /readyz", report(s.Ready))
	mux.Handle("GET /metrics", s.Metrics)
	if socket {
		mux.HandleFunc("GET /backup", s.serveBackup)
	} else {
		mux.HandleFunc("GET /backup", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "A copy holds everybody's games, and every user of this machine can connect here. Ask through a Unix socket.", http.StatusForbidden)
		})
	}
	return mux
}

// Probes answers /healthz and /readyz for a balancer and any other client, without the reason.
func (s *Server) Probes() http.Handler {
	mux := http.NewServeMux()
	for path, wrong := range map[string]func(context.Context) error{"/healthz": s.Alive, "/readyz": s.Ready} {
		mux.Handle("GET "+path, report(func(ctx context.Context) error {
			if wrong(ctx) != nil {
				return errors.New("no")
			}
			return nil
		}))
	}
	return mux
}

// report returns a handler that answers ok, or 503 with the error of wrong.
func report(wrong func(context.Context) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := wrong(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(w, "ok\n") // an error means that the client has gone
	}
}

// writeTimeout is how long a client may take to receive a part of a copy. While a copy is made, the store cannot reuse its
// free pages, and grows.
const writeTimeout = 30 * time.Second

func (s *Server) serveBackup(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	w.Header().Set("Content-Type", "application/octet-stream")
	out := &deadlineWriter{to: w}
	if err := s.Backup(r.Context(), out); err != nil {
		s.Log.Error("could not make a copy of the store", "error", err)
		if out.written == 0 {
			http.Error(w, fmt.Sprintf("The copy was not made: %v", err), http.StatusInternalServerError)
			return
		}
		panic(http.ErrAbortHandler) // the one way to cut an answer that has begun; the client sees that
	}
	s.Log.Info("made a copy of the store", "bytes", out.written, "took", time.Since(began).Round(time.Millisecond))
}

// deadlineWriter gives each write [writeTimeout].
type deadlineWriter struct {
	to      http.ResponseWriter
	written int64
}

func (d *deadlineWriter) Write(b []byte) (int, error) {
	if err := http.NewResponseController(d.to).SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return 0, err
	}
	n, err := d.to.Write(b)
	d.written += int64(n)
	return n, err
}
