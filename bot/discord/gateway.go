package discord

//lint:file-ignore ST1005 Discord is a name

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// gateway keeps a session with Discord's gateway going. discordgo's own
// reconnecting goes on for ever after refusals that are final, and cannot leave
// a session that hangs in its own locks; this does neither.
type gateway struct {
	token   string
	client  *http.Client
	log     *slog.Logger
	handle  func(raw []byte) // takes each interaction; events wait for it
	onReady chan string      // gets the application's id once; has room for one
	limits  limits
}

// limits are the times that a gateway goes by; tests shorten them.
type limits struct {
	idle      time.Duration // a line silent for so long is dead: more than two heartbeats of 41.25 s
	open      time.Duration // how long connecting may take
	look      time.Duration // how often the watchdog looks
	firstWait time.Duration // before connecting again, doubled each time …
	mostWait  time.Duration // … up to this: 720 identifies a day, where Discord allows 1000
	stable    time.Duration // a session that lasted so long starts the waits anew
}

var defaultLimits = limits{
	idle:      95 * time.Second,
	open:      40 * time.Second,
	look:      15 * time.Second,
	firstWait: time.Second,
	mostWait:  2 * time.Minute,
	stable:    time.Minute,
}

// run connects, and connects again when the line is lost, until ctx ends (nil)
// or Discord refuses for good.
func (g *gateway) run(ctx context.Context) error {
	var l *link
	wait := g.limits.firstWait
	for {
		if l == nil {
			var err error
			if l, err = g.newLink(); err != nil {
				return err
			}
		}
		began := time.Now()
		err := l.serve(ctx)
		if ctx.Err() != nil {
			l.leave()
			return nil
		}
		if final := finalError(err); final != nil {
			return final
		}
		if !resumable(err) {
			l.line.end()
			l = nil
		}
		if time.Since(began) > g.limits.stable {
			wait = g.limits.firstWait
		}
		g.log.Warn("no connection to Discord; connecting again", "error", withoutAddress(err), "wait", wait)
		select {
		case <-ctx.Done():
		case <-time.After(wait/2 + rand.N(wait/2+1)):
		}
		wait = min(2*wait, g.limits.mostWait)
	}
}

// resumable reports whether a session that ended so is worth opening again. What
// one that hangs holds is never released. One that Discord closes before it is
// ready, because it resumes what cannot be resumed, would be closed again; and
// only a new one is told at once when the refusal is final.
func resumable(err error) bool {
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		return closed.Code == websocket.CloseAbnormalClosure // a line that was cut
	}
	return !errors.Is(err, errStuck) && !errors.Is(err, errUnready)
}

// link is one session of discordgo with the line under it. Served again, it
// resumes where Discord allows it.
type link struct {
	session      *discordgo.Session
	line         *line
	limits       limits
	disconnected chan struct{} // has room for one
	ready        atomic.Bool   // whether this connection was greeted with READY or RESUMED
}

func (g *gateway) newLink() (*link, error) {
	session, err := newSession(g.token, g.client)
	if err != nil {
		return nil, err
	}
	l := &link{
		session:      session,
		line:         &line{idle: g.limits.idle},
		limits:       g.limits,
		disconnected: make(chan struct{}, 1),
	}
	session.Dialer = l.line.dialer()
	session.AddHandler(func(_ *discordgo.Session, _ *discordgo.Disconnect) {
		select {
		case l.disconnected <- struct{}{}:
		default:
		}
	})
	session.AddHandler(func(_ *discordgo.Session, _ *discordgo.Resumed) {
		l.ready.Store(true)
		g.log.Info("resumed the session with Discord")
	})
	session.AddHandler(func(_ *discordgo.Session, r *discordgo.Ready) {
		l.ready.Store(true)
		app := ""
		if r.Application != nil {
			app = r.Application.ID
		}
		if app == "" && r.User != nil {
			app = r.User.ID // the same, for all but the oldest applications
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
	session.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		if e.Type == "INTERACTION_CREATE" {
			g.handle(e.RawData)
		}
	})
	return l, nil
}

var (
	errStuck   = errors.New("the session hangs")
	errLost    = errors.New("disconnected")
	errUnready = errors.New("disconnected before the session was ready")
)

// serve opens the session and returns when it has ended: an error of opening,
// errLost, errUnready, errStuck, or ctx's.
func (l *link) serve(ctx context.Context) error {
	l.ready.Store(false)
	select {
	case <-l.disconnected: // of an earlier connection
	default:
	}
	began := time.Now()
	opened := make(chan error, 1)
	go func() { opened <- l.session.Open() }()
	select {
	case err := <-opened:
		if err != nil {
			return fmt.Errorf("connecting: %w", err)
		}
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(l.limits.open):
		return errStuck
	}
	look := time.NewTicker(l.limits.look)
	defer look.Stop()
	locked := 0 // looks in a row that found the session locked
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-l.disconnected:
			if !l.ready.Load() {
				return errUnready
			}
			return errLost
		case <-look.C:
		}
		if !l.ready.Load() && time.Since(began) > l.limits.open {
			return errStuck
		}
		if !l.session.TryRLock() {
			if locked++; locked == 4 {
				return errStuck
			}
			continue
		}
		locked = 0
		silent := time.Since(l.session.LastHeartbeatAck)
		l.session.RUnlock()
		if silent > l.limits.idle {
			l.line.cut() // what reads from it notices and disconnects
		}
	}
}

// leave ends the session so that Discord shows the bot as gone at once. It waits
// a few seconds at most: a session that hangs is left behind, as is one that is
// not ready yet, whose lock discordgo keeps until it is.
func (l *link) leave() {
	defer l.line.end()
	if !l.ready.Load() {
		return
	}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		// The close frame is a courtesy; the line is cut in any case.
		_ = l.session.Close()
	}()
	select {
	case <-closed:
	case <-time.After(3 * time.Second):
	}
}

// finalCodes are the close codes after which Discord refuses every further
// attempt: discord.com/developers/docs/topics/opcodes-and-status-codes.
var finalCodes = map[int]error{
	4004: ErrToken,
	4010: errors.New("Discord refuses the shard"),
	4011: errors.New("Discord wants this bot sharded: it is in too many servers for one connection"),
	4012: errors.New("Discord no longer speaks this version of the gateway; install a newer release"),
	4013: errors.New("Discord refuses the intents"),
	4014: errors.New("Discord does not allow this bot the intents it asks for"),
}

// finalError returns what to say of an error after which trying again is in
// vain, or nil.
func finalError(err error) error {
	var (
		closed  *websocket.CloseError
		refused *discordgo.RESTError
	)
	switch {
	case errors.As(err, &closed):
		return finalCodes[closed.Code]
	case errors.As(err, &refused) && refused.Response.StatusCode == http.StatusUnauthorized:
		return ErrToken
	}
	return nil
}
