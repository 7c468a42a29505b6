package storage

import (
	"bytes"
	"slices"
	"sync"
	"time"

	"fivefold/game/matches"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// recentReads remembers what this process last read or wrote of slots, so that a
// commit that follows need not read them again, and a match that has not changed is decoded once. What it has may be
// out of date: a commit on condition of it then conflicts, and all is read.
type recentReads struct {
	mu    sync.Mutex // protects pairs
	pairs map[string]remembered
}

// remembered is a pair and, of a slot, what it means.
type remembered struct {
	ordered.Pair
	schema.Slot
}

const readsKept = 1024

func (r *recentReads) put(p ordered.Pair, v schema.Slot) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pairs == nil || len(r.pairs) >= readsKept {
		r.pairs = map[string]remembered{}
	}
	r.pairs[p.Key] = remembered{p, v}
}

func (r *recentReads) get(key string) (p remembered, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok = r.pairs[key]
	return p, ok
}

// take is get, and forgets what it returns.
func (r *recentReads) take(key string) (p remembered, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok = r.pairs[key]
	delete(r.pairs, key)
	return p, ok
}

// latestOf returns the last n of a list.
func latestOf[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// draws remembers the answers that this process has just drawn, by list. A list is stored by [ordered.Map.Later], so
// that starts in a busy server do not wait for one another; for a moment the stored one lacks them.
type draws struct {
	mu    sync.Mutex // protects lists
	lists map[string][]draw
}

type draw struct {
	answer string
	at     time.Time
}

const drawsWithin = 5 * time.Second // longer than Later takes

// and returns a list with the answers that were just drawn at its end.
func (d *draws) and(list string, answers []string) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	answers = slices.Clone(answers)
	for _, drawn := range d.lists[list] {
		if time.Since(drawn.at) <= drawsWithin {
			answers = append(slices.DeleteFunc(answers, func(a string) bool { return a == drawn.answer }), drawn.answer)
		}
	}
	return answers
}

// drew adds an answer to a list.
func (s *Store) drew(list matches.RecentList, answer string) {
	d := &s.draws
	d.mu.Lock()
	if d.lists == nil || len(d.lists) >= readsKept {
		d.lists = map[string][]draw{}
	}
	now := time.Now()
	recent := slices.DeleteFunc(d.lists[list.Name], func(d draw) bool { return now.Sub(d.at) > drawsWithin })
	d.lists[list.Name] = latestOf(append(recent, draw{answer, now}), list.Keep)
	d.mu.Unlock()
	s.m.Later(ordered.Pair{Key: schema.TopicRecent + list.Name, Value: schema.EncodeTexts(latestOf(d.and(list.Name, list.Latest), list.Keep))})
}

// decodeSlot reads a slot, unless it is as it was when it was read last.
func (s *Store) decodeSlot(p ordered.Pair) (schema.Slot, error) {
	if known, ok := s.recent.get(p.Key); ok && !p.Damaged && known.Version > 0 && bytes.Equal(known.Value, p.Value) {
		return known.Slot, nil
	}
	return s.codecs.DecodeSlot(p)
}
