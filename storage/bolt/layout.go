package bolt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// The buckets of the file. Every value in them is sealed.
var (
	bucketMeta    = []byte("meta")    // keyFormat → format
	bucketRecords = []byte("records") // all keys of the map

	keyFormat = []byte("format")
)

// format is the file's format number, stored in one byte.
const format = 1

// A sealed value ends in a checksum of itself and its key, so that a value that was changed or moved to another key is
// noticed.

// checksumSize is how long a checksum is, in bytes.
const checksumSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum returns the CRC-32C of a value, its key and the key's length, which tells where the value ends.
func checksum(key, value []byte) uint32 {
	sum := crc32.Update(crc32.Checksum(value, castagnoli), castagnoli, key)
	return crc32.Update(sum, castagnoli, binary.BigEndian.AppendUint32(nil, uint32(len(key))))
}

func seal(key, value []byte) []byte {
	sealed := append(make([]byte, 0, len(value)+checksumSize), value...)
	return binary.BigEndian.AppendUint32(sealed, checksum(key, value))
}

// unseal returns the value in a sealed one, without copying it, and whether the checksum is right.
func unseal(key, sealed []byte) (value []byte, ok bool) {
	n := len(sealed) - checksumSize
	if n < 0 {
		return nil, false
	}
	value = sealed[:n:n]
	return value, binary.BigEndian.Uint32(sealed[n:]) == checksum(key, value)
}

// longest is how many bytes a stored value has at most; a longer value is damaged.
const longest = 16 << 20

// pairOf returns a copy of a key and its value. In a damaged file bbolt may return slices of any length; too long ones are not
// copied.
func pairOf(key, sealed []byte) ordered.Pair {
	key = key[:min(len(key), bbolt.MaxKeySize)]
	if len(sealed) > longest+checksumSize {
		sealed = nil
	}
	value, ok := unseal(key, sealed)
	return ordered.Pair{Key: string(key), Value: append([]byte{}, value...), Damaged: !ok}
}

// create makes the buckets of a new file.
func create(db *bbolt.DB) error {
	return update(db, func(tx *bbolt.Tx) error {
		meta, err := tx.CreateBucket(bucketMeta)
		if err != nil {
			return err
		}
		_, err = tx.CreateBucket(bucketRecords)
		return errors.Join(err, meta.Put(keyFormat, seal(keyFormat, []byte{format})))
	})
}

// checkFormat returns nil if a file is one of ours, and errEmpty if it has no buckets.
func checkFormat(tx *bbolt.Tx) error {
	if name, _ := tx.Cursor().First(); name == nil {
		return errEmpty
	}
	meta, records := tx.Bucket(bucketMeta), tx.Bucket(bucketRecords)
	if meta == nil || records == nil || meta.Get(keyFormat) == nil {
		return ErrForeign
	}
	switch number, ok := unseal(keyFormat, meta.Get(keyFormat)); {
	case !ok || len(number) != 1:
		return fmt.Errorf("its format cannot be read: %w", game.ErrDamaged)
	case number[0] != format:
		return fmt.Errorf("its format is %d, and this release knows %d: %w", number[0], format, game.ErrNewer)
	}
	return nil
}

var errEmpty = errors.New("nothing is stored in it")
