package calls

import (
	"context"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
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
	users   int           // calls that are made or wait
	turn    chan struct{} // has a value while a call is made
	limiter *discordgo.RateLimiter
}

// maxQueues is how many queues are remembered before those that would take a call at once are
// forgotten.
const maxQueues = 1024

// enter waits for the turn of a call, at most until ctx ends. It returns a locked bucket,
// which the call must release, and a function that must be called after that.
func (l *channelQueues) enter(ctx context.Context, key string) (*discordgo.Bucket, func(), error) {
	l.mu.Lock()
	a := l.all[key]
	if a == nil {
		l.makeRoom()
		a = &channelQueue{turn: make(chan struct{}, 1), limiter: discordgo.NewRatelimiter()}
		l.all[key] = a
	}
	a.users++
	l.mu.Unlock()
	leave := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		a.users--
	}
	select {
	case a.turn <- struct{}{}:
	case <-ctx.Done():
		leave()
		return nil, nil, ctx.Err()
	}
	done := func() {
		<-a.turn
		leave()
	}
	bucket := a.limiter.GetBucket("")
	if err := Sleep(ctx, a.limiter.GetWaitTime(bucket, 1)); err != nil {
		done()
		return nil, nil, err
	}
	return a.limiter.LockBucketObject(bucket), done, nil
}

// queueInUse is what [channelQueues.wait] returns while a call is made.
const queueInUse = 25 * time.Millisecond

// wait returns how long to wait for a call; 0 if it may be made now.
func (l *channelQueues) wait(key string) time.Duration {
	l.mu.Lock()
	a := l.all[key]
	l.mu.Unlock()
	if a == nil {
		return 0
	}
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
		return a.limiter.GetWaitTime(a.limiter.GetBucket(""), 1)
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
	for key, a := range l.all {
		if a.users == 0 && a.limiter.GetWaitTime(a.limiter.GetBucket(""), 1) == 0 {
			delete(l.all, key)
		}
	}
}
