// Package solver finds good guesses in a word game from what its players see,
// guesses and feedback, and never from the hidden word.
//
// [Solver.Suggest] gives a hint at once, [Solver.Solve] the best guess and a proof
// that it is, [Solver.Grow] a plan for the whole game, and [Solver.Strategy] a rule to
// guess by; [Solver.Review] grades a finished game. README.md in this folder describes
// the search, what is proven, and how fast it is.
//
// A [Solver] is safe for concurrent use.
package solver
