package terminal

import (
	"strings"

	"fivefold/bot"
	"fivefold/game/wordle"
)

// shorthand is what a line means where somebody is here for help with a puzzle:
// the commands of /solve are typed without their first word, "undo" for
// "/solve undo", and what is none of them is a guess, tiles or both, for
// "/solve next". A line that begins with a slash means what it always does.
func shorthand(line string) string {
	words := strings.Fields(line)
	if len(words) == 0 || strings.HasPrefix(words[0], "/") || strings.EqualFold(words[0], "solve") {
		return line
	}
	_, isCommand := bot.Find("solve " + strings.ToLower(words[0]))
	if isCommand && len(words) == 2 {
		// A guess may be a command's name too; with tiles it is one.
		_, err := wordle.ParseFeedback(words[1])
		isCommand = err != nil
	}
	if isCommand {
		return "/solve " + line
	}
	return "/solve next " + line
}

// inShorthand writes the commands in a reply as they can be typed here, in quotes:
// "undo" alone would read like any other word.
func inShorthand(r bot.Reply) bot.Reply {
	for _, line := range r.Lines {
		for i, s := range line.Text {
			if s.Style != bot.Bold {
				continue
			}
			if short, ok := strings.CutPrefix(s.Text, "/solve "); ok {
				line.Text[i].Text = `"` + strings.TrimPrefix(short, "next ") + `"`
			}
		}
	}
	return r
}
