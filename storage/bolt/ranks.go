package bolt

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"fivefold/game"
)

// ranks is the sorted list of one guild's rank keys. It counts the keys before any
// key without walking over all of them.
//
// The list is cut into chunks of adjacent keys. A chunk is named by its lower bound
// (the first one by the empty bound), and its size is stored under that name. The
// number of keys before a key is then the sizes of the chunks before its own, plus a
// walk within that chunk: for 100 000 players a few hundred sizes and at most
// maxChunk keys.
//
// BenchmarkRanks compares this with a plain list. In processor time, finding one
// place among 100 000 players takes 0.04 ms instead of 3.1 ms, where we aim at 2 ms,
// and among 10 000 players 0.02 ms instead of 0.3 ms. Moving a player takes at most
// 0.06 ms longer; that is paid when a match ends, once for each of its players.
type ranks struct {
	keys   bucket // prefix + key → nothing
	chunks bucket // prefix + lower bound → size
	prefix []byte // of the guild
}

// A chunk is split when it has more than maxChunk keys. It is joined with the one
// before or after it when both together have at most joinChunk. So any two adjacent
// chunks have more than joinChunk keys, and there are few chunks for many keys.
const (
	maxChunk  = 512
	joinChunk = maxChunk / 4
)

// stored returns a key as it is in the bucket.
func (r ranks) stored(key []byte) []byte { return append(bytes.Clone(r.prefix), key...) }

// chunk is the name and the size of a chunk.
type chunk struct {
	bound []byte // with the prefix; nil when there is no such chunk
	size  uint64
}

// decode returns the chunk with this name and size, or none when the name is nil or
// another guild's.
func (r ranks) decode(bound, size []byte) (chunk, error) {
	if !bytes.HasPrefix(bound, r.prefix) {
		return chunk{}, nil
	}
	if len(size) != 8 || binary.BigEndian.Uint64(size) > maxChunk {
		return chunk{}, fmt.Errorf("leaderboard: %w", game.ErrDamaged)
	}
	return chunk{bytes.Clone(bound), binary.BigEndian.Uint64(size)}, nil
}

// find returns the chunk that a key belongs to, and the one before it.
func (r ranks) find(key []byte) (own, previous chunk, err error) {
	c := r.chunks.Cursor()
	target := r.stored(key)
	bound, size := c.Seek(target)
	switch {
	case bound == nil:
		bound, size = c.Last()
	case !bytes.Equal(bound, target):
		bound, size = c.Prev()
	}
	if own, err = r.decode(bound, size); err != nil || own.bound == nil {
		return own, chunk{}, err
	}
	previous, err = r.decode(c.Prev())
	return own, previous, err
}

// insert adds a key that is not in the list.
func (r ranks) insert(key []byte) error {
	own, _, err := r.find(key)
	if err != nil {
		return err
	}
	if own.bound == nil {
		own.bound = r.prefix
	}
	own.size++
	if err := r.keys.Put(r.stored(key), nothing); err != nil {
		return err
	}
	if own.size > maxChunk {
		c := r.keys.Cursor()
		middle, _ := c.Seek(own.bound)
		for range own.size / 2 {
			middle, _ = c.Next()
		}
		if !bytes.HasPrefix(middle, r.prefix) {
			return fmt.Errorf("leaderboard: a chunk is smaller than its size: %w", game.ErrDamaged)
		}
		if err := r.chunks.Put(bytes.Clone(middle), number(own.size-own.size/2)); err != nil {
			return err
		}
		own.size /= 2
	}
	return r.chunks.Put(own.bound, number(own.size))
}

// remove takes a key out of the list; a key that is not in it is game.ErrDamaged.
func (r ranks) remove(key []byte) error {
	own, previous, err := r.find(key)
	if err != nil {
		return err
	}
	if own.size == 0 || r.keys.Get(r.stored(key)) == nil {
		return fmt.Errorf("leaderboard: a key is missing: %w", game.ErrDamaged)
	}
	if err := r.keys.Delete(r.stored(key)); err != nil {
		return err
	}
	own.size--
	if previous.bound != nil && previous.size+own.size <= joinChunk {
		if own, err = r.join(previous, own); err != nil {
			return err
		}
	}
	c := r.chunks.Cursor()
	c.Seek(own.bound)
	next, err := r.decode(c.Next())
	if err != nil {
		return err
	}
	if next.bound != nil && own.size+next.size <= joinChunk {
		if own, err = r.join(own, next); err != nil {
			return err
		}
	}
	return r.chunks.Put(own.bound, number(own.size))
}

// join returns a chunk and the next one as one chunk, which the caller must store.
func (r ranks) join(a, b chunk) (chunk, error) {
	return chunk{a.bound, a.size + b.size}, r.chunks.Delete(b.bound)
}

// count returns the number of keys before a key, and of all keys.
func (r ranks) count(key []byte) (before, all int, err error) {
	own, _, err := r.find(key)
	if err != nil {
		return 0, 0, err
	}
	c := r.chunks.Cursor()
	for bound, size := c.Seek(r.prefix); bytes.HasPrefix(bound, r.prefix); bound, size = c.Next() {
		next, err := r.decode(bound, size)
		if err != nil {
			return 0, 0, err
		}
		if bytes.Compare(bound, own.bound) < 0 {
			before += int(next.size)
		}
		all += int(next.size)
	}
	if own.bound != nil {
		target := r.stored(key)
		c := r.keys.Cursor()
		for k, _ := c.Seek(own.bound); k != nil && bytes.Compare(k, target) < 0; k, _ = c.Next() {
			before++
		}
	}
	return before, all, nil
}

// top returns the first n keys, or all when there are fewer, without the prefix.
// They are valid during the transaction.
func (r ranks) top(n int) [][]byte {
	var keys [][]byte
	c := r.keys.Cursor()
	for k, _ := c.Seek(r.prefix); len(keys) < n && bytes.HasPrefix(k, r.prefix); k, _ = c.Next() {
		keys = append(keys, k[len(r.prefix):])
	}
	return keys
}
