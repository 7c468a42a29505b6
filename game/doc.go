// Package game says what a match is: who plays it where, by which rules, how far it is, and what its result counts. It has
// values, and what all rooms below it and the store exchange; matches plays them, finished has those that have ended, statistics
// counts them, and work divides regular tasks among processes.
package game
