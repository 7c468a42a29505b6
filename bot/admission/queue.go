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
	// Run does the work, in another goroutine. It must not panic. Its context ends
	// when the work is no longer wanted, and has the server as asker for permits.
	Run func(ctx context.Context)
	// Refuse is called once instead of Run. If answer is true, it may answer the player,
	// in a goroutine of its own; otherwise it must return at once.
	Refuse func(why Refusal, answer bool)
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
	OneAtATime Refusal = iota // the player has too many requests in flight
	Busy                      // too many wait, or it has waited for too long
	Expired                   // it was too old when it came
	Superseded                // a completion, and the player has typed on
	Stopping                  // it waited when the queue was closed
)

// Queue admits requests, up to its limits. It is safe for concurrent use, and none of its
// methods but Drain ever waits.
type Queue struct {
	limits Limits
	pool   *Pool // for the work
	// ctx is that of all work. It outlives the front's, so that requests received before
	// the end are still answered.
	ctx    context.Context
	cancel context.CancelFunc

	mu       sync.Mutex    // protects everything below
	open     int           // requests that were taken and are not done or answered yet
	idle     chan struct{} // closed once there are none; nil until Drain
	inFlight int
	waiting  int
	notes    int
	players  map[string]*player // with requests or notes in flight
	servers  map[string]*server // with requests in flight or waiting
	channels map[string]int     // requests in flight
	turns    []*server          // with waiting requests, the next one first
	after    []func()           // what is to be called once mu is free
}

// player is a player who has requests in flight or waiting.
type player struct {
	requests   int
	notes      int
	completion *job // in flight or waiting, nil for none
	next       *job // the completion after that, nil for none
}

// server is a server with requests in flight or waiting.
type server struct {
	inFlight int
	waiting  []*job // in the order of arrival
}

// job is a request that was taken.
type job struct {
	Request
	*Queue
	ctx     context.Context
	cancel  context.CancelFunc
	came    time.Time
	counted bool        // among the player's
	late    *time.Timer // refuses it; nil before it waits
}

// age returns how long ago the player made the request.
func (j *job) age() time.Duration { return j.Age + time.Since(j.came) }

// NewQueue returns a queue with the limits.
func NewQueue(l Limits) *Queue {
	ctx, cancel := context.WithCancel(context.Background())
	return &Queue{
		limits: l, pool: NewPool(ctx), ctx: ctx, cancel: cancel,
		players: map[string]*player{}, servers: map[string]*server{}, channels: map[string]int{},
	}
}

// Pool returns the goroutines in which requests run; they may start others there.
func (q *Queue) Pool() *Pool { return q.pool }

// Submit takes a request: it is run now or soon, or refused.
func (q *Queue) Submit(r Request) {
	q.mu.Lock()
	defer q.unlock()
	q.open++
	j := &job{Request: r, Queue: q, came: time.Now()}
	j.ctx, j.cancel = context.WithCancel(parallel.For(q.ctx, r.server()))
	p := q.players[r.Player]
	if p == nil {
		p = &player{}
		q.players[r.Player] = p
	}
	defer q.forget(r.Player, p)
	switch {
	case r.Age >= q.limits.MaxAge:
		q.refuse(j, Expired)
	case q.ctx.Err() != nil:
		q.refuse(j, Stopping)
	case r.Completion && p.completion != nil:
		p.completion.cancel()
		if p.next != nil {
			q.refuse(p.next, Superseded)
		}
		p.next = j
	case !r.Completion && p.requests >= q.limits.PerPlayer:
		q.refuse(j, OneAtATime)
	default:
		q.enter(p, j)
	}
}

// Drain waits until every request that was taken is done, or until the timeout. Then it
// ends the context of all work, refuses what waits, and returns how many were not done.
func (q *Queue) Drain(timeout time.Duration) int {
	defer q.cancel()
	q.mu.Lock()
	q.idle = make(chan struct{})
	idle := q.idle
	q.close(0)
	q.mu.Unlock()
	select {
	case <-idle:
		return 0
	case <-time.After(timeout):
	}
	q.mu.Lock()
	defer q.unlock()
	q.cancel()
	left := q.inFlight + q.waiting
	for len(q.turns) > 0 {
		s := q.turns[0]
		for len(s.waiting) > 0 {
			j := s.waiting[0]
			q.leave(j)
			q.refuse(j, Stopping)
		}
	}
	return left
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

// unlock unlocks q.mu, and then calls what had to wait for that.
func (q *Queue) unlock() {
	after := q.after
	q.after = nil
	q.mu.Unlock()
	for _, f := range after {
		f()
	}
}

// enter starts a request or lets it wait. It must be called with q.mu held, as all below except
// finish.
func (q *Queue) enter(p *player, j *job) {
	j.counted = true
	if j.Completion {
		p.completion = j
	} else {
		p.requests++
	}
	s := q.servers[j.server()]
	if s == nil {
		s = &server{}
		q.servers[j.server()] = s
	}
	if len(s.waiting) == 0 {
		q.turns = append(q.turns, s)
	}
	s.waiting = append(s.waiting, j)
	q.waiting++
	q.schedule()
	if !slices.Contains(s.waiting, j) {
		return
	}
	if q.waiting > q.limits.Waiting || len(s.waiting) > q.limits.WaitingPerServer {
		q.leave(j)
		q.refuse(j, Busy)
		return
	}
	j.late = time.AfterFunc(q.limits.MaxWait-j.age(), func() {
		q.mu.Lock()
		defer q.unlock()
		if s := q.servers[j.server()]; s != nil && slices.Contains(s.waiting, j) {
			q.leave(j)
			q.refuse(j, Busy)
		}
	})
}

// schedule starts every request that can be started, one of each server in turn.
func (q *Queue) schedule() {
	for i := 0; i < len(q.turns) && q.inFlight < q.limits.InFlight; {
		s := q.turns[i]
		at := -1
		if s.inFlight < q.limits.PerServer {
			at = slices.IndexFunc(s.waiting, func(j *job) bool { return q.channels[j.Channel] < q.limits.PerChannel })
		}
		if at < 0 {
			i++
			continue
		}
		j := s.waiting[at]
		q.leave(j)
		if len(s.waiting) > 0 { // its next turn comes after those of the others
			q.turns = append(slices.Delete(q.turns, i, i+1), s)
		}
		q.start(j)
	}
}

// leave takes a request out of those that wait. It still counts as the player's.
func (q *Queue) leave(j *job) {
	s := q.servers[j.server()]
	at := slices.Index(s.waiting, j)
	s.waiting = slices.Delete(s.waiting, at, at+1)
	q.waiting--
	if j.late != nil {
		j.late.Stop()
	}
	if len(s.waiting) == 0 {
		q.turns = slices.DeleteFunc(q.turns, func(o *server) bool { return o == s })
	}
	if s.inFlight == 0 && len(s.waiting) == 0 {
		delete(q.servers, j.server())
	}
}

// start runs a request that no longer waits.
func (q *Queue) start(j *job) {
	switch {
	case j.ctx.Err() != nil:
		q.refuse(j, Superseded) // it was superseded while it waited
		return
	case j.age() >= q.limits.MaxAge:
		q.refuse(j, Expired)
		return
	}
	s := q.servers[j.server()]
	if s == nil {
		s = &server{}
		q.servers[j.server()] = s
	}
	q.inFlight++
	s.inFlight++
	q.channels[j.Channel]++
	q.pool.Go(func() {
		defer q.finish(j)
		j.Run(j.ctx)
	})
}

// finish gives the place of a request that was run to the next one.
func (q *Queue) finish(j *job) {
	q.mu.Lock()
	defer q.unlock()
	q.inFlight--
	if q.channels[j.Channel]--; q.channels[j.Channel] == 0 {
		delete(q.channels, j.Channel)
	}
	s := q.servers[j.server()]
	if s.inFlight--; s.inFlight == 0 && len(s.waiting) == 0 {
		delete(q.servers, j.server())
	}
	q.done(j)
	q.schedule()
	q.close(1)
}

// close notes that n requests have ended for good.
func (q *Queue) close(n int) {
	if q.open -= n; q.open == 0 && q.idle != nil {
		close(q.idle)
		q.idle = nil
	}
}

// refuse ends a request that neither runs nor waits. It is answered if there is something
// to say and room for that.
func (q *Queue) refuse(j *job, why Refusal) {
	p := q.players[j.Player]
	answer := (why == OneAtATime || why == Busy) && !j.Completion && q.notes < q.limits.Notes && p.notes < q.limits.NotesPerPlayer
	if !answer {
		q.after = append(q.after, func() {
			j.Refuse(why, false)
			q.mu.Lock()
			defer q.mu.Unlock()
			q.close(1)
		})
		q.done(j)
		return
	}
	q.notes++
	p.notes++
	go func() {
		defer func() {
			q.mu.Lock()
			defer q.unlock()
			q.notes--
			p.notes--
			q.forget(j.Player, p)
			q.close(1)
		}()
		j.Refuse(why, true)
	}()
	q.done(j)
}

// done ends the player's part of a request that was run or refused.
func (q *Queue) done(j *job) {
	j.cancel()
	p := q.players[j.Player]
	switch {
	case !j.counted:
	case !j.Completion:
		p.requests--
	default:
		next := p.next
		p.completion, p.next = nil, nil
		if next != nil {
			q.enter(p, next)
		}
	}
	q.forget(j.Player, p)
}

// forget removes a player who has nothing in flight.
func (q *Queue) forget(name string, p *player) {
	if *p == (player{}) {
		delete(q.players, name)
	}
}
