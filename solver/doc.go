// Package solver answers questions about a word game in progress from what its
// players see — guesses and feedback — and never from the hidden word.
//
// A [Solver] is immutable and safe for concurrent use.
package solver
