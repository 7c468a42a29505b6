// Package wordgame is the word game as a kind: its state, rules, codec and face.
package wordgame
