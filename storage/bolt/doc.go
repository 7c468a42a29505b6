// Package bolt keeps matches, results and statistics in one bbolt file.
//
// A commit is on the disk before it is acknowledged; commits that arrive while
// the disk is busy share the next one (see group.go). One process owns the file.
package bolt
