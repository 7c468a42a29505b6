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
	PerServer  int // requests of one server worked on at once
	PerChannel int // requests of one channel worked on at once
	PerPlayer  int // requests of one player, worked on or waiting; completions don't count

	Waiting          int // requests that wait
	WaitingPerServer int // requests of one server that wait

	Apologies int // refusals that are answered at once

	MaxWait time.Duration // the age at which a request that still waits is refused
	MaxAge  time.Duration // the age from which a request is not carried out
}

// Defaults are the limits for Discord, which accepts a first answer for 3 s.
//
// A player has one request in flight, or three after two impatient presses. The guesses of a channel wait for each other
// anyway: more of them in flight would only take places. Sixty people who guess at once in a channel take turns in some four
// rounds, and all are answered. A server gets at most an eighth of the places. A request that still waits at 2 s is refused:
// there is time left to say so.
var Defaults = Limits{
	InFlight: 512, PerServer: 64, PerChannel: 16, PerPlayer: 3,
	Waiting: 2048, WaitingPerServer: 512,
	Apologies: 64,
	MaxWait:   2 * time.Second, MaxAge: 2500 * time.Millisecond,
}

// Request is something that a player asks for.
type Request struct {
	Player, Channel string
	Server          string        // servers take turns; each direct-message channel counts as a server
	Completion      bool          // asks to complete what the player is typing; a newer one replaces it
	Age             time.Duration // since the player made the request
}

// Refusal is why a request is not worked on.
type Refusal uint8

// The reasons.
const (
	Admitted   Refusal = iota // no refusal: the request may be worked on
	OneAtATime                // the player has too many requests in flight
	Busy                      // too many requests wait, or this one has waited for too long
	Expired                   // the request was too old when it came
	Superseded                // the player has typed on, so a newer completion replaces this one
	Stopping                  // the queue was closed before the request's turn
)

// Queue admits requests up to its limits. It is safe for concurrent use.
type Queue struct {
	limits Limits
	// ctx is the context of all work. Drain ends it after its wait, so that the last requests are still answered.
	ctx    context.Context
	cancel context.CancelFunc

	mu        sync.Mutex    // protects the fields below, and the tickets
	open      int           // requests that were taken and are not done yet
	idle      chan struct{} // closed once open is 0; nil until Drain
	inFlight  int
	waiting   int
	apologies int
	players   map[string]int     // each player's requests in flight or waiting; completions don't count
	typing    map[string]*Ticket // each player's newest completion, in flight or waiting
	channels  map[string]int     // each channel's requests in flight
	servers   map[string]*server // those with requests in flight or waiting
	turns     []*server          // servers with waiting requests; the first one is next
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
	server  *server // nil if Enter refused it
	ctx     context.Context
	cancel  context.CancelFunc // ends a completion; does nothing for other requests
	came    time.Time
	waits   bool
	decided chan struct{} // closed when the request is admitted or refused
	refusal Refusal
	apology bool // the refusal may be answered
}

// NewQueue returns a queue with the limits.
func NewQueue(l Limits) *Queue {
	ctx, cancel := context.WithCancel(context.Background())
	return &Queue{
		limits: l, ctx: ctx, cancel: cancel,
		players: map[string]int{}, typing: map[string]*Ticket{}, channels: map[string]int{}, servers: map[string]*server{},
	}
}

// Enter takes a request and returns its ticket at once. The caller must call [Ticket.Done], admitted or not.
func (q *Queue) Enter(r Request) *Ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open++
	t := &Ticket{Request: r, queue: q, ctx: q.ctx, cancel: func() {}, came: time.Now(), decided: make(chan struct{})}
	switch {
	case r.Age >= q.limits.MaxAge:
		q.refuse(t, Expired)
	case q.ctx.Err() != nil:
		q.refuse(t, Stopping)
	case !r.Completion && q.players[r.Player] >= q.limits.PerPlayer:
		q.refuse(t, OneAtATime)
	default:
		q.join(t)
		q.schedule()
		if t.waits && (q.waiting > q.limits.Waiting || len(t.server.waiting) > q.limits.WaitingPerServer) {
			q.giveUp(t, Busy)
		}
	}
	return t
}

// join adds a request to those that wait. The caller holds q.mu, as for all unexported methods below.
func (q *Queue) join(t *Ticket) {
	if t.Completion {
		if before := q.typing[t.Player]; before != nil && before.waits {
			q.giveUp(before, Superseded)
		} else if before != nil {
			before.cancel()
		}
		t.ctx, t.cancel = context.WithCancel(q.ctx)
		q.typing[t.Player] = t
	} else {
		q.players[t.Player]++
	}
	if t.server = q.servers[t.Server]; t.server == nil {
		t.server = &server{}
		q.servers[t.Server] = t.server
	}
	if len(t.server.waiting) == 0 {
		q.turns = append(q.turns, t.server)
	}
	t.server.waiting = append(t.server.waiting, t)
	t.waits = true
	q.waiting++
}

// Wait waits until the request is admitted or refused. why is Admitted or the reason of the refusal. apology reports whether
// the player may be told the reason. ctx ends when the work is no longer wanted.
func (t *Ticket) Wait() (ctx context.Context, why Refusal, apology bool) {
	select {
	case <-t.decided:
		return t.ctx, t.refusal, t.apology
	default:
	}
	late := time.NewTimer(t.queue.limits.MaxWait - t.Age - time.Since(t.came))
	defer late.Stop()
	select {
	case <-t.decided:
	case <-late.C:
		why = Busy
	case <-t.queue.ctx.Done():
		why = Stopping
	}
	t.queue.mu.Lock()
	defer t.queue.mu.Unlock()
	if t.waits {
		t.queue.giveUp(t, why)
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
		subtract(q.channels, t.Channel)
		q.forget(t)
		q.schedule()
	case t.apology:
		q.apologies--
	}
	q.open--
	q.rest()
}

// schedule admits every request that can be admitted, one of each server in turn.
func (q *Queue) schedule() {
	for i := 0; i < len(q.turns) && q.inFlight < q.limits.InFlight && q.ctx.Err() == nil; {
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
		if len(s.waiting) > 0 { // the server's next turn comes after the others'
			q.turns = append(slices.Delete(q.turns, i, i+1), s)
		}
		q.inFlight++
		s.inFlight++
		q.channels[t.Channel]++
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
	left := q.Stats()
	return left.InFlight + left.Waiting
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

// leave takes a request out of those that wait. The request still counts as the player's.
func (q *Queue) leave(t *Ticket) {
	s := t.server
	at := slices.Index(s.waiting, t)
	s.waiting = slices.Delete(s.waiting, at, at+1)
	t.waits = false
	q.waiting--
	if len(s.waiting) == 0 {
		q.turns = slices.DeleteFunc(q.turns, func(o *server) bool { return o == s })
	}
}

// giveUp refuses a request that waits.
func (q *Queue) giveUp(t *Ticket, why Refusal) {
	q.leave(t)
	q.forget(t)
	q.refuse(t, why)
}

// refuse refuses a request. The player gets an apology if the reason is worth telling and fewer than limits.Apologies are
// under way.
func (q *Queue) refuse(t *Ticket, why Refusal) {
	t.refusal = why
	t.apology = (why == OneAtATime || why == Busy) && !t.Completion && q.apologies < q.limits.Apologies
	if t.apology {
		q.apologies++
	}
	close(t.decided)
}

// forget removes a finished or refused request from the records of its player and server.
func (q *Queue) forget(t *Ticket) {
	t.cancel()
	if !t.Completion {
		subtract(q.players, t.Player)
	} else if q.typing[t.Player] == t {
		delete(q.typing, t.Player)
	}
	if t.server.inFlight == 0 && len(t.server.waiting) == 0 {
		delete(q.servers, t.Server)
	}
}

func subtract(counts map[string]int, key string) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}
