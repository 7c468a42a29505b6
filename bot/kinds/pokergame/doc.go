// Package pokergame is the poker game as a kind: its state, rules, codec and face.
package pokergame
