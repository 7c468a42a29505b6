package face

import (
	"fmt"

	"fivefold/bot"
	"fivefold/game"
)

const together = "together"

// ModeName is how players type a mode.
func ModeName(m game.Mode) string {
	if m == game.Together {
		return together
	}
	return string(m)
}

// PuzzleName names the daily puzzle of a match, such as "daily puzzle 311"; it is empty for all others.
func PuzzleName(m game.Match) string {
	number, daily := m.Puzzle.Daily()
	switch {
	case !daily:
		return ""
	case m.Mode == game.Archive:
		return fmt.Sprintf("daily puzzle %d, for practice", number)
	}
	return fmt.Sprintf("daily puzzle %d", number)
}

// ReadMode reads the value of an option "mode"; an empty one means absent.
func ReadMode(typed string, absent game.Mode) game.Mode {
	switch typed {
	case "":
		return absent
	case together:
		return game.Together
	}
	return game.Mode(typed)
}

// StartMode is the option for the mode in which a match begins.
func StartMode() bot.Option {
	return bot.Option{
		Name:    "mode",
		Help:    "together: everybody here; solo: you alone; daily: today's puzzle, the same for everybody",
		Choices: []string{together, string(game.Solo), string(game.Daily)},
	}
}

// WhichMode is the option that says which of several matches is meant.
func WhichMode(f Face) bot.Option {
	choices := []string{string(game.Current), together, string(game.Solo), string(game.Daily)}
	if f.Commands.Race != "" {
		choices = append(choices, string(game.Racing))
	}
	choices = append(choices, string(game.Archive))
	return bot.Option{Name: "mode", Help: "Which game, if you are playing more than one here", Choices: choices}
}
