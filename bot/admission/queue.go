// Package admission decides which requests of players are worked on, in which order, and
// which are refused, so that nobody can keep others waiting by asking for a lot. It knows
// nothing of how requests arrive or how they are answered.
package admission

import (
	"context"
	"slices"
	"sync"
	"time"

	"fivefold/solver/parallel"
)

// Limits say how much is worked on at once, and how much waits.
type Limits struct {
	InFlight   int // requests worked on at once
	PerServer  int // of those, in one server
	PerChannel int // of those, in one channel
	PerPlayer  int // requests of a player that are worked on or wait, completions aside

	Waiting          int // requests that wait
	WaitingPerServer int // of those, in one server

	Notes          int // refusals that are being answered at once
	NotesPerPlayer int // of those, to one player

	MaxWait time.Duration // the age at which a request that still waits is refused
	MaxAge  time.Duration // the age from which a request is not carried out
}

// Defaults are the limits for Discord, which accepts a first answer for 3 s.
//
// A player who plays has one request in flight, and three with two impatient presses. A
// channel's guesses wait for each other anyway: with more in flight they would only take
// places. Sixty people who guess at once there take turns in some four rounds, and all of them
// are answered. A single server gets an eighth of the places, however many play or flood there.
// What waits at 2 s is refused while there is still time to say so.
var Defaults = Limits{
	InFlight: 512, PerServer: 64, PerChannel: 16, PerPlayer: 3,
	Waiting: 2048, WaitingPerServer: 512,
	Notes: 64, NotesPerPlayer: 4,
	MaxWait: 2 * time.Second, MaxAge: 2500 * time.Millisecond,
}

// Request is something that a player asks for.
type Request struct {
	Player, Channel string
	Server          string        // empty for direct messages, each of which is a server of its own
	Completion      bool          // of what a player is typing: only the newest one of a player counts
	Age             time.Duration // since the player made it
}

func (r Request) server() string {
	if r.Server == "" {
		return "channel " + r.Channel
	}
	return r.Server
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

// Queue admits requests, up to its limits. It is safe for concurrent use.
type Queue struct {
	limits Limits
	pool   *Pool // for the work
	// ctx is that of all work. It outlives the front's, so that requests received before
	// the end are still answered.
	ctx    context.Context
	cancel context.CancelFunc

	mu       sync.Mutex    // protects everything below, and the tickets
	open     int           // requests that were taken and are not done yet
	idle     chan struct{} // closed once there are none; nil until Drain
	inFlight int
	waiting  int
	notes    int
	players  map[string]*player // with requests or notes in flight
	servers  map[string]*server // with requests in flight or waiting
	channels map[string]int     // requests in flight
	turns    []*server          // with waiting requests, the next one first
}

// player is a player who has requests in flight or waiting.
type player struct {
	requests   int
	notes      int
	completion *Ticket // in flight or waiting, nil for none
	next       *Ticket // the completion after that, nil for none
}

// server is a server with requests in flight or waiting.
type server struct {
	inFlight int
	waiting  []*Ticket // in the order of arrival
}

// Ticket is a request that was taken. Call Wait and then Done on it, each once.
type Ticket struct {
	Request
	queue   *Queue
	ctx     context.Context
	cancel  context.CancelFunc
	came    time.Time
	counted bool          // among the player's
	waits   bool          // among the server's that wait
	turn    chan struct{} // closed once the fields below are known
	why     Refusal
	note    bool // the refusal may be answered
}

// age returns how long ago the player made the request.
func (t *Ticket) age() time.Duration { return t.Age + time.Since(t.came) }

// NewQueue returns a queue with the limits.
func NewQueue(l Limits) *Queue {
	ctx, cancel := context.WithCancel(context.Background())
	return &Queue{
		limits: l, pool: NewPool(ctx), ctx: ctx, cancel: cancel,
		players: map[string]*player{}, servers: map[string]*server{}, channels: map[string]int{},
	}
}

// Pool returns the goroutines in which requests run.
func (q *Queue) Pool() *Pool { return q.pool }

// Enter takes a request, and does not wait until it is admitted.
func (q *Queue) Enter(r Request) *Ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open++
	t := &Ticket{Request: r, queue: q, came: time.Now(), turn: make(chan struct{})}
	t.ctx, t.cancel = context.WithCancel(parallel.For(q.ctx, r.server()))
	p := q.players[r.Player]
	if p == nil {
		p = &player{}
		q.players[r.Player] = p
	}
	defer q.forget(r.Player, p)
	switch {
	case r.Age >= q.limits.MaxAge:
		q.refuse(t, Expired)
	case q.ctx.Err() != nil:
		q.refuse(t, Stopping)
	case r.Completion && p.completion != nil:
		p.completion.cancel()
		if p.next != nil {
			q.refuse(p.next, Superseded)
		}
		p.next = t
	case !r.Completion && p.requests >= q.limits.PerPlayer:
		q.refuse(t, OneAtATime)
	default:
		q.enter(p, t)
	}
	return t
}

// Wait waits until the request may be worked on, or is refused. The context of the work ends when it is no
// longer wanted, and has the server as asker for permits. answer is whether the player may be told of a refusal.
func (t *Ticket) Wait() (ctx context.Context, why Refusal, answer bool) {
	late := time.NewTimer(t.queue.limits.MaxWait - t.age())
	defer late.Stop()
	select {
	case <-t.turn:
	case <-late.C:
		t.queue.mu.Lock()
		if t.waits {
			t.queue.leave(t)
			t.queue.refuse(t, Busy)
		}
		t.queue.mu.Unlock()
		<-t.turn
	}
	return t.ctx, t.why, t.note
}

// Done ends a request, and gives its place to the next one.
func (t *Ticket) Done() {
	q := t.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case t.why == Admitted:
		q.inFlight--
		if q.channels[t.Channel]--; q.channels[t.Channel] == 0 {
			delete(q.channels, t.Channel)
		}
		s := q.servers[t.server()]
		if s.inFlight--; s.inFlight == 0 && len(s.waiting) == 0 {
			delete(q.servers, t.server())
		}
		q.ended(t)
		q.schedule()
	case t.note:
		p := q.players[t.Player]
		q.notes--
		p.notes--
		q.forget(t.Player, p)
	}
	q.open--
	q.rest()
}

// Drain waits until every request that was taken is done, or until the timeout. Then it
// ends the context of all work, refuses what waits, and returns how many were not done.
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

// rest tells Drain once nothing is left. It must be called with q.mu held, as enter and all below it.
func (q *Queue) rest() {
	if q.open == 0 && q.idle != nil {
		close(q.idle)
		q.idle = nil
	}
}

// Stats is what a queue does at the moment.
type Stats struct {
	InFlight int // requests that are being worked on
	Waiting  int
}

// Stats returns what the queue does at the moment.
func (q *Queue) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	return Stats{q.inFlight, q.waiting}
}

// enter starts a request or lets it wait.
func (q *Queue) enter(p *player, t *Ticket) {
	t.counted = true
	if t.Completion {
		p.completion = t
	} else {
		p.requests++
	}
	s := q.serverOf(t)
	if len(s.waiting) == 0 {
		q.turns = append(q.turns, s)
	}
	s.waiting = append(s.waiting, t)
	t.waits = true
	q.waiting++
	q.schedule()
	if t.waits && (q.waiting > q.limits.Waiting || len(s.waiting) > q.limits.WaitingPerServer) {
		q.leave(t)
		q.refuse(t, Busy)
	}
}

func (q *Queue) serverOf(t *Ticket) *server {
	s := q.servers[t.server()]
	if s == nil {
		s = &server{}
		q.servers[t.server()] = s
	}
	return s
}

// schedule starts every request that can be started, one of each server in turn.
func (q *Queue) schedule() {
	for i := 0; i < len(q.turns) && q.inFlight < q.limits.InFlight; {
		s := q.turns[i]
		at := -1
		if s.inFlight < q.limits.PerServer {
			at = slices.IndexFunc(s.waiting, func(t *Ticket) bool { return q.channels[t.Channel] < q.limits.PerChannel })
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
		switch {
		case t.ctx.Err() != nil:
			q.refuse(t, Superseded) // it was superseded while it waited
		case t.age() >= q.limits.MaxAge:
			q.refuse(t, Expired)
		default:
			q.inFlight++
			q.serverOf(t).inFlight++
			q.channels[t.Channel]++
			close(t.turn)
		}
	}
}

// leave takes a request out of those that wait. It still counts as the player's.
func (q *Queue) leave(t *Ticket) {
	s := q.servers[t.server()]
	at := slices.Index(s.waiting, t)
	s.waiting = slices.Delete(s.waiting, at, at+1)
	t.waits = false
	q.waiting--
	if len(s.waiting) == 0 {
		q.turns = slices.DeleteFunc(q.turns, func(o *server) bool { return o == s })
	}
	if s.inFlight == 0 && len(s.waiting) == 0 {
		delete(q.servers, t.server())
	}
}

// refuse ends a request that neither runs nor waits. It may be answered if there is something
// to say and room for that.
func (q *Queue) refuse(t *Ticket, why Refusal) {
	p := q.players[t.Player]
	t.why = why
	t.note = (why == OneAtATime || why == Busy) && !t.Completion && q.notes < q.limits.Notes && p.notes < q.limits.NotesPerPlayer
	if t.note {
		q.notes++
		p.notes++
	}
	close(t.turn)
	q.ended(t)
}

// ended ends the player's part of a request that was run or refused.
func (q *Queue) ended(t *Ticket) {
	t.cancel()
	p := q.players[t.Player]
	switch {
	case !t.counted:
	case !t.Completion:
		p.requests--
	default:
		next := p.next
		p.completion, p.next = nil, nil
		if next != nil {
			q.enter(p, next)
		}
	}
	q.forget(t.Player, p)
}

// forget removes a player who has nothing in flight.
func (q *Queue) forget(name string, p *player) {
	if *p == (player{}) {
		delete(q.players, name)
	}
}
