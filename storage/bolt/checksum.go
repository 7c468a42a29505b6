package bolt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// Since format 6 every value ends in a checksum of itself, its key and its bucket, so a
// value that was changed, or that got under another key, is never taken for a good one.
// [bucket] and [cursor] add checksums and take them away again; code that reads values in
// their stored form calls unseal. Only the file's format number has no checksum, since every
// release reads it.

// checksumSize is how long a checksum is, in bytes.
const checksumSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksumOf returns the CRC-32C of a value, its key and its bucket.
func checksumOf(bucket, key, value []byte) uint32 {
	return inBucket(checksumAnywhere(key, value), bucket)
}

// checksumAnywhere is the part of a checksum that does not depend on the bucket. The
// key's length says where the value ends.
func checksumAnywhere(key, value []byte) uint32 {
	sum := crc32.Update(0, castagnoli, value)
	sum = crc32.Update(sum, castagnoli, key)
	n := uint32(len(key))
	return crc32.Update(sum, castagnoli, []byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
}

func inBucket(anywhere uint32, bucket []byte) uint32 {
	return crc32.Update(anywhere, castagnoli, bucket)
}

// seal returns the stored form of a value.
func seal(bucket, key, value []byte) []byte {
	sealed := make([]byte, 0, len(value)+checksumSize)
	return binary.BigEndian.AppendUint32(append(sealed, value...), checksumOf(bucket, key, value))
}

// unseal returns the value in a stored form, as a part of that, and whether the checksum is
// right.
func unseal(bucket, key, sealed []byte) (value []byte, ok bool) {
	n := len(sealed) - checksumSize
	if n < 0 {
		return nil, false
	}
	value = sealed[:n:n]
	return value, binary.BigEndian.Uint32(sealed[n:]) == checksumOf(bucket, key, value)
}

// bucketOf returns the bucket in which the checksum of a record is right, or nil.
func bucketOf(key, sealed []byte) []byte {
	n := len(sealed) - checksumSize
	if n < 0 {
		return nil
	}
	sum, anywhere := binary.BigEndian.Uint32(sealed[n:]), checksumAnywhere(key, sealed[:n])
	for _, bucket := range allBuckets {
		if inBucket(anywhere, bucket) == sum {
			return bucket
		}
	}
	return nil
}

// unreadable is the panic for a record whose checksum is wrong. guard turns it
// into an error, as it does with the panics of bbolt itself at damage.
type unreadable struct{ bucket, key []byte }

func (u *unreadable) Error() string {
	return fmt.Sprintf("%s %q has a wrong checksum: %v", u.bucket, u.key, game.ErrDamaged)
}

func (u *unreadable) Unwrap() error { return game.ErrDamaged }

func mustUnseal(bucket, key, sealed []byte) []byte {
	value, ok := unseal(bucket, key, sealed)
	if !ok {
		panic(&unreadable{bucket, bytes.Clone(key)})
	}
	return value
}

// bucket is a bucket of bbolt whose values have checksums. Its methods are those of
// bbolt. A wrong checksum panics: see [unreadable].
type bucket struct {
	stored *bbolt.Bucket
	name   []byte
}

// Get returns a value, or nil if there is none.
func (b bucket) Get(key []byte) []byte {
	sealed := b.stored.Get(key)
	if sealed == nil {
		return nil
	}
	return mustUnseal(b.name, key, sealed)
}

// read is Get without a panic.
func (b bucket) read(key []byte) (value []byte, err error) {
	err = guard(func() error {
		value = b.Get(key)
		return nil
	})
	return value, err
}

// has reports whether there is a value, whatever it is.
func (b bucket) has(key []byte) bool { return b.stored.Get(key) != nil }

func (b bucket) Put(key, value []byte) error { return b.stored.Put(key, seal(b.name, key, value)) }

func (b bucket) Delete(key []byte) error { return b.stored.Delete(key) }

func (b bucket) Cursor() cursor { return cursor{b.stored.Cursor(), b.name} }

// ForEach calls f with every key and value, in the order of the keys.
func (b bucket) ForEach(f func(key, value []byte) error) error {
	return b.stored.ForEach(func(k, v []byte) error { return f(k, mustUnseal(b.name, k, v)) })
}

// cursor is a cursor of bbolt over a [bucket].
type cursor struct {
	stored *bbolt.Cursor
	bucket []byte
}

func (c cursor) First() (key, value []byte)        { return c.unseal(c.stored.First()) }
func (c cursor) Last() (key, value []byte)         { return c.unseal(c.stored.Last()) }
func (c cursor) Next() (key, value []byte)         { return c.unseal(c.stored.Next()) }
func (c cursor) Prev() (key, value []byte)         { return c.unseal(c.stored.Prev()) }
func (c cursor) Seek(k []byte) (key, value []byte) { return c.unseal(c.stored.Seek(k)) }
func (c cursor) Delete() error                     { return c.stored.Delete() }
func (c cursor) unseal(k, v []byte) (_, value []byte) {
	if k == nil {
		return nil, nil
	}
	return k, mustUnseal(c.bucket, k, v)
}
