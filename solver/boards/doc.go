// Package boards solves the poker game: it lists the boards that fit a deal, cuts
// them down by feedback, finds the one to guess next, and judges the guesses of a
// game. It also makes deals, and tells how hard they are.
package boards
