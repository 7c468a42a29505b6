package calls

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/sync/semaphore"
)

// channelQueues keeps the bot's own calls in a channel within Discord's limits, some five of each kind in five seconds. Calls
// of one kind in one channel go one after the other, and wait while Discord takes no more. Made all at once, most would be
// refused with 429, which counts towards a ban and slows down all calls, see [banLimit]. The zero value is ready to use. It
// is safe for concurrent use.
type channelQueues struct {
	mu  sync.Mutex // protects all
	all map[string]*channelQueue
}

type channelQueue struct {
	turn    *semaphore.Weighted // held while a call is made
	limiter *discordgo.RateLimiter
}

// maxQueues is how many queues are kept before the idle ones are forgotten.
const maxQueues = 1024

// enter waits for the turn of a call, at most until ctx ends. It returns a locked bucket,
// which the call must release, and a function that must be called after that.
func (l *channelQueues) enter(ctx context.Context, key string) (*discordgo.Bucket, func(), error) {
	l.mu.Lock()
	a := l.all[key]
	if a == nil {
		l.makeRoom()
		a = &channelQueue{semaphore.NewWeighted(1), discordgo.NewRatelimiter()}
		l.all[key] = a
	}
	l.mu.Unlock()
	if err := a.turn.Acquire(ctx, 1); err != nil {
		return nil, nil, err
	}
	bucket := a.limiter.GetBucket("")
	if err := Sleep(ctx, a.limiter.GetWaitTime(bucket, 1)); err != nil {
		a.turn.Release(1)
		return nil, nil, err
	}
	return a.limiter.LockBucketObject(bucket), func() { a.turn.Release(1) }, nil
}

// queueInUse is what [channelQueues.wait] returns while a call is made.
const queueInUse = 25 * time.Millisecond

// wait returns how long to wait for a call; 0 if it may be made now.
func (l *channelQueues) wait(key string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if a := l.all[key]; a != nil {
		return a.wait()
	}
	return 0
}

func (a *channelQueue) wait() time.Duration {
	if !a.turn.TryAcquire(1) {
		return queueInUse
	}
	defer a.turn.Release(1)
	return a.limiter.GetWaitTime(a.limiter.GetBucket(""), 1)
}

// makeRoom forgets idle queues if there are too many. At worst a call is about to take the turn of one, and the next call in
// that channel does not wait for it. It is called with mu held.
func (l *channelQueues) makeRoom() {
	if l.all == nil {
		l.all = map[string]*channelQueue{}
	}
	if len(l.all) >= maxQueues {
		maps.DeleteFunc(l.all, func(_ string, a *channelQueue) bool { return a.wait() == 0 })
	}
}
