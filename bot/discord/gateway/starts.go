package gateway

//lint:file-ignore ST1005 Discord is a name

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/sync/semaphore"

	"fivefold/game/work"
)

// limits is Discord's answer about connecting to its gateway, see
// discord.com/developers/docs/events/gateway#get-gateway-bot. Without a total, it says nothing about sessions.
type limits = discordgo.GatewayBotResponse

// limits asks Discord for its limits.
func (o Options) limits(ctx context.Context) (l limits, err error) {
	body, err := o.Calls.Call(ctx, http.MethodGet, discordgo.EndpointGatewayBot, nil)
	if err == nil {
		err = json.Unmarshal(body, &l)
	}
	if err == nil && l.URL == "" {
		err = errors.New("Discord named no address of the gateway")
	}
	return l, err
}

// sessionStarts lets shards begin sessions as fast as Discord surely allows: one in five seconds, and a certain number a day.
// Discord resets the token of a bot that begins more. It is safe for concurrent use.
type sessionStarts struct {
	ask      func(context.Context) (limits, error) // asks Discord
	interval time.Duration                         // from one IDENTIFY to the next

	turn   *semaphore.Weighted // held while a shard is about to begin a session
	latest time.Time           // when the latest IDENTIFY was sent; for the holder of turn
}

func newSessionStarts(ask func(context.Context) (limits, error), interval time.Duration) *sessionStarts {
	return &sessionStarts{ask: ask, interval: interval, turn: semaphore.NewWeighted(1)}
}

// start is the permission to send one IDENTIFY.
type start struct {
	limits
	starts *sessionStarts
	done   func() // lets the next shard begin a session; may be called twice
}

// sent records that IDENTIFY is sent.
func (st *start) sent() {
	st.starts.latest = time.Now()
	st.done()
}

// next waits until a shard may begin a session. again means that the shard has begun one before. No other shard gets a start
// until this start is done.
func (s *sessionStarts) next(ctx context.Context, again bool, log *slog.Logger) (*start, error) {
	for {
		if err := s.turn.Acquire(ctx, 1); err != nil {
			return nil, err
		}
		st := &start{starts: s, done: sync.OnceFunc(func() { s.turn.Release(1) })}
		err := work.Sleep(ctx, time.Until(s.latest.Add(s.interval)))
		if err == nil {
			st.limits, err = s.ask(ctx)
		}
		wait := waitForStart(st.limits, again, log)
		if err == nil && wait == 0 {
			return st, nil
		}
		st.done()
		if err == nil {
			err = work.Sleep(ctx, wait)
		}
		if err != nil {
			return nil, err
		}
	}
}

// waitForStart returns how long to wait before asking Discord again for a session, 0 if it allows one now. The last tenth of
// the day's sessions is kept for restarts of the program.
func waitForStart(l limits, again bool, log *slog.Logger) time.Duration {
	starts := l.SessionStartLimit
	if starts.Total == 0 || starts.Remaining > starts.Total/10 {
		return 0
	}
	log = log.With("remaining", starts.Remaining, "of", starts.Total)
	if starts.Remaining > 0 && !again {
		log.Warn("only a few session starts are left today")
		return 0
	}
	wait := min(max(time.Duration(starts.ResetAfter)*time.Millisecond, time.Minute), time.Hour)
	log.Error("Discord allows no more sessions today, but for restarts of the program; waiting", "wait", wait)
	return wait
}
