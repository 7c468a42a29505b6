package bolt

import (
	"bytes"
	"errors"

	"fivefold/game"
)

// setAside moves a record that cannot be read to the bucket of damaged records, as it is,
// so that another one can take its place. If its page cannot be read either, it stays.
func (b buckets) setAside(bucket, key []byte) error {
	err := guard(func() error {
		from := b.Bucket(bucket).stored
		stored := bytes.Clone(from.Get(key))
		if stored == nil {
			return nil
		}
		if err := b.put(row{bucketDamaged, asideKey(bucket, key), stored}); err != nil {
			return err
		}
		return from.Delete(key)
	})
	if errors.Is(err, game.ErrDamaged) {
		return nil
	}
	return err
}

// lost reports whether a match was set aside, or was found to be missing in a repair.
func (b buckets) lost(id []byte) bool {
	return !b.Bucket(bucketMatches).has(id) && b.Bucket(bucketDamaged).has(asideKey(bucketMatches, id))
}

// asideKey is the key under which a record that could not be read is kept.
func asideKey(bucket, key []byte) []byte {
	return bytes.Join([][]byte{bucket, key}, []byte{0})
}
