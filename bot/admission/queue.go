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

// Job is the work on a request.
type Job interface {
	// Work is called once for each request that was taken: with Admitted to do it, or else with the reason why
	// it is not done; answer is whether the player may be told of that. The context ends when the work is no
	// longer wanted, and has the server as asker for permits. Work must not panic.
	Work(ctx context.Context, why Refusal, answer bool)
}

// Queue admits requests, up to its limits, and has them worked on. It is safe for concurrent use.
type Queue struct {
	limits Limits
	// ctx is that of all work. It outlives the front's, so that requests received before
	// the end are still answered.
	ctx    context.Context
	cancel context.CancelFunc
	free   chan *ticket // unbuffered: only an idle goroutine receives from it

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
	completion *ticket // the newest one, in flight or waiting; nil for none
	completing bool    // one is in flight, the newest or one before it
}

// server is a server with requests in flight or waiting.
type server struct {
	inFlight int
	waiting  []*ticket // in the order of arrival
}

// ticket is a request that was taken.
type ticket struct {
	Request
	job     Job
	of      *player
	in      *server
	ctx     context.Context
	cancel  context.CancelFunc
	came    time.Time
	counted bool        // among the player's
	waits   bool        // among the server's that wait
	late    *time.Timer // refuses it once it has waited for too long; nil if it was admitted at once
	why     Refusal
	note    bool // the refusal may be answered
}

// age returns how long ago the player made the request.
func (t *ticket) age() time.Duration { return t.Age + time.Since(t.came) }

// NewQueue returns a queue with the limits.
func NewQueue(l Limits) *Queue {
	ctx, cancel := context.WithCancel(context.Background())
	return &Queue{
		limits: l, ctx: ctx, cancel: cancel, free: make(chan *ticket),
		players: map[string]*player{}, servers: map[string]*server{}, channels: map[string]int{},
	}
}

// Enter takes a request. It returns at once: the job is called in a goroutine of its own, when its turn has come
// or it is refused.
func (q *Queue) Enter(r Request, job Job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.open++
	t := &ticket{Request: r, job: job, came: time.Now()}
	t.ctx, t.cancel = context.WithCancel(parallel.For(q.ctx, r.server()))
	p, s := q.players[r.Player], q.servers[r.server()]
	if p == nil {
		p = &player{}
		q.players[r.Player] = p
	}
	if s == nil {
		s = &server{}
		q.servers[r.server()] = s
	}
	t.of, t.in = p, s
	switch {
	case r.Age >= q.limits.MaxAge:
		q.refuse(t, Expired)
		return
	case q.ctx.Err() != nil:
		q.refuse(t, Stopping)
		return
	case r.Completion:
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
		return
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
		t.late = time.AfterFunc(q.limits.MaxWait-t.age(), func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			if t.waits {
				q.leave(t)
				q.refuse(t, Busy)
			}
		})
	}
}

// schedule starts every request that can be started, one of each server in turn. It is called with q.mu held, as
// all that follow but work.
func (q *Queue) schedule() {
	for i := 0; i < len(q.turns) && q.inFlight < q.limits.InFlight; {
		s := q.turns[i]
		at := -1
		if s.inFlight < q.limits.PerServer {
			at = slices.IndexFunc(s.waiting, func(t *ticket) bool {
				return q.channels[t.Channel] < q.limits.PerChannel && !(t.Completion && t.of.completing)
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
		t.of.completing = t.of.completing || t.Completion
		q.start(t)
	}
}

// start has the job of a request called.
func (q *Queue) start(t *ticket) {
	select {
	case q.free <- t:
	default:
		go q.work(t)
	}
}

// idleFor is how long a goroutine waits for the next request.
const idleFor = time.Second

// work works on a request, and then on others: a new goroutine makes its stack larger several times while it
// answers, which took a twelfth of the bot's processor time in the part load of cmd/soak.
func (q *Queue) work(t *ticket) {
	idle := time.NewTimer(idleFor)
	for {
		t.job.Work(t.ctx, t.why, t.note)
		q.done(t)
		idle.Reset(idleFor)
		select {
		case t = <-q.free:
		case <-idle.C:
			return
		case <-q.ctx.Done():
			return
		}
	}
}

// done ends a request that was worked on or refused, and gives its place to the next one. It takes q.mu itself.
func (q *Queue) done(t *ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case t.why == Admitted:
		q.inFlight--
		t.in.inFlight--
		if q.channels[t.Channel]--; q.channels[t.Channel] == 0 {
			delete(q.channels, t.Channel)
		}
		q.ended(t)
		q.schedule()
	case t.note:
		q.notes--
		t.of.notes--
		q.forget(t)
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

// rest tells Drain once nothing is left.
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

// leave takes a request out of those that wait. It still counts as the player's.
func (q *Queue) leave(t *ticket) {
	s := t.in
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

// refuse ends a request that neither runs nor waits. It may be answered if there is something
// to say and room for that.
func (q *Queue) refuse(t *ticket, why Refusal) {
	t.why = why
	t.note = (why == OneAtATime || why == Busy) && !t.Completion && q.notes < q.limits.Notes && t.of.notes < q.limits.NotesPerPlayer
	if t.note {
		q.notes++
		t.of.notes++
	}
	q.ended(t)
	q.start(t)
}

// ended ends the player's part of a request that was run or refused.
func (q *Queue) ended(t *ticket) {
	t.cancel()
	switch p := t.of; {
	case !t.counted:
	case !t.Completion:
		p.requests--
	default:
		if p.completion == t {
			p.completion = nil
		}
		p.completing = p.completing && t.why != Admitted
	}
	q.forget(t)
}

// forget removes the player of a request who has nothing in flight, and the server where nothing is done, unless it
// was removed and has come back while a refusal was being answered.
func (q *Queue) forget(t *ticket) {
	if *t.of == (player{}) {
		delete(q.players, t.Player)
	}
	if s := q.servers[t.server()]; s == t.in && s.inFlight == 0 && len(s.waiting) == 0 {
		delete(q.servers, t.server())
	}
}
