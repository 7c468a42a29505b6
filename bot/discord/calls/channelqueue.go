package calls

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// channelQueues keep the calls that the bot makes by itself in a channel within Discord's limits, some
// five of each kind in five seconds: calls of one kind in one channel go one after the other, and
// wait while Discord takes no more. Made all at once, most would be refused with 429, which
// counts towards a ban and so slows down all calls, see [banLimit]. The zero value is ready to
// use. It is safe for concurrent use.
type channelQueues struct {
	mu  sync.Mutex // protects all, and users of each
	all map[string]*channelQueue
}

type channelQueue struct {
	users int           // calls that are made or wait
	turn  chan struct{} // has a value while a call is made

	// For whoever has the turn:
	left  int       // how many calls Discord takes before reset, as it has said last
	reset time.Time // zero if it has not
}

// wait returns how long to wait until Discord takes n more calls.
func (q *channelQueue) wait(n int) time.Duration {
	if q.left >= n {
		return 0
	}
	return max(0, time.Until(q.reset))
}

// saw notes what Discord says with a response about further calls. Nil notes nothing.
func (q *channelQueue) saw(h http.Header) {
	left, err := strconv.Atoi(h.Get("X-RateLimit-Remaining"))
	after, err2 := strconv.ParseFloat(h.Get("X-RateLimit-Reset-After"), 64)
	if q != nil && err == nil && err2 == nil {
		q.left, q.reset = left, time.Now().Add(time.Duration(after*float64(time.Second)))
	}
}

// maxQueues is how many queues are remembered before those that would take a call at once are
// forgotten.
const maxQueues = 1024

// enter waits for the turn of a call, at most until ctx ends. The call must leave the queue that it returns.
func (l *channelQueues) enter(ctx context.Context, key string) (*channelQueue, error) {
	l.mu.Lock()
	q := l.all[key]
	if q == nil {
		l.makeRoom()
		q = &channelQueue{turn: make(chan struct{}, 1)}
		l.all[key] = q
	}
	q.users++
	l.mu.Unlock()
	select {
	case q.turn <- struct{}{}:
		if err := Sleep(ctx, q.wait(1)); err != nil {
			l.leave(q)
			return nil, err
		}
		return q, nil
	case <-ctx.Done():
		l.mu.Lock()
		defer l.mu.Unlock()
		q.users--
		return nil, ctx.Err()
	}
}

// leave ends a call's turn.
func (l *channelQueues) leave(q *channelQueue) {
	<-q.turn
	l.mu.Lock()
	defer l.mu.Unlock()
	q.users--
}

// queueInUse is what [channelQueues.wait] returns while a call is made.
const queueInUse = 25 * time.Millisecond

// wait returns how long to wait for a call that leaves room for spare more; 0 if it may be made
// now.
func (l *channelQueues) wait(key string, spare int) time.Duration {
	l.mu.Lock()
	q := l.all[key]
	l.mu.Unlock()
	if q == nil {
		return 0
	}
	select {
	case q.turn <- struct{}{}:
		defer func() { <-q.turn }()
		return q.wait(1 + spare)
	default:
		return queueInUse
	}
}

// makeRoom forgets queues if there are too many. It is called with mu held.
func (l *channelQueues) makeRoom() {
	if l.all == nil {
		l.all = map[string]*channelQueue{}
	}
	if len(l.all) < maxQueues {
		return
	}
	for key, q := range l.all {
		if q.users == 0 && q.wait(1) == 0 {
			delete(l.all, key)
		}
	}
}
