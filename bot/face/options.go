package face

import (
	"fmt"
	"strconv"

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

// ReadMode reads the value of an option "mode". An empty value means absent.
func ReadMode(typed string, absent game.Mode) game.Mode {
	switch typed {
	case "":
		return absent
	case together:
		return game.Together
	}
	return game.Mode(typed)
}

// StartMode is the option for a new match's mode.
func StartMode() bot.Option {
	return bot.Option{
		Name:    "mode",
		Help:    "together, in turns or by vote; solo: you alone; daily: today's puzzle, the same for all",
		Choices: []string{together, string(game.Turns), string(game.Vote), string(game.Solo), string(game.Daily)},
	}
}

// WhichMode is the option that chooses among several matches.
func WhichMode(f Face) bot.Option {
	choices := append([]string{string(game.Current)}, StartMode().Choices...)
	if f.Commands.Race != "" {
		choices = append(choices, string(game.Racing))
	}
	if f.Commands.Challenge != "" {
		choices = append(choices, string(game.Challenged))
	}
	choices = append(choices, string(game.Practice))
	return bot.Option{Name: "mode", Help: "Which game, if you have several here", Choices: choices}
}

// HintsOption is the option for the number of hints in a match.
func HintsOption() bot.Option {
	return bot.Option{
		Name: "hints", Help: "How many hints the game allows; on: any number",
		Choices: []string{"on", "off", "1", "2", "3", "4", "5"}, Named: true,
	}
}

// ReadHints reads a choice of [HintsOption]. An empty choice means on.
func ReadHints(chosen string) game.HintLimit {
	if chosen == "" || chosen == "on" {
		return game.HintLimit{}
	}
	most, _ := strconv.Atoi(chosen) // "off" gives 0
	return game.HintLimit{Limited: true, Most: most}
}

// StopCost asks whether to stop a match, and names the cost. It is empty if there is no cost.
func StopCost(m game.Match, by game.PlayerID) bot.Line {
	if number, daily := m.Puzzle.Daily(); daily && m.Mode == game.Daily {
		return bot.Text(bot.Bold(fmt.Sprintf("Give up on puzzle %d?", number)), " It will count as lost.")
	}
	others := m.OtherGuessers(by)
	if len(others) == 0 {
		return bot.Line{}
	}
	return bot.List(bot.Text(bot.Bold("Stop this game?"), " "), others, "and").With(" played in it too.").Named(m.Names)
}

// NoHints explains why a match gives no hint.
func NoHints(l game.HintLimit) bot.Line {
	switch l.Most {
	case 0:
		return bot.Text("Hints are off in this game.")
	case 1:
		return bot.Text("This game's only hint is gone.")
	}
	return bot.Text(fmt.Sprintf("All %d hints in this game are used up.", l.Most))
}
