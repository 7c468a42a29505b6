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
	createSessions,
	createHistory,
	allowPokle,
	nameKinds,
}

func createBuckets(tx *bbolt.Tx) error {
	for _, name := range [][]byte{
		bucketMeta, bucketMatches, bucketSlots, bucketReceipts,
		bucketRecent, bucketResults, bucketTotals, bucketRanks, bucketRankChunks,
	} {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	return nil
}

// formatOf returns the format of a file, 0 for an empty one. A format above the
// newest known is game.ErrNewer.
func formatOf(db *bbolt.DB, newest int) (format int, err error) {
	err = view(db, func(tx *bbolt.Tx) error {
		meta := tx.Bucket(bucketMeta)
		if meta == nil {
			if name, _ := tx.Cursor().First(); name != nil {
				return ErrForeign
			}
			return nil
		}
		b := meta.Get(keyFormat)
		switch {
		case b == nil:
			return ErrForeign
		case len(b) != 8:
			return fmt.Errorf("no format number: %w", game.ErrDamaged)
		}
		if n := binary.BigEndian.Uint64(b); n > uint64(newest) {
			return fmt.Errorf("its format is %d, this release knows up to %d: %w", n, newest, game.ErrNewer)
		}
		format = int(binary.BigEndian.Uint64(b))
		return nil
	})
	return format, err
}

// migrate runs the migrations that the file has not had, all in one
// transaction.
func migrate(db *bbolt.DB, migrations []migration) error {
	newest := len(migrations)
	format, err := formatOf(db, newest)
	if err != nil || format == newest {
		return err
	}
	return update(db, func(tx *bbolt.Tx) error {
		for n := format; n < newest; n++ {
			if err := migrations[n](tx); err != nil {
				return fmt.Errorf("bringing it from format %d to %d: %w", n, n+1, err)
			}
		}
		return tx.Bucket(bucketMeta).Put(keyFormat, number(uint64(newest)))
	})
}
