package terminal

import (
	"strings"

	"fivefold/bot"
	"fivefold/game/wordle"
)

// shorthand returns the command that a line means when the player is here to solve a
// word puzzle. The commands of /solve are typed without their first word, such as
// "undo" for "/solve undo"; anything else is a guess, tiles or both, for "/solve next".
// A line that begins with a slash means what it always does.
func shorthand(line string, table bot.Table) string {
	words := strings.Fields(line)
	if len(words) == 0 || strings.HasPrefix(words[0], "/") || strings.EqualFold(words[0], "solve") {
		return line
	}
	_, isCommand := table.Find("solve " + strings.ToLower(words[0]))
	if isCommand && len(words) == 2 {
		// A guess may also be the name of a command; followed by tiles it is a guess.
		_, err := wordle.ParseFeedback(words[1])
		isCommand = err != nil
	}
	if isCommand {
		return "/solve " + line
	}
	return "/solve next " + line
}

// shorten is the reverse: it returns what to type for a command, and false if that
// is not a command of /solve.
func shorten(command string) (string, bool) {
	short, ok := strings.CutPrefix(command, "/solve ")
	return strings.TrimPrefix(short, "next "), ok
}

// pokleShorthand is [shorthand] for puzzles of the poker game: whatever is typed is for
// "/pokle solve", and "show" is that command alone.
func pokleShorthand(line string) string {
	words := strings.Fields(line)
	switch {
	case len(words) == 0, strings.HasPrefix(words[0], "/"), strings.EqualFold(words[0], "pokle"):
		return line
	case len(words) == 1 && strings.EqualFold(words[0], pokleShow):
		return "/pokle solve"
	}
	return "/pokle solve " + line
}

const pokleShow = "show"

// pokleShorten is [shorten] for the command /pokle solve.
func pokleShorten(command string) (string, bool) {
	if command == "/pokle solve" {
		return pokleShow, true
	}
	return strings.CutPrefix(command, "/pokle solve ")
}

// inShorthand replaces the commands in a reply by what shorten returns for them, in
// quotes: "undo" alone would read like any other word.
func inShorthand(r bot.Reply, shorten func(command string) (string, bool)) bot.Reply {
	for _, line := range r.Lines {
		for i, s := range line.Text {
			if s.Style != bot.StyleBold {
				continue
			}
			if short, ok := shorten(s.Text); ok {
				line.Text[i].Text = `"` + short + `"`
			}
		}
	}
	return r
}
