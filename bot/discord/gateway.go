package discord

//lint:file-ignore ST1005 Discord is a name

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// gateway keeps a session with Discord's gateway open. discordgo's own
// reconnecting never gives up, even after a final refusal, and cannot abandon a
// session that hangs in its own locks.
type gateway struct {
	token         string
	client        *http.Client
	log           *slog.Logger
	onInteraction func(raw []byte) // called with each interaction's raw event; further events wait for it
	onReady       chan string      // gets the application's id once; has room for one
	timings       timings
}

// run connects, and reconnects whenever the connection is lost, until ctx ends
// (nil) or Discord refuses for good.
func (g *gateway) run(ctx context.Context) error {
	var s *session
	wait := g.timings.minBackoff
	for {
		if s == nil {
			var err error
			if s, err = g.newSession(); err != nil {
				return err
			}
		}
		began := time.Now()
		err := s.serve(ctx)
		if ctx.Err() != nil {
			s.close()
			return nil
		}
		if final := finalError(err); final != nil {
			return final
		}
		if !resumable(err) {
			s.conn.abandon()
			s = nil
		}
		if time.Since(began) > g.timings.stable {
			wait = g.timings.minBackoff
		}
		g.log.Warn("lost the connection to Discord; reconnecting", "error", withoutAddress(err), "wait", wait)
		select {
		case <-ctx.Done():
		case <-time.After(wait/2 + rand.N(wait/2+1)):
		}
		wait = min(2*wait, g.timings.maxBackoff)
	}
}

// resumable reports whether a session that ended with err can be resumed. A hung
// session never releases its locks. A session that Discord closes before it is
// ready, because it cannot be resumed, would be closed again; and only a new
// session learns at once of a final refusal.
func resumable(err error) bool {
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		return closed.Code == websocket.CloseAbnormalClosure // the connection broke
	}
	return !errors.Is(err, errHung) && !errors.Is(err, errNotReady)
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

// finalError returns what to report for an error after which trying again is
// pointless, or nil for any other error.
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
