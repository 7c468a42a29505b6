// Package boards solves the poker game: it lists the boards that fit a deal, cuts
// them down by feedback, and finds the one whose feedback tells most.
package boards
