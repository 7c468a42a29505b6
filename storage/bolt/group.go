package bolt

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

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
	patient []*change // those of Later
	busy    bool      // whether a goroutine is committing
	closed  bool
	workers sync.WaitGroup // the goroutine that is committing
}

// change is one change of a group.
type change struct {
	ordered.Change
	by   game.Origin   // of the request that it is for
	done chan struct{} // closed once err is the result; nil for a change made in the background
	err  error
}

var errClosed = fmt.Errorf("%w: %w", game.ErrNotSaved, os.ErrClosed)

// Commit implements [ordered.Map]. It returns once the change is on the disk or refused. It also returns when ctx
// ends while the change waits for others; the change may then still be committed, or
// not. A change that sets something, if only a missing key to nil, finds out whether the disk takes changes.
func (m *Map) Commit(ctx context.Context, c ordered.Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g, own := &m.group, &change{Change: c, by: game.Committing(ctx), done: make(chan struct{})}
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

// laterWithin is how long a change of Later waits at most for others.
const laterWithin = 2 * time.Second

// Later implements [ordered.Map]. The value joins the next commit, so that it costs none of its own as long as
// there are others.
func (m *Map) Later(p ordered.Pair) {
	g := &m.group
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

// hurry has the changes of Later committed now.
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
	began, b := time.Now(), batch{changes: changes}
	err := g.disk.broken()
	if err == nil {
		switch err = g.update(g.db, b.write); {
		case errors.Is(err, errNothing):
			err = nil
		case err != nil && (b.written || b.id == 0) && !errors.Is(err, game.ErrDamaged):
			err = g.disk.failed(g.db, b.id, err) // no change is to blame
		}
		if err != nil && len(changes) > 1 && g.disk.broken() == nil {
			for _, c := range changes {
				g.commitAll([]*change{c})
			}
			return
		}
	}
	switch {
	case errors.Is(err, game.ErrNotSaved):
		g.disk.refused(len(changes), err)
	case err == nil && b.saved > 0:
		g.disk.saved(b.saved, time.Since(began))
	}
	for _, c := range changes {
		c.err = cmp.Or(err, c.err)
		if c.done != nil {
			close(c.done)
		} else {
			g.logFailure(c.err)
		}
	}
}

// batch is changes that are tried in one transaction.
type batch struct {
	changes []*change
	id      int  // of the transaction; 0 if it has not begun
	saved   int  // how many changes will be, once it is committed
	written bool // whether all of them could be made
}

// write makes the changes whose conditions hold; the others get a conflict, or game.ErrExpired. It guards itself,
// besides update: bbolt forgets a transaction that has returned an error, but after a panic it reads the list of free
// pages again, and where that is damaged it keeps its lock.
func (b *batch) write(tx *bbolt.Tx) (err error) {
	defer guarded(debug.SetPanicOnFault(true), &err)
	b.id = tx.ID()
	records := tx.Bucket(bucketRecords)
	for _, c := range b.changes {
		if c.err = cmp.Or(c.by.CheckExpiry(), conflict(records, c.If)); c.err != nil {
			continue
		}
		for _, p := range c.Set {
			key := []byte(p.Key)
			switch {
			case p.Value == nil:
				err = records.Delete(key)
			case len(p.Value) > longest:
				err = bolterrors.ErrValueTooLarge
			default:
				err = records.Put(key, seal(key, p.Value))
			}
			if err != nil {
				return err
			}
		}
		if len(c.Set) > 0 {
			b.saved++
		}
	}
	if b.saved == 0 {
		return errNothing
	}
	b.written = true
	return nil
}

// conflict returns game.ErrConflict if a condition does not hold.
func conflict(records *bbolt.Bucket, conditions []ordered.Pair) error {
	c := records.Cursor()
	for _, want := range conditions {
		if p := find(c, want.Key); (p.Value == nil) != (want.Value == nil) || !bytes.Equal(p.Value, want.Value) {
			return game.ErrConflict
		}
	}
	return nil
}
