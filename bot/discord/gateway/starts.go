package gateway

//lint:file-ignore ST1005 Discord is a name

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"fivefold/bot/discord/calls"
)

// limits is what Discord says about connecting to its gateway:
// discord.com/developers/docs/events/gateway#get-gateway-bot.
type limits struct {
	URL    string `json:"url"`
	Shards int    `json:"shards"` // how many Discord recommends
	Starts *struct {
		Total          int     `json:"total"`       // sessions that may be begun in a day
		Remaining      int     `json:"remaining"`   // how many of them are left
		ResetAfter     float64 `json:"reset_after"` // when that starts again, in milliseconds
		MaxConcurrency int     `json:"max_concurrency"`
	} `json:"session_start_limit"`
}

// sessionStarts lets shards begin sessions as fast as Discord allows it: in each of
// max_concurrency buckets one in five seconds, and in all a certain number a day. Discord
// resets the token of a bot that begins more, so none begins when none is left, and the
// last ones are kept for restarts of the program. It is safe for concurrent use.
type sessionStarts struct {
	ask     func(context.Context) (limits, error) // asks Discord
	timings Timings
	log     *slog.Logger

	turn      chan struct{} // full while the fields below are used, or Discord is asked
	known     limits
	askedAt   time.Time // zero before Discord was asked
	remaining int       // as known, less the starts since
	latest    time.Time // the latest start of any shard
	buckets   map[int]*bucket
}

// bucket is one of Discord's, in which sessions begin one after another.
type bucket struct {
	held   chan struct{} // full while a shard is about to begin a session
	latest time.Time     // when the latest IDENTIFY was sent; for the holder alone
}

const (
	// fresh is how long an answer of Discord about its limits is used, and how long to
	// wait at least where no start is left.
	fresh = time.Minute
	// longestWait is how long to wait at most before Discord is asked again.
	longestWait = time.Hour
)

func newSessionStarts(ask func(context.Context) (limits, error), t Timings, log *slog.Logger) *sessionStarts {
	return &sessionStarts{ask: ask, timings: t, log: log, turn: make(chan struct{}, 1), buckets: map[int]*bucket{}}
}

// start is the permission to send one IDENTIFY. Its methods are for one goroutine.
type start struct {
	starts    *sessionStarts
	bucket    *bucket
	pace      *pace
	address   string // of the gateway
	remaining int    // how many more Discord allows today; -1 if it does not say
	over      bool
}

// sent is called when IDENTIFY is sent.
func (st *start) sent() {
	st.pace.took(st.starts.timings.MinStartGap, st.starts.timings.MaxStartGap)
	st.bucket.latest = time.Now()
	st.done()
}

// done ends the start: IDENTIFY was sent, or the connection has ended before. It may be called again.
func (st *start) done() {
	if !st.over {
		st.over = true
		<-st.bucket.held
	}
}

// limits returns what Discord says, asking it if that was long ago.
func (s *sessionStarts) limits(ctx context.Context) (limits, error) {
	if err := acquire(ctx, s.turn); err != nil {
		return limits{}, err
	}
	defer func() { <-s.turn }()
	err := s.refresh(ctx)
	return s.known, err
}

// refresh asks Discord about its limits if that was long ago. It is called by the holder of the turn.
func (s *sessionStarts) refresh(ctx context.Context) error {
	if !s.askedAt.IsZero() && time.Since(s.askedAt) < fresh {
		return nil
	}
	l, err := s.ask(ctx)
	if err != nil {
		return err
	}
	s.known, s.askedAt = l, time.Now()
	if l.Starts != nil {
		s.remaining = l.Starts.Remaining
		if time.Since(s.latest) < fresh { // Discord may not have counted the latest ones yet
			s.remaining -= max(1, l.Starts.MaxConcurrency)
		}
	}
	return nil
}

// next waits until the shard may begin a session. The start that it returns is to be
// ended by done; until then no other shard of its bucket gets one.
func (s *sessionStarts) next(ctx context.Context, shard int, p *pace) (*start, error) {
	if err := calls.Sleep(ctx, time.Until(p.next)); err != nil {
		return nil, err
	}
	b, err := s.bucket(ctx, shard)
	if err != nil {
		return nil, err
	}
	if err := acquire(ctx, b.held); err != nil {
		return nil, err
	}
	st := &start{starts: s, bucket: b, pace: p}
	wait := time.Duration(0)
	if !b.latest.IsZero() {
		wait = time.Until(b.latest.Add(s.timings.StartInterval))
	}
	for {
		if err = calls.Sleep(ctx, wait); err == nil {
			wait, err = s.count(ctx, shard, st)
		}
		if err != nil {
			st.done()
			return nil, err
		}
		if wait == 0 {
			return st, nil
		}
	}
}

// bucket returns a shard's.
func (s *sessionStarts) bucket(ctx context.Context, shard int) (*bucket, error) {
	if err := acquire(ctx, s.turn); err != nil {
		return nil, err
	}
	defer func() { <-s.turn }()
	if err := s.refresh(ctx); err != nil {
		return nil, err
	}
	key := 0
	if l := s.known.Starts; l != nil {
		key = shard % max(1, l.MaxConcurrency)
	}
	b := s.buckets[key]
	if b == nil {
		b = &bucket{held: make(chan struct{}, 1)}
		s.buckets[key] = b
	}
	return b, nil
}

// count counts a start, or returns how long to wait before trying again.
func (s *sessionStarts) count(ctx context.Context, shard int, st *start) (wait time.Duration, err error) {
	if err := acquire(ctx, s.turn); err != nil {
		return 0, err
	}
	defer func() { <-s.turn }()
	if err := s.refresh(ctx); err != nil {
		return 0, err
	}
	st.remaining = -1
	if l := s.known.Starts; l != nil {
		reset := s.askedAt.Add(time.Duration(min(max(l.ResetAfter, 0), 24*60*60*1000)) * time.Millisecond)
		log := s.log.With("shard", shard, "remaining", max(0, s.remaining), "of", l.Total, "reset", reset.Round(time.Second))
		if s.remaining <= 0 {
			wait := min(max(time.Until(reset), fresh), longestWait)
			log.Error("Discord allows no more sessions today; waiting", "wait", wait)
			return wait, nil
		}
		if s.remaining <= l.Total/10 {
			// A restart of the program begins at once, and has half of this for itself. A shard
			// that loses its session again and again gets the other half in equal steps.
			wait := time.Until(reset)
			if left := s.remaining - l.Total/20; left > 0 {
				wait = time.Until(s.latest.Add(wait / time.Duration(left)))
			}
			if st.pace.begun && wait > 0 {
				wait = min(max(wait, fresh), longestWait)
				log.Warn("Discord allows only few more sessions today; waiting", "wait", wait)
				return wait, nil
			}
			log.Warn("Discord allows only few more sessions today")
		}
		s.remaining--
		st.remaining = s.remaining
	}
	s.latest = time.Now()
	st.address = s.known.URL
	return 0, nil
}

// readLimits reads the response to GET /gateway/bot.
func readLimits(body []byte) (limits, error) {
	var l limits
	if err := json.Unmarshal(body, &l); err != nil {
		return limits{}, err
	}
	if l.URL == "" {
		return limits{}, errors.New("Discord named no address of the gateway")
	}
	return l, nil
}

// acquire takes the one place of a semaphore.
func acquire(ctx context.Context, semaphore chan struct{}) error {
	select {
	case semaphore <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
