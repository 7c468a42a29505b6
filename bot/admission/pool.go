package admission

import (
	"context"
	"time"
)

// Pool runs functions in goroutines that it uses again: a new one makes its stack larger
// several times while it answers, which took a twelfth of the bot's processor time in the part
// load of cmd/soak. Its methods are safe for concurrent use.
type Pool struct {
	work  chan func() // unbuffered: only an idle goroutine receives from it
	ended <-chan struct{}
}

// NewPool returns a pool, which has no goroutines at first. Idle ones end after a while, and at
// once when ctx does.
func NewPool(ctx context.Context) *Pool { return &Pool{make(chan func()), ctx.Done()} }

// idleFor is how long a goroutine waits for the next function.
const idleFor = time.Second

// Go runs f, which must not panic, and does not wait for it.
func (p *Pool) Go(f func()) {
	select {
	case p.work <- f:
	default:
		go p.run(f)
	}
}

func (p *Pool) run(f func()) {
	idle := time.NewTimer(idleFor)
	for {
		f()
		idle.Reset(idleFor)
		select {
		case f = <-p.work:
		case <-idle.C:
			return
		case <-p.ended:
			return
		}
	}
}
