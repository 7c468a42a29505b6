// Package solver answers questions about a word game in progress from what its
// players see — guesses and feedback — and never from the hidden word.
//
// [Solver.Suggest] gives a hint at once, [Solver.Solve] the best guess with a proof
// of how good it is, [Solver.Grow] a plan for a whole game, and [Solver.Strategy] a
// rule to guess by. README.md, beside the README, tells how the search works, what
// is proven, and how fast it is.
//
// A [Solver] is safe for concurrent use.
package solver
