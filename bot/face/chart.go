package face

import (
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/game"
)

// Chart draws the games won by number of guesses as bars of text. At least one was
// won.
func Chart(distribution [game.MaxAttempts]int) []bot.Line {
	const width = 12 // of the longest bar
	most := slices.Max(distribution[:])
	var lines []bot.Line
	for i, n := range distribution {
		row := fmt.Sprintf("%d |", i+1)
		if n > 0 {
			row += strings.Repeat("█", max(1, n*width/most))
		}
		lines = append(lines, bot.Mono(fmt.Sprintf("%s %d", row, n)))
	}
	return lines
}
