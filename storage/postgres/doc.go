// Package postgres keeps matches, results and statistics in PostgreSQL, or in a database that
// speaks its protocol. Any number of processes can use one database: whatever must happen
// once is decided by rows, and a process keeps nothing that another one could change.
//
// A guess is one statement that changes a match if it still has the version before. What
// takes several statements is one transaction of two round trips. Every change carries the id
// of its request, so one whose connection was lost during the commit is tried again, and then
// found to have been made. See commit.go and retry.go.
package postgres
