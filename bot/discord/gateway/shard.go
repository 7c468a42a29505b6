package gateway

//lint:file-ignore ST1005 Discord is a name

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"fivefold/bot/discord/calls"
	"fivefold/game/work"
)

const (
	stable      = time.Minute // a session that was ready for this long counts as lasting
	maxResumes  = 4           // a session is given up after so many connections in a row that were not ready
	maxBackoff  = 30 * time.Second
	maxStartGap = 2 * time.Minute // so that a day's 1000 session starts are enough
)

// shard keeps the session of one shard open.
type shard struct {
	gateway *gateway
	id      int
	log     *slog.Logger

	// Used only by run and what it calls:
	session *session      // nil if the next connection is to begin a new one
	readyAt time.Time     // when the latest connection was ready; zero if it was not
	fails   int           // connections in a row that were not ready
	begun   bool          // whether it has begun a session before
	gap     time.Duration // the wait from the end of its session to the next; 0 after a session that lasted
}

// run connects, and reconnects whenever the connection is lost, until ctx ends or Discord refuses for good. At the end of ctx
// it returns nil.
func (s *shard) run(ctx context.Context) error {
	for {
		s.readyAt = time.Time{}
		err := s.serve(ctx)
		if !s.readyAt.IsZero() {
			s.gateway.Observer.GatewayChanged(s.id, false)
		}
		if ctx.Err() != nil {
			return nil
		}
		if final := finalError(err); final != nil {
			return final
		}
		wait := s.lost(err)
		s.log.Warn("lost the connection to Discord; reconnecting", "error", err, "wait", wait)
		if work.Sleep(ctx, wait) != nil {
			return nil
		}
	}
}

// lost decides whether the session is kept after a connection that ended with err, and returns the wait before the next
// connection. After a connection that was ready, the wait is what is left of Spacing. After others, the waits grow. A new
// session also waits for the gap.
func (s *shard) lost(err error) (wait time.Duration) {
	t := s.gateway.Timings
	if s.readyAt.IsZero() {
		s.fails++
		wait = min(t.MinBackoff<<min(s.fails-1, 20), maxBackoff)
		wait = wait/2 + rand.N(wait/2+1)
		if s.session != nil {
			s.session.resumeURL = "" // the next connection goes to the gateway's usual address
		}
	} else {
		s.fails = 0
		lasted := time.Since(s.readyAt)
		wait = max(0, t.Spacing-lasted)
		if lasted >= stable {
			s.gap = 0
		}
	}
	if !resumable(err) || s.fails >= maxResumes {
		s.session = nil
	}
	if s.session == nil {
		wait = max(wait, s.gap)
	}
	return wait
}

// willBegin records that IDENTIFY is sent. The next session begins after a longer gap, unless this one lasts.
func (s *shard) willBegin() {
	t := s.gateway.Timings
	s.begun, s.gap = true, min(max(t.MinStartGap, 2*s.gap), maxStartGap)
}

// serve makes one connection and serves it until it ends.
func (s *shard) serve(ctx context.Context) error {
	g := s.gateway
	var (
		address string
		start   *start
		err     error
	)
	if s.session == nil {
		start, err = g.starts.next(ctx, s.begun, s.log)
		if err != nil {
			return err
		}
		defer start.done()
		address = start.URL
	} else if address = s.session.resumeURL; address == "" {
		limits, err := g.starts.ask(ctx)
		if err != nil {
			return err
		}
		address = limits.URL
	}
	if address, err = gatewayAddress(address); err != nil {
		return err
	}
	dialling, cancel := context.WithTimeout(ctx, g.Timings.Connect)
	l, err := g.dial(dialling, address)
	cancel()
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	c := &connection{shard: s, line: l, session: s.session, start: start}
	if c.session == nil {
		c.session = &session{}
	}
	return c.serve(ctx)
}

// gatewayAddress completes an address of the gateway that Discord named.
func gatewayAddress(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "ws" && u.Scheme != "wss" || u.Host == "" {
		return "", errors.New("Discord named no usable address of the gateway")
	}
	u = u.JoinPath("/")
	u.RawQuery = "v=" + discordgo.APIVersion + "&encoding=json"
	return u.String(), nil
}

// resumable reports whether a session may be resumed after its connection ended with err.
func resumable(err error) bool {
	if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
		return closed.Code != 4007 && closed.Code != 4009
	}
	return !errors.Is(err, errInvalidated)
}

// finalCodes are the close codes after which Discord refuses every further
// attempt: discord.com/developers/docs/topics/opcodes-and-status-codes.
var finalCodes = map[int]error{
	4004: calls.ErrToken,
	4010: errors.New("Discord refuses the shard"),
	4011: errors.New("Discord wants more shards: the bot is in too many servers for so few connections"),
	4012: errors.New("Discord no longer speaks this version of the gateway; install a newer release"),
	4013: errors.New("Discord refuses the intents"),
	4014: errors.New("Discord does not allow this bot the intents it asks for"),
}

// finalError returns an error for which trying again is pointless, or nil.
func finalError(err error) error {
	if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
		return finalCodes[closed.Code]
	}
	return calls.FinalError(err)
}
