package storage

import (
	"bytes"
	"sync"

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

func (c *slotCache) put(v cachedSlot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.slots == nil || len(c.slots) >= cacheSize {
		c.slots = map[string]cachedSlot{}
	}
	c.slots[v.Key] = v
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

// decodeSlot reads a slot, or takes it from the cache if it has not changed.
func (s *Store) decodeSlot(p ordered.Pair) (schema.Slot, error) {
	if known, ok := s.cache.get(p.Key); ok && !p.Damaged && known.Version > 0 && bytes.Equal(known.Value, p.Value) {
		return known.Slot, nil
	}
	return s.codecs.DecodeSlot(p)
}
