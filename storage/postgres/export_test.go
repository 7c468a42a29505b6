package postgres

// SetBatches sets how much is removed in one transaction.
func (s *Store) SetBatches(n int) { s.clearBatch, s.forgetBatch, s.receiptBatch = n, n, n }
