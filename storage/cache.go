package storage

import (
	"bytes"
	"sync"

	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// slotCache keeps slots that this process has read or written, so that the next commit need not read them and an unchanged
// match is decoded once. An entry may be out of date: a commit on condition of the entry conflicts, and its next try reads.
type slotCache struct {
	mu    sync.Mutex // protects slots
	slots map[string]cachedSlot
}

// cachedSlot is a slot as it is stored, and the same decoded.
type cachedSlot struct {
	ordered.Pair
	schema.Slot
}

// cacheSize is how many entries a cache holds. A full cache is emptied.
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

// take returns an entry as get does, and removes it.
func (c *slotCache) take(key string) (p cachedSlot, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, ok = c.slots[key]
	delete(c.slots, key)
	return p, ok
}

// decodeSlot decodes a slot, or takes it from the cache if its bytes are the same there.
func (s *Store) decodeSlot(p ordered.Pair) (schema.Slot, error) {
	if known, ok := s.cache.get(p.Key); ok && !p.Damaged && known.Version > 0 && bytes.Equal(known.Value, p.Value) {
		return known.Slot, nil
	}
	return s.codecs.DecodeSlot(p)
}
