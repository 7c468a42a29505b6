// Package poker solves the poker game: it lists the boards that fit a deal, narrows
// them down by feedback, suggests the one to guess next, and reviews games. It also
// makes puzzles and rates their difficulty.
package poker
