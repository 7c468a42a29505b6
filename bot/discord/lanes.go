package discord

import (
	"context"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
)

// lanes keep the calls that the bot makes by itself in a channel within Discord's limits, some
// five of each kind in five seconds: calls of one kind in one channel go one after the other, and
// wait while Discord takes no more. Made all at once, most would be refused with 429, which
// counts towards a ban and so slows down all calls, see [guard]. The zero value is ready to
// use. It is safe for concurrent use.
type lanes struct {
	mu  sync.Mutex // protects all, and users of each
	all map[string]*lane
}

type lane struct {
	users   int           // calls that are made or wait
	turn    chan struct{} // has a value while a call is made
	limiter *discordgo.RateLimiter
}

// maxLanes is how many lanes are remembered before those that would take a call at once are
// forgotten.
const maxLanes = 1024

// enter waits for the turn of a call, at most until ctx ends. It returns a locked bucket,
// which the call must release, and a function that must be called after that.
func (l *lanes) enter(ctx context.Context, key string) (*discordgo.Bucket, func(), error) {
	l.mu.Lock()
	a := l.all[key]
	if a == nil {
		l.makeRoom()
		a = &lane{turn: make(chan struct{}, 1), limiter: discordgo.NewRatelimiter()}
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
	if err := sleep(ctx, a.limiter.GetWaitTime(bucket, 1)); err != nil {
		done()
		return nil, nil, err
	}
	return a.limiter.LockBucketObject(bucket), done, nil
}

// laneInUse is what [lanes.wait] returns while a call is made.
const laneInUse = 25 * time.Millisecond

// wait returns how long to wait for a call that leaves room for spare more; 0 if it may be made
// now.
func (l *lanes) wait(key string, spare int) time.Duration {
	l.mu.Lock()
	a := l.all[key]
	l.mu.Unlock()
	if a == nil {
		return 0
	}
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
		return a.limiter.GetWaitTime(a.limiter.GetBucket(""), 1+spare)
	default:
		return laneInUse
	}
}

// makeRoom forgets lanes if there are too many. It is called with mu held.
func (l *lanes) makeRoom() {
	if l.all == nil {
		l.all = map[string]*lane{}
	}
	if len(l.all) < maxLanes {
		return
	}
	for key, a := range l.all {
		if a.users == 0 && a.limiter.GetWaitTime(a.limiter.GetBucket(""), 1) == 0 {
			delete(l.all, key)
		}
	}
}
