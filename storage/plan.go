package storage

import (
	"context"
	"errors"
	mathrand "math/rand/v2"
	"time"

	"fivefold/game"
	"fivefold/game/work"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

// plan is a change in the making. Pairs that get reads become its conditions. The first error stays; after it, every read finds
// nothing.
type plan struct {
	store  *Store
	change ordered.Change
	err    error
}

// fail ends the plan with err, unless err is nil or the plan has failed already.
func (p *plan) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// get reads the pairs of keys. They must be the same when the change is committed.
func (p *plan) get(ctx context.Context, keys ...string) []ordered.Pair {
	there := p.look(ctx, keys...)
	p.change.If = append(p.change.If, there...)
	return there
}

// look is get without the conditions.
func (p *plan) look(ctx context.Context, keys ...string) []ordered.Pair {
	if p.err == nil {
		there, err := p.store.m.Get(ctx, keys...)
		if err == nil {
			return there
		}
		p.err = err
	}
	return game.Each(keys, func(key string) ordered.Pair { return ordered.Pair{Key: key} })
}

// read answers queries, and adds no condition.
func (p *plan) read(ctx context.Context, queries ...ordered.Query) [][]ordered.Pair {
	if p.err == nil {
		answers, err := p.store.m.Read(ctx, queries...)
		if err == nil {
			return answers
		}
		p.err = err
	}
	return make([][]ordered.Pair, len(queries))
}

// set adds pairs to the change. err, from making the pairs, fails the plan.
func (p *plan) set(pairs []ordered.Pair, err error) {
	p.fail(err)
	p.change.Set = append(p.change.Set, pairs...)
}

// write adds a value to the change; nil removes the key.
func (p *plan) write(key string, value []byte) {
	p.change.Set = append(p.change.Set, ordered.Pair{Key: key, Value: value})
}

// put is write for a value that is stored as a record.
func (p *plan) put(key string, v any) {
	data, err := record.Encode(v)
	p.fail(err)
	p.write(key, data)
}

// change has fill plan a change, and commits it. After a conflict it starts over. The error of a plan ends it.
func (s *Store) change(ctx context.Context, fill func(p *plan)) error {
	for try := 0; ; try++ {
		p := plan{store: s}
		if fill(&p); p.err != nil {
			return p.err
		}
		if err := s.m.Commit(ctx, p.change); !errors.Is(err, game.ErrConflict) {
			return err
		}
		if try > 2 { // many callers change the same keys: let them take turns
			if err := work.Sleep(ctx, time.Duration(mathrand.IntN(1<<min(try, 7)))*time.Millisecond); err != nil {
				return err
			}
		}
	}
}

// replace is change for a plan that depends only on the pairs of the given keys.
func (s *Store) replace(ctx context.Context, fill func(there []ordered.Pair) (set []ordered.Pair, err error), keys ...string) error {
	return s.change(ctx, func(p *plan) {
		if there := p.get(ctx, keys...); p.err == nil {
			p.set(fill(there))
		}
	})
}
