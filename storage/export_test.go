package storage

import "context"

// Saved waits until the reviews are saved.
func (s *Store) Saved() { s.saving.Wait() }

// CheckCopied is checkCopied, for tests.
func (s *Store) CheckCopied(ctx context.Context) error { return s.checkCopied(ctx) }
