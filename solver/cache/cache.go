// Package cache keeps what took long to find out.
package cache

import "sync"

// Cache keeps values by key. The zero value is empty. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu     sync.Mutex // protects the other fields
	values map[K]V
	size   int
}

// Get returns the value of a key, and whether there is one.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.values[key]
	return v, ok
}

// Put adds a value of the given size. If all sizes together would exceed most, it drops the other values first.
func (c *Cache[K, V]) Put(key K, v V, size, most int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.values == nil || c.size+size > most {
		c.values, c.size = map[K]V{}, 0
	}
	c.values[key] = v
	c.size += size
}
