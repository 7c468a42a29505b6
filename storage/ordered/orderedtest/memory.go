// Package orderedtest has an ordered map in memory, for tests.
package orderedtest

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// Memory is an [ordered.Map] in memory: a page of plain code, with which tests compare the engines. The zero value is empty and
// ready to use.
type Memory struct {
	mu    sync.Mutex // protects the fields below
	keys  []string   // sorted
	pairs map[string][]byte
}

var _ ordered.Map = (*Memory)(nil)

// keysLocked returns the keys of a query, in their order. The caller must not change them.
func (m *Memory) keysLocked(q ordered.Query) []string {
	from, _ := slices.BinarySearch(m.keys, q.From)
	to, _ := slices.BinarySearch(m.keys, q.To)
	return m.keys[from:max(from, to)]
}

// Get implements [ordered.Map].
func (m *Memory) Get(ctx context.Context, keys ...string) ([]ordered.Pair, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	pairs := make([]ordered.Pair, len(keys))
	for i, k := range keys {
		pairs[i] = ordered.Pair{Key: k, Value: bytes.Clone(m.pairs[k])}
	}
	return pairs, ctx.Err()
}

// Read implements [ordered.Map].
func (m *Memory) Read(ctx context.Context, queries ...ordered.Query) ([][]ordered.Pair, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	answers := make([][]ordered.Pair, len(queries))
	for i, q := range queries {
		keys := slices.Clone(m.keysLocked(q))
		if q.Backward {
			slices.Reverse(keys)
		}
		for _, k := range keys[min(q.Skip, len(keys)):] {
			if q.Limit > 0 && len(answers[i]) == q.Limit {
				break
			}
			answers[i] = append(answers[i], ordered.Pair{Key: k, Value: bytes.Clone(m.pairs[k])})
		}
	}
	return answers, ctx.Err()
}

// Count implements [ordered.Map].
func (m *Memory) Count(ctx context.Context, queries ...ordered.Query) ([]int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	counts := make([]int, len(queries))
	for i, q := range queries {
		counts[i] = len(m.keysLocked(q))
	}
	return counts, ctx.Err()
}

// Commit implements [ordered.Map].
func (m *Memory) Commit(ctx context.Context, c ordered.Change) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := cmp.Or(ctx.Err(), game.Committing(ctx).CheckExpiry()); err != nil {
		return err
	}
	for _, p := range c.If {
		if v, ok := m.pairs[p.Key]; ok != (p.Value != nil) || !bytes.Equal(v, p.Value) {
			return game.ErrConflict
		}
	}
	if m.pairs == nil {
		m.pairs = map[string][]byte{}
	}
	for _, p := range c.Set {
		at, there := slices.BinarySearch(m.keys, p.Key)
		switch {
		case p.Value != nil && !there:
			m.keys = slices.Insert(m.keys, at, p.Key)
		case p.Value == nil && there:
			m.keys = slices.Delete(m.keys, at, at+1)
		}
		if p.Value == nil {
			delete(m.pairs, p.Key)
		} else {
			m.pairs[p.Key] = append([]byte{}, p.Value...)
		}
	}
	return nil
}

// Close does nothing.
func (m *Memory) Close() error { return nil }
