package bolt

import "go.etcd.io/bbolt"

// createNotes adds the bucket for what the helper keeps of players.
func createNotes(tx *bbolt.Tx) error {
	_, err := tx.CreateBucket(bucketNotes)
	return err
}
