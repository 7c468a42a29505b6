package bolt

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// ranks is the sorted list of one guild's rank keys, with their number before
// any key to be had without counting them all.
//
// The list is cut into chunks of neighbours. A chunk is named by its lower
// bound — the first one by the empty bound — and is stored with its size. The
// number of keys before a key is then the sizes of the chunks before its own,
// plus a walk within that one: for 100 000 players a few hundred chunks and at
// most maxChunk keys, instead of 100 000.
type ranks struct {
	keys   *bbolt.Bucket // prefix + key → nothing
	chunks *bbolt.Bucket // prefix + lower bound → size
	prefix []byte        // of the guild
}

// A chunk is split when it grows beyond maxChunk, and joins a neighbour when both
// together have shrunk to a quarter of that. So any two neighbours hold more than
// joinChunk keys, and there are few chunks for the keys there are.
const (
	maxChunk  = 512
	joinChunk = maxChunk / 4
)

func (r ranks) full(key []byte) []byte { return append(bytes.Clone(r.prefix), key...) }

// chunk is the cursor's position in the list of chunks.
type chunk struct {
	bound []byte // with the prefix; nil when there is no such chunk
	size  uint64
}

func (r ranks) at(bound, size []byte) (chunk, error) {
	if !bytes.HasPrefix(bound, r.prefix) {
		return chunk{}, nil
	}
	if len(size) != 8 {
		return chunk{}, fmt.Errorf("leaderboard: %w", game.ErrDamaged)
	}
	return chunk{bytes.Clone(bound), binary.BigEndian.Uint64(size)}, nil
}

// find returns the chunk to which a key belongs, and the one before it.
func (r ranks) find(key []byte) (own, previous chunk, err error) {
	c := r.chunks.Cursor()
	full := r.full(key)
	bound, size := c.Seek(full)
	switch {
	case bound == nil:
		bound, size = c.Last()
	case !bytes.Equal(bound, full):
		bound, size = c.Prev()
	}
	if own, err = r.at(bound, size); err != nil || own.bound == nil {
		return own, chunk{}, err
	}
	previous, err = r.at(c.Prev())
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
	if err := r.keys.Put(r.full(key), nothing); err != nil {
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

// remove takes a key out of the list.
func (r ranks) remove(key []byte) error {
	own, previous, err := r.find(key)
	if err != nil {
		return err
	}
	if own.size == 0 || r.keys.Get(r.full(key)) == nil {
		return fmt.Errorf("leaderboard: a key is missing: %w", game.ErrDamaged)
	}
	if err := r.keys.Delete(r.full(key)); err != nil {
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
	next, err := r.at(c.Next())
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

// join returns a chunk and the one behind it as one, not stored yet.
func (r ranks) join(a, b chunk) (chunk, error) {
	return chunk{a.bound, a.size + b.size}, r.chunks.Delete(b.bound)
}

// count returns how many keys there are before a key, and in all.
func (r ranks) count(key []byte) (before, all int, err error) {
	own, _, err := r.find(key)
	if err != nil {
		return 0, 0, err
	}
	c := r.chunks.Cursor()
	for bound, size := c.Seek(r.prefix); bytes.HasPrefix(bound, r.prefix); bound, size = c.Next() {
		next, err := r.at(bound, size)
		if err != nil {
			return 0, 0, err
		}
		if bytes.Compare(bound, own.bound) < 0 {
			before += int(next.size)
		}
		all += int(next.size)
	}
	if own.bound != nil {
		full := r.full(key)
		c := r.keys.Cursor()
		for k, _ := c.Seek(own.bound); k != nil && bytes.Compare(k, full) < 0; k, _ = c.Next() {
			before++
		}
	}
	return before, all, nil
}

// top returns the first n keys, without the prefix. They are valid during the
// transaction.
func (r ranks) top(n int) [][]byte {
	var keys [][]byte
	c := r.keys.Cursor()
	for k, _ := c.Seek(r.prefix); len(keys) < n && bytes.HasPrefix(k, r.prefix); k, _ = c.Next() {
		keys = append(keys, k[len(r.prefix):])
	}
	return keys
}
