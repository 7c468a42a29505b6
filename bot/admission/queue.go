// Package admission decides which requests of players are worked on, in which order, and which are refused, so that a
// player who asks for a lot keeps no other player waiting (queue.go). It also tells how old requests are (clock.go). It
// knows nothing of how requests arrive or how they are answered.
package admission

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Limits say how much is worked on at once, and how much waits.
type Limits struct {
	InFlight   int // requests worked on at once
	PerServer  int // of those, in one server
	PerChannel int // of those, in one channel
	PerPlayer  int // requests of a player that are worked on or wait, completions aside

	Waiting          int // requests that wait
	WaitingPerServer int // of those, in one server

	Apologies          int // refusals that are being answered at once
	ApologiesPerPlayer int // of those, to one player

	MaxWait time.Duration // the age at which a request that still waits is refused
	MaxAge  time.Duration // the age from which a request is not carried out
}

// Defaults are the limits for Discord, which accepts a first answer for 3 s.
//
// A player has one request in flight, or three after two impatient presses. The guesses of a channel wait for each other
// anyway: more of them in flight would only take places. Sixty people who guess at once in a channel take turns in some four
// rounds, and all are answered. A server gets at most an eighth of the places. A request that waits at 2 s is refused while
// there is time to say so.
var Defaults = Limits{
	InFlight: 512, PerServer: 64, PerChannel: 16, PerPlayer: 3,
	Waiting: 2048, WaitingPerServer: 512,
	Apologies: 64, ApologiesPerPlayer: 4,
	MaxWait: 2 * time.Second, MaxAge: 2500 * time.Millisecond,
}

// Request is something that a player asks for.
type Request struct {
	Player, Channel string
	Server          string        // in which servers take turns: direct messages are a server of their own
	Completion      bool          // of what a player is typing: only a player's newest one counts
	Age             time.Duration // since the player made it
}

// Refusal is why a request is not worked on.
type Refusal uint8

// The reasons.
const (
	Admitted   Refusal = iota // none: it may be worked on
	OneAtATime                // the player has too many requests in flight
	Busy                      // too many wait, or it has waited for too long
	Expired                   // it was too old when it came
	Superseded                // a completion, and the player has typed on
	Stopping                  // it waited when the queue was closed
)

// Queue admits requests up to its limits. It is safe for concurrent use.
type Queue struct {
	limits Limits
	// ctx is the context of all work. It outlives the front's, so that requests received before the end are answered.
	ctx    context.Context
	cancel context.CancelFunc

	mu        sync.Mutex    // protects the fields below, and the tickets
	open      int           // requests that were taken and are not done yet
	idle      chan struct{} // closed once there are none; nil until Drain
	inFlight  int
	waiting   int
	apologies int
	players   map[string]*player // with requests or apologies in flight
	servers   map[string]*server // with requests in flight or waiting
	channels  map[string]int     // requests in flight
	turns     []*server          // with waiting requests, the next one first
}

// player is a player who has requests in flight or waiting.
type player struct {
	requests   int
	apologies  int
	completion *Ticket // the newest one, in flight or waiting; nil for none
	completing bool    // one is in flight, the newest or one before it
}

// server is a server with requests in flight or waiting.
type server struct {
	inFlight int
	waiting  []*Ticket // in the order of arrival
}

// Ticket is the place of a request in the queue.
type Ticket struct {
	Request
	queue   *Queue
	player  *player
	server  *server
	ctx     context.Context
	cancel  context.CancelFunc // ends a completion; nil for other requests
	came    time.Time
	counted bool          // among the player's
	waits   bool          // among the server's that wait
	decided chan struct{} // closed when it is admitted or refused; nil if Enter has decided that
	late    *time.Timer   // refuses it once it has waited for too long; nil if it never waited
	refusal Refusal
	apology bool // the refusal may be answered
}

// age returns how long ago the player made the request.
func (t *Ticket) age() time.Duration { return t.Age + time.Since(t.came) }

// NewQueue returns a queue with the limits.
func NewQueue(l Limits) *Queue {
	ctx, cancel := context.WithCancel(context.Background())
	return &Queue{
		limits: l, ctx: ctx, cancel: cancel,
		players: map[string]*player{}, servers: map[string]*server{}, channels: map[string]int{},
	}
}

// Enter takes a request and returns its ticket at once. The ticket must be done, whether the request is admitted or not.
func (q *Queue) Enter(r Request) *Ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open++
	t := &Ticket{Request: r, queue: q, ctx: q.ctx, came: time.Now()}
	p, s := q.players[r.Player], q.servers[r.Server]
	if p == nil {
		p = &player{}
		q.players[r.Player] = p
	}
	if s == nil {
		s = &server{}
		q.servers[r.Server] = s
	}
	t.player, t.server = p, s
	switch {
	case r.Age >= q.limits.MaxAge:
		q.refuse(t, Expired)
		return t
	case q.ctx.Err() != nil:
		q.refuse(t, Stopping)
		return t
	case r.Completion:
		t.ctx, t.cancel = context.WithCancel(q.ctx)
		before := p.completion
		p.completion = t
		if before != nil {
			before.cancel()
			if before.waits {
				q.leave(before)
				q.refuse(before, Superseded)
			}
		}
	case p.requests >= q.limits.PerPlayer:
		q.refuse(t, OneAtATime)
		return t
	default:
		p.requests++
	}
	t.counted = true
	if len(s.waiting) == 0 {
		q.turns = append(q.turns, s)
	}
	s.waiting = append(s.waiting, t)
	t.waits = true
	q.waiting++
	q.schedule()
	switch {
	case !t.waits:
	case q.waiting > q.limits.Waiting || len(s.waiting) > q.limits.WaitingPerServer:
		q.leave(t)
		q.refuse(t, Busy)
	default:
		t.decided = make(chan struct{})
		t.late = time.AfterFunc(q.limits.MaxWait-t.age(), func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			if t.waits {
				q.leave(t)
				q.refuse(t, Busy)
			}
		})
	}
	return t
}

// Wait waits until the request is admitted or refused, and returns why it is refused. apology is whether the player may be
// told of that. The context ends when the work is no longer wanted.
func (t *Ticket) Wait() (ctx context.Context, why Refusal, apology bool) {
	if t.decided != nil {
		<-t.decided
	}
	return t.ctx, t.refusal, t.apology
}

// Done ends a request that was worked on or refused, and gives its place to the next one.
func (t *Ticket) Done() {
	q := t.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case t.refusal == Admitted:
		q.inFlight--
		t.server.inFlight--
		if q.channels[t.Channel]--; q.channels[t.Channel] == 0 {
			delete(q.channels, t.Channel)
		}
		q.ended(t)
		q.schedule()
	case t.apology:
		q.apologies--
		t.player.apologies--
		q.forget(t)
	}
	q.open--
	q.rest()
}

// schedule admits every request that can be admitted, one of each server in turn. It is called with q.mu held, as all that
// follow but Drain and Stats.
func (q *Queue) schedule() {
	for i := 0; i < len(q.turns) && q.inFlight < q.limits.InFlight; {
		s := q.turns[i]
		at := -1
		if s.inFlight < q.limits.PerServer {
			at = slices.IndexFunc(s.waiting, func(t *Ticket) bool {
				return q.channels[t.Channel] < q.limits.PerChannel && !(t.Completion && t.player.completing)
			})
		}
		if at < 0 {
			i++
			continue
		}
		t := s.waiting[at]
		q.leave(t)
		if len(s.waiting) > 0 { // its next turn comes after those of the others
			q.turns = append(slices.Delete(q.turns, i, i+1), s)
		}
		if t.age() >= q.limits.MaxAge {
			q.refuse(t, Expired)
			continue
		}
		q.inFlight++
		s.inFlight++
		q.channels[t.Channel]++
		t.player.completing = t.player.completing || t.Completion
		t.decide()
	}
}

// decide lets Wait return.
func (t *Ticket) decide() {
	if t.decided != nil {
		close(t.decided)
	}
}

// Drain waits until every request is done, or until the timeout. Then it ends the context of all work, refuses the waiting
// requests, and returns how many were not done.
func (q *Queue) Drain(timeout time.Duration) int {
	defer q.cancel()
	q.mu.Lock()
	idle := make(chan struct{})
	q.idle = idle
	q.rest()
	q.mu.Unlock()
	select {
	case <-idle:
		return 0
	case <-time.After(timeout):
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cancel()
	left := q.inFlight + q.waiting
	for len(q.turns) > 0 {
		t := q.turns[0].waiting[0]
		q.leave(t)
		q.refuse(t, Stopping)
	}
	return left
}

// Drained returns a channel that is closed when Drain ends its wait.
func (q *Queue) Drained() <-chan struct{} { return q.ctx.Done() }

// rest tells Drain when no request is left.
func (q *Queue) rest() {
	if q.open == 0 && q.idle != nil {
		close(q.idle)
		q.idle = nil
	}
}

// Stats counts the requests in a queue.
type Stats struct {
	InFlight int // requests that are being worked on
	Waiting  int
}

// Stats returns the present numbers.
func (q *Queue) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	return Stats{q.inFlight, q.waiting}
}

// leave takes a request out of those that wait. It still counts as the player's.
func (q *Queue) leave(t *Ticket) {
	s := t.server
	at := slices.Index(s.waiting, t)
	s.waiting = slices.Delete(s.waiting, at, at+1)
	t.waits = false
	if t.late != nil {
		t.late.Stop()
	}
	q.waiting--
	if len(s.waiting) == 0 {
		q.turns = slices.DeleteFunc(q.turns, func(o *server) bool { return o == s })
	}
}

// refuse ends a request that neither runs nor waits. It may be answered if there is something to say and room for that.
func (q *Queue) refuse(t *Ticket, why Refusal) {
	t.refusal = why
	t.apology = (why == OneAtATime || why == Busy) && !t.Completion && q.apologies < q.limits.Apologies && t.player.apologies < q.limits.ApologiesPerPlayer
	if t.apology {
		q.apologies++
		t.player.apologies++
	}
	q.ended(t)
	t.decide()
}

// ended ends the player's part of a request that was worked on or refused.
func (q *Queue) ended(t *Ticket) {
	if t.cancel != nil {
		t.cancel()
	}
	switch p := t.player; {
	case !t.counted:
	case !t.Completion:
		p.requests--
	default:
		if p.completion == t {
			p.completion = nil
		}
		p.completing = p.completing && t.refusal != Admitted
	}
	q.forget(t)
}

// forget removes the player of a request who has nothing in flight, and the server where nothing is done, unless it was
// removed and has come back while a refusal was being answered.
func (q *Queue) forget(t *Ticket) {
	if *t.player == (player{}) {
		delete(q.players, t.Player)
	}
	if s := q.servers[t.Server]; s == t.server && s.inFlight == 0 && len(s.waiting) == 0 {
		delete(q.servers, t.Server)
	}
}
