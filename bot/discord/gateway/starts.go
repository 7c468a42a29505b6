package gateway

//lint:file-ignore ST1005 Discord is a name

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/game/work"
)

// limits is Discord's answer about connecting to its gateway, see
// discord.com/developers/docs/events/gateway#get-gateway-bot. Without a total, it says nothing about sessions.
type limits = discordgo.GatewayBotResponse

// limits asks Discord.
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
// Discord resets the token of a bot that begins more. So no session begins when no start is left, and the last tenth is kept
// for restarts of the program. It is safe for concurrent use.
type sessionStarts struct {
	ask     func(context.Context) (limits, error) // asks Discord
	timings Timings

	turn      chan struct{} // full while the fields below are used, or a shard is about to begin a session
	known     limits
	askedAt   time.Time // zero before Discord was asked
	remaining int       // as known, less the starts since
	counted   time.Time // when the latest start of any shard was counted
	latest    time.Time // when the latest IDENTIFY was sent
}

const (
	// fresh is how long an answer of Discord about its limits is used, and how long to
	// wait at least where no start is left.
	fresh = time.Minute
	// longestWait is how long to wait at most before Discord is asked again.
	longestWait = time.Hour
)

func newSessionStarts(ask func(context.Context) (limits, error), t Timings) *sessionStarts {
	return &sessionStarts{ask: ask, timings: t, turn: make(chan struct{}, 1)}
}

// start is the permission to send one IDENTIFY. Its methods are for one goroutine.
type start struct {
	starts    *sessionStarts
	shard     *shard
	address   string // of the gateway
	remaining int    // how many more Discord allows today; -1 if it does not say
	over      bool
}

// sent records that IDENTIFY is sent. Without a lasting session in between, the shard's next one comes after a longer gap.
func (st *start) sent() {
	now, t, s := time.Now(), st.starts.timings, st.shard
	s.begun = true
	s.gap = min(max(t.MinStartGap, 2*s.gap), t.MaxStartGap)
	s.next = now.Add(s.gap)
	st.starts.latest = now
	st.done()
}

// done ends the start: IDENTIFY was sent, or the connection has ended before. It may be called again.
func (st *start) done() {
	if !st.over {
		st.over = true
		<-st.starts.turn
	}
}

// refresh returns Discord's limits, asking it if that was long ago. Its caller has the turn, or is alone.
func (s *sessionStarts) refresh(ctx context.Context) (limits, error) {
	if !s.askedAt.IsZero() && time.Since(s.askedAt) < fresh {
		return s.known, nil
	}
	l, err := s.ask(ctx)
	if err != nil {
		return l, err
	}
	s.known, s.askedAt = l, time.Now()
	if starts := l.SessionStartLimit; starts.Total > 0 {
		s.remaining = starts.Remaining
		if time.Since(s.counted) < fresh { // Discord may not have counted the latest one yet
			s.remaining--
		}
	}
	return l, nil
}

// next waits until the shard may begin a session. No other shard gets a start until this one is done.
func (s *sessionStarts) next(ctx context.Context, of *shard) (*start, error) {
	for wait := time.Until(of.next); ; {
		if err := work.Sleep(ctx, wait); err != nil {
			return nil, err
		}
		select {
		case s.turn <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		st := &start{starts: s, shard: of}
		var err error
		if wait, err = s.count(ctx, st); err == nil && wait <= 0 {
			return st, nil
		}
		st.done()
		if err != nil {
			return nil, err
		}
	}
}

// count counts a start, or returns how long to wait before trying again. Its caller has the turn.
func (s *sessionStarts) count(ctx context.Context, st *start) (wait time.Duration, err error) {
	if !s.latest.IsZero() {
		if wait := time.Until(s.latest.Add(s.timings.StartInterval)); wait > 0 {
			return wait, nil
		}
	}
	known, err := s.refresh(ctx)
	if err != nil {
		return 0, err
	}
	st.address, st.remaining = known.URL, -1
	if l := known.SessionStartLimit; l.Total > 0 {
		reset := s.askedAt.Add(time.Duration(min(max(l.ResetAfter, 0), 24*60*60*1000)) * time.Millisecond)
		log := st.shard.log.With("remaining", max(0, s.remaining), "of", l.Total, "reset", reset.Round(time.Second))
		if s.remaining <= 0 {
			wait := min(max(time.Until(reset), fresh), longestWait)
			log.Error("Discord allows no more sessions today; waiting", "wait", wait)
			return wait, nil
		}
		if s.remaining <= l.Total/10 {
			if st.shard.begun { // what is left is for restarts of the program
				wait := min(max(time.Until(reset), fresh), longestWait)
				log.Warn("only a few session starts are left today; waiting", "wait", wait)
				return wait, nil
			}
			log.Warn("only a few session starts are left today")
		}
		s.remaining--
		st.remaining = s.remaining
	}
	s.counted = time.Now()
	return 0, nil
}
