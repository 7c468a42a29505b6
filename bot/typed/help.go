package typed

import (
	"cmp"
	"strings"

	"fivefold/bot"
	"fivefold/game/marks"
)

// Help shortens the commands for a player who only wants help with a puzzle.
type Help struct {
	Group string // the first word of the commands, such as "solve"; it may be left out
	Entry string // the command for guesses and feedback; alone it shows the puzzle
}

// Expand returns a shortened line as a whole command with its slash.
func (h *Help) Expand(line string, commands []bot.Command) string {
	typed, slash := strings.CutPrefix(line, "/")
	words := strings.Fields(typed)
	_, _, known := Find(words, commands)
	_, rest, short := Find(strings.Fields(h.Group+" "+typed), commands)
	_, noFeedback := marks.Parse(strings.Join(rest, " "))
	switch lower := strings.ToLower(typed); {
	case lower == "next" || lower == "show":
		return "/" + h.Entry
	case slash && known, strings.HasPrefix(h.Group+" ", strings.ToLower(words[0])+" "):
	case short && (len(words[0]) != marks.Length || noFeedback != nil): // a guess can look like a command
		return "/" + h.Group + " " + typed
	case !slash:
		return "/" + h.Entry + " " + typed
	}
	return "/" + typed
}

// Short returns a line without the words that may be left out. A nil Help leaves out none.
func (h *Help) Short(line string) string {
	if h == nil {
		return line
	}
	for _, left := range []string{h.Entry, h.Group} {
		if rest, ok := strings.CutPrefix(line+" ", "/"+left+" "); ok {
			return cmp.Or(strings.TrimSpace(rest), "next")
		}
	}
	return line
}

// Lines lists the commands in their short forms.
func (h *Help) Lines(commands []bot.Command) (lines []bot.Line) {
	for _, c := range commands {
		if strings.HasPrefix(c.Name+" ", h.Group+" ") {
			lines = append(lines, bot.Text(bot.Bold(h.Short("/"+c.Usage())), " — "+c.Help+"."))
		}
	}
	return append(lines, bot.Text(bot.Bold("quit"), " — Leave. I'll keep your puzzle."))
}
