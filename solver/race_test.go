//go:build race

package solver

// underRace says that the race detector is on, which makes everything slower by
// a factor of five to ten. Comparisons with plain code, in which nothing runs side
// by side, are then made on a part of their cases.
const underRace = true
