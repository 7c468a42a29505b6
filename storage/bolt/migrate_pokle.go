package bolt

import "go.etcd.io/bbolt"

// allowPokle changes nothing: matches of the poker game stand beside the others.
// It is here for the format number, by which releases that do not know the poker
// game see that they must not touch the file.
func allowPokle(*bbolt.Tx) error { return nil }
