//go:build race

package discord

// underRace means that the race detector is on, which makes everything five to ten
// times slower.
const underRace = true
