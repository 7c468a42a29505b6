package bolt

import (
	"bytes"
	"cmp"
	"slices"

	"go.etcd.io/bbolt"

	"fivefold/storage/record"
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
	b := buckets{tx, record.All()}
	var all []row
	last := map[string]uint64{} // the number given last, by community
	err := tx.Bucket(bucketResults).ForEach(func(log, data []byte) error {
		n, err := decodeNumber(log)
		if err != nil {
			return err
		}
		r, err := b.codecs.DecodeResult(data)
		if err != nil {
			return err
		}
		r.Number = n
		m, err := b.loadMatch([]byte(r.Match))
		if err != nil {
			return err
		}
		e, err := b.entryOf(r)
		if err != nil {
			return err
		}
		community := m.Location.Community()
		last[community]++
		all = append(all, rows(m, e, last[community])...)
		return nil
	})
	if err != nil {
		return err
	}
	// Each match has a row with its community's last number; the last row stays.
	sortRows(all)
	return b.put(all...)
}

// sortRows sorts rows into the order in which they are written fastest.
func sortRows(all []row) {
	slices.SortStableFunc(all, func(a, b row) int {
		return cmp.Or(bytes.Compare(a.bucket, b.bucket), bytes.Compare(a.key, b.key))
	})
}
