package calls

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"fivefold/game/work"
)

// Spacing is the least time from one call by the bot's token to the next. Discord takes 50 in a second from all processes
// together: see discord.com/developers/docs/topics/rate-limits#global-rate-limit. With this spacing, ten are left for calls
// that are longer on their way than the ones after them, and for other processes.
const Spacing = 25 * time.Millisecond

const (
	// Discord bans an address that gets 10 000 invalid responses in ten minutes, see
	// discord.com/developers/docs/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans. After maxInvalid, calls go
	// out only as fast as invalid responses are forgotten. So there are less than 6000 in ten minutes.
	maxInvalid = 4000
	forgotten  = 3 // invalid responses a second
	// maxQueues is how many queues are kept before the idle ones are forgotten.
	maxQueues = 1024
	// queueInUse is the wait that is told for a queue in use.
	queueInUse = 25 * time.Millisecond
)

// limits keeps calls within Discord's limits: those of the bot's token, those of an address with many invalid responses, and
// those of calls of one kind in one channel, some five in five seconds. It is safe for concurrent use.
type limits struct {
	log     *slog.Logger
	spacing time.Duration // see [Options]

	mu      sync.Mutex // protects the fields below
	next    time.Time  // when the next call by the bot's token may leave
	invalid float64    // invalid responses, less those that are forgotten
	counted time.Time  // when forget last ran
	warned  bool
	queues  map[string]*queue
}

// queue has calls go one after the other, and wait while Discord takes no more. Made all at once, most would be refused.
type queue struct {
	turn *semaphore.Weighted // held while a call is made
	free time.Time           // when Discord takes the next call; for the holder of turn
}

// enter waits until a call may leave, or until ctx ends. The caller must call leave with the header and error of the response.
func (l *limits) enter(ctx context.Context, key string, byBot bool) (leave func(http.Header, error), err error) {
	q := l.queue(key)
	if err := q.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	if err = work.Sleep(ctx, time.Until(q.free)); err == nil {
		err = l.wait(ctx, byBot)
	}
	if err != nil {
		q.turn.Release(1)
		return nil, err
	}
	return func(h http.Header, err error) {
		q.free = time.Now().Add(max(l.note(h, err), resetAfter(h)))
		q.turn.Release(1)
	}, nil
}

// queue returns the queue of a key, a new one for "". A queue may be forgotten just before a call takes its turn. At worst,
// the next call in that channel doesn't wait for that call.
func (l *limits) queue(key string) *queue {
	l.mu.Lock()
	defer l.mu.Unlock()
	q := l.queues[key]
	if q == nil {
		q = &queue{turn: semaphore.NewWeighted(1)}
		if len(l.queues) >= maxQueues {
			maps.DeleteFunc(l.queues, func(_ string, q *queue) bool { return q.wait() == 0 })
		}
		if key != "" {
			l.queues[key] = q
		}
	}
	return q
}

// queueWait returns how long to wait for a call in a queue; 0 if it may be made now.
func (l *limits) queueWait(key string) time.Duration {
	return l.queue(key).wait()
}

func (q *queue) wait() time.Duration {
	if !q.turn.TryAcquire(1) {
		return queueInUse
	}
	defer q.turn.Release(1)
	return max(0, time.Until(q.free))
}

// wait waits for what limits all calls. A call whose context would end before its turn takes no turn.
func (l *limits) wait(ctx context.Context, byBot bool) error {
	l.mu.Lock()
	now := time.Now()
	l.forget(now)
	at := now.Add(time.Duration(max(0, l.invalid-maxInvalid) / forgotten * float64(time.Second)))
	if byBot && l.next.After(at) {
		at = l.next
	}
	if end, ok := ctx.Deadline(); ok && end.Before(at) {
		l.mu.Unlock()
		return context.DeadlineExceeded
	}
	if byBot {
		l.next = at.Add(l.spacing)
	}
	l.mu.Unlock()
	return work.Sleep(ctx, at.Sub(now))
}

// note counts the response to a call, and returns how long Discord asks to wait before another one like it.
func (l *limits) note(h http.Header, err error) time.Duration {
	refused, ok := errors.AsType[*Error](err)
	if !ok {
		return 0
	}
	scope := h.Get("X-RateLimit-Scope")
	l.mu.Lock()
	defer l.mu.Unlock()
	if refused.Status == http.StatusTooManyRequests && scope == "global" {
		l.next = time.Now().Add(refused.after())
	}
	if IsStatus(err, http.StatusUnauthorized) || IsStatus(err, http.StatusForbidden) || refused.Status == http.StatusTooManyRequests && scope != "shared" {
		l.forget(time.Now())
		l.invalid++
	}
	if limited := l.invalid > maxInvalid; limited && !l.warned {
		l.warned = true
		l.log.Error("Discord refuses many requests; sending fewer, since it bans an address for 10000 in ten minutes")
	}
	return refused.after()
}

// forget forgets old invalid responses. It is called with mu held.
func (l *limits) forget(now time.Time) {
	l.invalid = max(0, l.invalid-forgotten*now.Sub(l.counted).Seconds())
	l.counted = now
	l.warned = l.warned && l.invalid > 0
}

// resetAfter returns how long Discord takes no more calls like the one with this header.
func resetAfter(h http.Header) time.Duration {
	if h.Get("X-RateLimit-Remaining") != "0" {
		return 0
	}
	seconds, _ := strconv.ParseFloat(h.Get("X-RateLimit-Reset-After"), 64) // 0 if it can't be read
	return time.Duration(seconds * float64(time.Second))
}
