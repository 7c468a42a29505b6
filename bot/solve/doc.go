// Package solve has the commands that help with puzzles played elsewhere: /solve for
// word puzzles and /pokle solve for the poker game.
package solve
