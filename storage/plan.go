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

// plan is a change in the making. What get reads becomes a condition of it. Its first error stays, and everything that is read
// after that is missing.
type plan struct {
	store  *Store
	change ordered.Change
	err    error
}

// fail ends the plan with an error, unless that is nil or another one came first.
func (p *plan) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// get returns the pairs of keys. They must be the same when the change is committed.
func (p *plan) get(ctx context.Context, keys ...string) []ordered.Pair {
	there := p.look(ctx, keys...)
	p.change.If = append(p.change.If, there...)
	return there
}

// look is get without the condition.
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

// read returns the answers of queries, without a condition.
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

// set has the change set pairs, or fail with the error of what made them.
func (p *plan) set(pairs []ordered.Pair, err error) {
	p.fail(err)
	p.change.Set = append(p.change.Set, pairs...)
}

// write has the change set a value; nil removes the key.
func (p *plan) write(key string, value []byte) {
	p.change.Set = append(p.change.Set, ordered.Pair{Key: key, Value: value})
}

// put is write for what is stored as a record.
func (p *plan) put(key string, v any) {
	data, err := record.Encode(v)
	p.fail(err)
	p.write(key, data)
}

// change plans a change and commits it. If something that the plan has read was changed meanwhile, it starts over. It ends with
// the first error of a plan.
func (s *Store) change(ctx context.Context, fill func(p *plan)) error {
	for try := 0; ; try++ {
		p := plan{store: s}
		if fill(&p); p.err != nil {
			return p.err
		}
		if err := s.m.Commit(ctx, p.change); !errors.Is(err, game.ErrConflict) {
			return err
		}
		if try > 2 { // many change the same: let them take turns
			if err := work.Sleep(ctx, time.Duration(mathrand.IntN(1<<min(try, 7)))*time.Millisecond); err != nil {
				return err
			}
		}
	}
}

// replace is change for a plan that depends on the pairs of some keys only.
func (s *Store) replace(ctx context.Context, fill func(there []ordered.Pair) (set []ordered.Pair, err error), keys ...string) error {
	return s.change(ctx, func(p *plan) {
		if there := p.get(ctx, keys...); p.err == nil {
			p.set(fill(there))
		}
	})
}
