// Package play answers the commands of matches: start, guess, hint, board and stop.
package play
