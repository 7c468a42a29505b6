package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// group commits changes. Those that arrive while the disk is busy share the next
// transaction.
//
// bbolt's own Batch gathers by a timer: a lone change waits 10 ms by default, and without a
// delay nothing is gathered. Here a change that finds the disk idle is committed at once by
// its own caller, since waking another goroutine takes longer, and the next group gathers
// meanwhile.
type group struct {
	db     *bbolt.DB
	update func(*bbolt.DB, func(*bbolt.Tx) error) error // update, except in tests
	disk   disk

	mu      sync.Mutex // protects the fields below
	waiting []*change
	patient []*change // those of later
	busy    bool      // whether a goroutine is committing
	closed  bool
	workers sync.WaitGroup // the goroutine that is committing
}

// change is one change of a group.
type change struct {
	ordered.Change
	done chan struct{} // closed once err is the result; nil for a change made in the background
	err  error
}

var errClosed = fmt.Errorf("%w: %w", game.ErrNotSaved, os.ErrClosed)

// commit returns once the change is on the disk or refused. It also returns when ctx
// ends while the change waits for others; the change may then still be committed, or
// not.
func (g *group) commit(ctx context.Context, c ordered.Change) error {
	own := &change{Change: c, done: make(chan struct{})}
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return errClosed
	}
	g.waiting = append(g.waiting, own)
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
			g.workers.Go(g.run) // this caller need not wait for the others
		}
		return own.err
	}
	select {
	case <-own.done:
		return own.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// laterWithin is how long a change of later waits at most for others.
const laterWithin = 2 * time.Second

// later has a value join the next commit, so that it costs none of its own as long as
// there are others.
func (g *group) later(p ordered.Pair) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		g.logFailure(errClosed)
		return
	}
	g.patient = append(g.patient, &change{Change: ordered.Change{Set: []ordered.Pair{p}}})
	if len(g.patient) == 1 {
		time.AfterFunc(laterWithin, g.hurry)
	}
}

// hurry has the changes of later committed now.
func (g *group) hurry() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting, g.patient = append(g.waiting, g.patient...), nil
	if len(g.waiting) > 0 && !g.busy {
		g.busy = true
		g.workers.Go(g.run)
	}
}

// logFailure is the answer to a change made in the background. What the disk refuses is
// logged by disk.
func (g *group) logFailure(err error) {
	if err != nil && !errors.Is(err, game.ErrNotSaved) {
		g.disk.log.Error("could not store a value in the background", "error", err)
	}
}

// close commits what waits, and refuses every other change.
func (g *group) close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.hurry()
	g.workers.Wait()
}

// run commits group after group until nothing waits.
func (g *group) run() {
	for again := true; again; again = g.pending() {
		g.commitAll(g.take())
	}
}

// pending reports whether changes wait. When none do, the group is idle again.
func (g *group) pending() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.busy = len(g.waiting) > 0
	return g.busy
}

// take returns the changes that wait, at least one.
func (g *group) take() []*change {
	g.mu.Lock()
	defer g.mu.Unlock()
	changes := append(g.waiting, g.patient...)
	g.waiting, g.patient = nil, nil
	return changes
}

// errNothing rolls back a transaction in which nothing was written. Committing it
// would take as long as any other.
var errNothing = errors.New("nothing to commit")

// commitAll commits the changes in one transaction. What a change wrote before it
// failed cannot be undone by itself; so after any failure but a conflict, each change
// is tried again in a transaction of its own. On a full disk a small one may fit.
func (g *group) commitAll(changes []*change) {
	began := time.Now()
	results := make([]error, len(changes))
	saved, err := g.commitOnce(changes, results)
	if err != nil && len(changes) > 1 && g.disk.broken() == nil {
		for _, c := range changes {
			g.commitAll([]*change{c})
		}
		return
	}
	switch {
	case errors.Is(err, game.ErrNotSaved):
		g.disk.refused(len(changes), err)
	case saved > 0:
		g.disk.saved(saved, time.Since(began))
	}
	for i, c := range changes {
		if c.err = results[i]; err != nil {
			c.err = err
		}
		if c.done != nil {
			close(c.done)
		} else {
			g.logFailure(c.err)
		}
	}
}

// commitOnce tries the changes in one transaction, and sets the result of each: nil or a
// conflict. It returns how many were saved; with an error none was.
func (g *group) commitOnce(changes []*change, results []error) (saved int, err error) {
	if err := g.disk.broken(); err != nil {
		return 0, err
	}
	id, applied := 0, false
	err = g.update(g.db, func(tx *bbolt.Tx) error {
		id = tx.ID()
		for i, c := range changes {
			results[i] = apply(tx, c.Change)
			switch {
			case results[i] == nil && len(c.Set) > 0:
				saved++
			case results[i] != nil && !errors.Is(results[i], game.ErrConflict):
				return results[i]
			}
		}
		if saved == 0 {
			return errNothing
		}
		applied = true
		return nil
	})
	switch {
	case err == nil, errors.Is(err, errNothing):
		return saved, nil
	case (applied || id == 0) && !errors.Is(err, game.ErrDamaged):
		err = g.disk.failed(g.db, id, err) // no change is to blame
	}
	return 0, err
}
