package bolt

import (
	"encoding/binary"
	"fmt"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// migration brings a file from one format to the next.
type migration func(*bbolt.Tx) error

// migrations lead from format n to n+1; the file's format is their number. The
// first one makes a new file. Each stays for ever: a file may be of any age.
var migrations = []migration{
	createBuckets,
}

func createBuckets(tx *bbolt.Tx) error {
	if name, _ := tx.Cursor().First(); name != nil {
		return ErrForeign
	}
	for _, name := range [][]byte{
		bucketMeta, bucketMatches, bucketChannels, bucketReceipts, bucketReceiptAges,
		bucketDrawn, bucketResults, bucketTotals, bucketRanks, bucketRankChunks,
	} {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return nil
}

// migrate runs the migrations that the file has not had, all in one
// transaction. A file that has had more than there are is game.ErrNewer.
func migrate(db *bbolt.DB, migrations []migration) error {
	var format uint64
	err := view(db, func(tx *bbolt.Tx) error {
		meta := tx.Bucket(bucketMeta)
		if meta == nil {
			return nil
		}
		b := meta.Get(keyFormat)
		if len(b) != 8 {
			return fmt.Errorf("no format number: %w", game.ErrDamaged)
		}
		format = binary.BigEndian.Uint64(b)
		return nil
	})
	newest := uint64(len(migrations))
	switch {
	case err != nil:
		return err
	case format > newest:
		return fmt.Errorf("its format is %d, this release knows up to %d: %w", format, newest, game.ErrNewer)
	case format == newest:
		return nil
	}
	return update(db, func(tx *bbolt.Tx) error {
		for n := format; n < newest; n++ {
			if err := migrations[n](tx); err != nil {
				return fmt.Errorf("bringing it from format %d to %d: %w", n, n+1, err)
			}
		}
		return tx.Bucket(bucketMeta).Put(keyFormat, number(newest))
	})
}
