//go:build race

package discord

// underRace says that the race detector is on, which makes everything slower by
// a factor of five to ten.
const underRace = true
