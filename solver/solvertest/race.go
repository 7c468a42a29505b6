//go:build race

package solvertest

// UnderRace says that the race detector is on, which makes everything slower by
// a factor of five to ten. Long tests in which nothing runs side by side are then made
// on a part of their cases.
const UnderRace = true
