// Package wordle is the five-letter word game's rules: words, feedback, the state of one game and the word lists it is played
// with.
//
// Everything here is a value without I/O, clock or randomness; a move takes a [State] and returns a new one. [Score] is the only
// definition of feedback: the game, the solver and every check of "does this word fit what we saw" go through it.
package wordle
