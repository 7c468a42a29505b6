// Package bolt is the engine of package ordered in one bbolt file.
//
// A commit is on the disk before it is acknowledged; commits that arrive while the disk is
// busy share the next one (see group.go). One process owns the file. Every value is stored
// with a checksum, so none is taken for another (see layout.go), and the pages that lead to
// the values are looked at when the file is opened (see pages.go).
package bolt
