// Package solve helps players with puzzles that they play elsewhere: word puzzles and
// puzzles of the poker game. Players enter what they guessed there and the feedback they
// got; the package works out what is still possible and what to guess next.
//
// [Words] and [Boards] answer players. What is kept of a player is a [Session].
package solve
