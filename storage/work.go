package storage

import (
	"context"
	"errors"
	"time"

	"fivefold/game"
	"fivefold/game/work"
	"fivefold/storage/schema"
)

// changeWork changes the record of a task, and reports whether it did. If change returns [game.ErrConflict], the record stays.
// An unreadable record is an argument of change, which decides about it.
func (s *Store) changeWork(ctx context.Context, name string, change func(w *schema.Work, unreadable error) error) (changed bool, err error) {
	err = s.change(ctx, func(p *plan) {
		there := p.get(ctx, schema.TopicWork+name)[0]
		w, err := schema.DecodeAs[schema.Work](there)
		if p.err == nil {
			p.fail(change(&w, err))
		}
		p.put(there.Key, w)
	})
	if errors.Is(err, game.ErrConflict) {
		return false, nil
	}
	return err == nil, err
}

// TakeWork implements [work.Store].
func (s *Store) TakeWork(ctx context.Context, name string, lease time.Duration) (taken work.Work, mine bool, err error) {
	mine, err = s.changeWork(ctx, name, func(w *schema.Work, unreadable error) error {
		now := time.Now()
		if now.Before(w.Due) || w.Owner != "" && now.Before(w.Lease) {
			return game.ErrConflict
		}
		w.Owner, w.Lease, w.Generation = s.owner, now.Add(lease), w.Generation+1
		taken = work.Work{Name: name, Owner: s.owner, Generation: w.Generation}
		return s.unlessDamaged(unreadable)
	})
	if !mine {
		taken = work.Work{}
	}
	return taken, mine, err
}

// EndWork implements [work.Store].
func (s *Store) EndWork(ctx context.Context, w work.Work, wait time.Duration) error {
	_, err := s.changeWork(ctx, w.Name, func(now *schema.Work, unreadable error) error {
		if unreadable == nil && (now.Owner != w.Owner || now.Generation != w.Generation) {
			return game.ErrConflict // another process has it by now
		}
		now.Owner, now.Due = "", time.Now().Add(wait)
		return unreadable
	})
	return err
}
