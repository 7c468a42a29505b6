package bolt

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"sync"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// group commits changes, several in one transaction when they arrive while the
// disk is busy with the one before.
//
// bbolt's own Batch gathers by a timer: it makes a lone change wait (10 ms
// by default) and, with no wait, gathers nothing. Here a change that
// finds the disk idle is committed at once, by its own caller: waking another
// goroutine for it was measured to cost a sixth of the commit. The time that a
// commit takes is the time in which the next group gathers.
type group struct {
	db *bbolt.DB

	mu      sync.Mutex // protects waiting and busy
	waiting []*change
	busy    bool           // whether somebody works off waiting
	workers sync.WaitGroup // those who work it off
}

// change is one function of a group. It must return game.ErrConflict before it
// writes anything: it then takes no part, and the others go on.
type change struct {
	apply func(*bbolt.Tx) error
	done  chan error // buffered
}

// commit returns once the change is on the disk or refused. It also returns when ctx
// ends while the change waits for others; the change may then still be committed,
// and nobody learns how that went.
//
// When the change panics, and the file is not to blame, commit panics with a *bug.
func (g *group) commit(ctx context.Context, apply func(*bbolt.Tx) error) error {
	err := g.answer(ctx, apply)
	if bug, ok := err.(*bug); ok {
		panic(bug)
	}
	return err
}

func (g *group) answer(ctx context.Context, apply func(*bbolt.Tx) error) error {
	c := &change{apply: apply, done: make(chan error, 1)}
	g.mu.Lock()
	g.waiting = append(g.waiting, c)
	first := !g.busy
	if first {
		g.busy = true
		g.workers.Add(1)
	}
	g.mu.Unlock()
	if first {
		defer g.workers.Done()
		g.commitAll(g.take())
		if g.pending() {
			g.workers.Go(g.run) // those who came meanwhile are not this caller's to wait for
		}
		return <-c.done
	}
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// wait returns when nothing is left to commit.
func (g *group) wait() { g.workers.Wait() }

// run works off what waits.
func (g *group) run() {
	for again := true; again; again = g.pending() {
		g.commitAll(g.take())
	}
}

// pending reports whether changes wait. Where none do, nobody is busy any more.
func (g *group) pending() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.busy = len(g.waiting) > 0
	return g.busy
}

// take returns the changes that wait, of which there is one at least.
//
// After a commit many callers wake at once, and are back with their next change
// within microseconds. Taking the first of them alone would make all others wait
// for one more commit, so take lets the other goroutines run for as long as that
// brings more. A lone change loses next to nothing by it.
func (g *group) take() []*change {
	for seen := 0; ; {
		g.mu.Lock()
		if n := len(g.waiting); n > seen {
			g.mu.Unlock()
			seen = n
			runtime.Gosched()
			continue
		}
		changes := g.waiting
		g.waiting = nil
		g.mu.Unlock()
		return changes
	}
}

// try applies the change. It returns a panic of ours as a *bug, for the change's
// own caller: the goroutine that is here may belong to another change.
func (c *change) try(tx *bbolt.Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &bug{p, debug.Stack()}
		}
	}()
	return guard(func() error { return c.apply(tx) })
}

// errNothing ends a transaction in which nothing was written: committing it
// would cost as much as any other.
var errNothing = errors.New("nothing to commit")

// commitAll commits the changes in one transaction. Where one fails other than
// by a conflict, what it has written cannot be taken back alone, so each is
// tried again in a transaction of its own.
func (g *group) commitAll(changes []*change) {
	results := make([]error, len(changes))
	err := update(g.db, func(tx *bbolt.Tx) error {
		end := errNothing
		for i, c := range changes {
			results[i] = c.try(tx)
			switch {
			case results[i] == nil:
				end = nil
			case !errors.Is(results[i], game.ErrConflict):
				return results[i]
			}
		}
		return end
	})
	if errors.Is(err, errNothing) {
		err = nil // each has its conflict
	}
	if err != nil && len(changes) > 1 {
		for _, c := range changes {
			g.commitAll([]*change{c})
		}
		return
	}
	for i, c := range changes {
		if err != nil {
			c.done <- err
		} else {
			c.done <- results[i]
		}
	}
}
