package storage

import "context"

// CheckCopied is checkCopied, for tests.
func (s *Store) CheckCopied(ctx context.Context) error { return s.checkCopied(ctx) }
