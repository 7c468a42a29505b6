package discord

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
)

// session is a session of discordgo with its connection. Served again, it resumes
// if Discord allows that.
type session struct {
	discordgo    *discordgo.Session
	conn         *connection
	timings      timings
	disconnected chan struct{} // has room for one
	ready        atomic.Bool   // whether READY or RESUMED has come on this connection
}

func (g *gateway) newSession() (*session, error) {
	dg, err := newDiscordgo(g.token, g.client)
	if err != nil {
		return nil, err
	}
	s := &session{
		discordgo:    dg,
		conn:         &connection{idle: g.timings.idle},
		timings:      g.timings,
		disconnected: make(chan struct{}, 1),
	}
	dg.Dialer = s.conn.dialer()
	dg.AddHandler(func(_ *discordgo.Session, _ *discordgo.Disconnect) {
		select {
		case s.disconnected <- struct{}{}:
		default:
		}
	})
	dg.AddHandler(func(_ *discordgo.Session, _ *discordgo.Resumed) {
		s.ready.Store(true)
		g.log.Info("resumed the session with Discord")
	})
	dg.AddHandler(func(_ *discordgo.Session, r *discordgo.Ready) {
		s.ready.Store(true)
		app := ""
		if r.Application != nil {
			app = r.Application.ID
		}
		if app == "" && r.User != nil {
			app = r.User.ID // the same, except for the oldest applications
		}
		name := ""
		if r.User != nil {
			name = r.User.Username
		}
		g.log.Info("connected to Discord", "as", name, "servers", len(r.Guilds))
		select {
		case g.onReady <- app:
		default:
		}
	})
	dg.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		if e.Type == "INTERACTION_CREATE" {
			g.onInteraction(e.RawData)
		}
	})
	return s, nil
}

var (
	errHung     = errors.New("the session hangs")
	errLost     = errors.New("disconnected")
	errNotReady = errors.New("disconnected before the session was ready")
)

// serve opens the session and returns when it has ended: with an error of opening
// it, errLost, errNotReady, errHung, or ctx's error.
func (s *session) serve(ctx context.Context) error {
	s.ready.Store(false)
	select {
	case <-s.disconnected: // of an earlier connection
	default:
	}
	began := time.Now()
	opened := make(chan error, 1)
	go func() { opened <- s.discordgo.Open() }()
	select {
	case err := <-opened:
		if err != nil {
			return fmt.Errorf("connecting: %w", err)
		}
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(s.timings.connect):
		return errHung
	}

	check := time.NewTicker(s.timings.check)
	defer check.Stop()
	locked := 0 // checks in a row that found the session locked
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.disconnected:
			if !s.ready.Load() {
				return errNotReady
			}
			return errLost
		case <-check.C:
		}
		if !s.ready.Load() && time.Since(began) > s.timings.connect {
			return errHung
		}
		if !s.discordgo.TryRLock() {
			if locked++; locked == 4 {
				return errHung
			}
			continue
		}
		locked = 0
		silence := time.Since(s.discordgo.LastHeartbeatAck)
		s.discordgo.RUnlock()
		if silence > s.timings.idle {
			s.conn.cut() // discordgo's reader notices and disconnects
		}
	}
}

// close ends the session so that Discord shows the bot as offline at once. It
// waits at most a few seconds: a hung session is abandoned, and so is one that is
// not ready, because discordgo holds its lock until it is.
func (s *session) close() {
	defer s.conn.abandon()
	if !s.ready.Load() {
		return
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		// The close frame is a courtesy; the connection is cut in any case.
		_ = s.discordgo.Close()
	}()
	select {
	case <-closed:
	case <-time.After(3 * time.Second):
	}
}
