// Package admission decides which requests of players are worked on, in which order, and
// which are refused, so that nobody can keep others waiting by asking for a lot. It knows
// nothing of how requests arrive or how they are answered.
package admission
