// Package play answers the commands of matches, for every kind of game: start, guess,
// hint, board and stop.
package play
