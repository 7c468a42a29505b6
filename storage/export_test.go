package storage

import "context"

// Whole is whole, for tests.
func (s *Store) Whole(ctx context.Context) error { return s.whole(ctx) }
