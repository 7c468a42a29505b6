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

// slotCache keeps the slots that this process read or wrote last, so that the next commit need not read them again, and an
// unchanged match is decoded once. An entry may be out of date: a commit on condition of it then conflicts, and reads.
type slotCache struct {
	mu    sync.Mutex // protects slots
	slots map[string]cachedSlot
}

// cachedSlot is a slot as it is stored, and what that means.
type cachedSlot struct {
	ordered.Pair
	schema.Slot
}

// cacheSize is the most entries of a cache. A full one is emptied.
const cacheSize = 1024

func (c *slotCache) put(p ordered.Pair, v schema.Slot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.slots == nil || len(c.slots) >= cacheSize {
		c.slots = map[string]cachedSlot{}
	}
	c.slots[p.Key] = cachedSlot{p, v}
}

func (c *slotCache) get(key string) (p cachedSlot, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok = c.slots[key]
	return p, ok
}

// take is get, and removes the entry.
func (c *slotCache) take(key string) (p cachedSlot, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok = c.slots[key]
	delete(c.slots, key)
	return p, ok
}

// latestOf returns the last n of a list.
func latestOf[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// draws keeps the answers that this process has just drawn, by list. Lists are stored by [ordered.Map.Async], so that
// starts in a busy server don't wait for one another; for a moment a stored list lacks its latest answers.
type draws struct {
	mu    sync.Mutex // protects lists
	lists map[string][]draw
}

type draw struct {
	answer string
	at     time.Time
}

const drawsWithin = 5 * time.Second // longer than Async takes

// appended returns a list with the answers that were just drawn at its end.
func (d *draws) appended(list string, answers []string) []string {
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

// addDraw adds an answer to a list.
func (s *Store) addDraw(list matches.RecentList, answer string) {
	d := &s.draws
	d.mu.Lock()
	if d.lists == nil || len(d.lists) >= cacheSize {
		d.lists = map[string][]draw{}
	}
	now := time.Now()
	recent := slices.DeleteFunc(d.lists[list.Name], func(d draw) bool { return now.Sub(d.at) > drawsWithin })
	d.lists[list.Name] = latestOf(append(recent, draw{answer, now}), list.Keep)
	d.mu.Unlock()
	s.m.Async(ordered.Pair{Key: schema.TopicRecent + list.Name, Value: schema.EncodeTexts(latestOf(d.appended(list.Name, list.Latest), list.Keep))})
}

// decodeSlot reads a slot, or takes it from the cache if it has not changed.
func (s *Store) decodeSlot(p ordered.Pair) (schema.Slot, error) {
	if known, ok := s.cache.get(p.Key); ok && !p.Damaged && known.Version > 0 && bytes.Equal(known.Value, p.Value) {
		return known.Slot, nil
	}
	return s.codecs.DecodeSlot(p)
}
