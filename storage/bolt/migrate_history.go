package bolt

import (
	"bytes"
	"cmp"
	"slices"

	"go.etcd.io/bbolt"

	"fivefold/game"
)

// createHistory makes the buckets of histories and reviews, and fills those of
// histories from the log.
//
// bbolt splits a page only when the transaction ends: until then every key that
// is not the last one moves all behind it, which took 37 s for 30 000 matches. So
// the keys are put in their order.
func createHistory(tx *bbolt.Tx) error {
	for _, name := range [][]byte{bucketHistory, bucketNumbers, bucketPlayers, bucketReviews} {
		if _, err := tx.CreateBucket(name); err != nil {
			return err
		}
	}
	var all []row
	last := map[string]uint64{} // the number given last, by pool
	err := tx.Bucket(bucketResults).ForEach(func(log, record []byte) error {
		n, err := decodeNumber(log)
		if err != nil {
			return err
		}
		r, err := game.DecodeResult(record)
		if err != nil {
			return err
		}
		m, err := loadMatch(tx.Bucket(bucketMatches), []byte(r.Match))
		if err != nil {
			return err
		}
		pool := m.Location.Community()
		last[pool]++
		all = append(all, rows(m, n, last[pool])...)
		return nil
	})
	if err != nil {
		return err
	}
	// A pool's last number has a row from each match; the last one stays.
	slices.SortStableFunc(all, func(a, b row) int {
		return cmp.Or(bytes.Compare(a.bucket, b.bucket), bytes.Compare(a.key, b.key))
	})
	for _, r := range all {
		if err := tx.Bucket(r.bucket).Put(r.key, r.value); err != nil {
			return err
		}
	}
	return nil
}
