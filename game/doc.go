// Package game defines a match: its players, place, rules, progress and result. It has the values that the packages below it
// exchange with fronts and the store: matches plays matches, finished has those that have ended, statistics counts results, and
// work divides regular tasks among processes.
package game
