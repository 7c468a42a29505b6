// Package postgres keeps matches, results and statistics in PostgreSQL, or in a database that
// speaks its protocol. Any number of processes can share one database: what must happen only
// once is decided by rows, and no process caches anything that another one could change.
//
// A guess is one statement, which changes a match only if it is still at the previous version.
// To start or end a match takes several statements: one transaction of two round trips. Every
// change carries the id of its request. If the connection is lost during the commit, the change
// is tried again, and the id shows whether the first try was committed. See commit.go and retry.go.
package postgres
