package bolt

import (
	"context"

	"go.etcd.io/bbolt"
)

// Probe commits a transaction that changes nothing, to find out whether the disk takes
// changes. Its error is the one that any other change would get.
func (s *Store) Probe(ctx context.Context) error {
	return s.group.commit(ctx, func(*bbolt.Tx) error { return nil })
}
