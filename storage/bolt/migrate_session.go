package bolt

import "go.etcd.io/bbolt"

// createSessions adds the bucket of sessions, which were called notes at first.
func createSessions(tx *bbolt.Tx) error {
	_, err := tx.CreateBucket(bucketSessions)
	return err
}
