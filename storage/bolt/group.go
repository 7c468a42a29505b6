package bolt

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// group commits changes. Those that arrive while the disk is busy share the next transaction.
//
// bbolt's own Batch gathers by a timer: a lone change waits 10 ms by default, and without a delay nothing is gathered. Here
// one caller at a time commits everything that waits, its own change included.
type group struct {
	db     *bbolt.DB
	update func(*bbolt.DB, func(*bbolt.Tx) error) error // the function update, except in tests
	disk   disk
	turn   chan struct{} // has one place, for the caller that commits

	mu      sync.Mutex // protects the fields below
	waiting []*change
	closed  bool
}

// change is one change of a group.
type change struct {
	ordered.Change
	by   game.Origin   // the request
	done chan struct{} // closed once err is the result
	err  error
}

var errClosed = fmt.Errorf("%w: %w", game.ErrNotSaved, os.ErrClosed)

// Commit implements [ordered.Map]. It returns once the change is on the disk or refused. If ctx ends while the change waits for
// others, Commit returns too; another caller may have begun to commit the change.
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
	g.mu.Unlock()
	select {
	case <-own.done:
	case g.turn <- struct{}{}:
		g.commitWaiting()
	case <-ctx.Done():
		g.mu.Lock()
		defer g.mu.Unlock()
		g.waiting = slices.DeleteFunc(g.waiting, func(c *change) bool { return c == own })
		return ctx.Err()
	}
	return own.err
}

// commitWaiting commits the waiting changes, and ends the caller's turn.
func (g *group) commitWaiting() {
	defer func() { <-g.turn }()
	g.mu.Lock()
	changes := g.waiting
	g.waiting = nil
	g.mu.Unlock()
	if len(changes) > 0 { // otherwise another caller has committed this caller's change
		g.commitAll(changes)
	}
}

// close commits the waiting changes, and refuses later ones.
func (g *group) close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.turn <- struct{}{}
	g.commitWaiting()
}

// errNothing rolls back a transaction in which nothing was written: committing it would take as long as any other.
var errNothing = errors.New("nothing to commit")

// commitAll commits the changes in one transaction. After any failure but a conflict, it tries each change again in a
// transaction of its own: a change that failed halfway can't be undone alone, and on a full disk a small one may fit.
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
		g.disk.observer.Committed(b.saved, time.Since(began))
	}
	for _, c := range changes {
		c.err = cmp.Or(err, c.err)
		close(c.done)
	}
}

// batch is a transaction with some changes.
type batch struct {
	changes []*change
	id      int  // id of the transaction; 0 if it has not begun
	saved   int  // how many changes the commit will save
	written bool // all changes were made; only the commit is left
}

// write makes the changes whose conditions hold; the others get a conflict, or game.ErrExpired. It recovers from panics itself,
// before bbolt sees them: after a panic, bbolt reads the list of free pages again and, if the list is damaged, keeps its lock.
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
