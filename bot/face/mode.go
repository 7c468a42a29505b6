package face

import (
	"fivefold/bot"
	"fivefold/game"
)

// together is how players type the mode Together.
const together = "together"

// ModeName is how players type a mode.
func ModeName(m game.Mode) string {
	if m == game.Together {
		return together
	}
	return string(m)
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
	return bot.Option{Name: "mode", Help: "Which game, if you are playing more than one here", Choices: choices}
}
