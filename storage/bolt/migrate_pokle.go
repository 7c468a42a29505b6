package bolt

import "go.etcd.io/bbolt"

// allowPokle changes nothing but the format number, which keeps releases that do not
// know the poker game from opening the file.
func allowPokle(*bbolt.Tx) error { return nil }
