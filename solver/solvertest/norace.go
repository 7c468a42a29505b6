//go:build !race

package solvertest

const UnderRace = false
