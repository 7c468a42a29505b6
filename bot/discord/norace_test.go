//go:build !race

package discord

const underRace = false
