package terminal

import (
	"strings"

	"fivefold/bot"
)

// helpTopic reports whether a line asks for help, and on which topic: "" for everything.
func helpTopic(line string) (topic string, ok bool) {
	words := strings.Fields(strings.ToLower(strings.TrimPrefix(line, "/")))
	switch {
	case len(words) == 0 || len(words) == 1 && (words[0] == "help" || words[0] == "?"):
		return "", true
	case words[0] == "help":
		return strings.TrimPrefix(strings.Join(words[1:], " "), "/"), true
	case strings.Join(words, " ") == bot.NameHelp:
		return "", true
	}
	return "", false
}

// helpOn returns the rules and all commands, or the commands that begin with a topic.
func (p *person) helpOn(topic string) []bot.Line {
	var lines []bot.Line
	list := func(of func(bot.Command) bool) {
		for _, c := range p.Bot.Table.Commands {
			if of(c) && bot.InTerminal.Lists(c) {
				lines = append(lines, c.HelpLine())
			}
		}
	}
	if topic != "" {
		list(func(c bot.Command) bool { return strings.HasPrefix(c.Name+" ", topic+" ") })
		if len(lines) == 0 {
			return []bot.Line{bot.Text("There is no help on "+bot.Quote(topic)+". ", bot.Bold("help"), " lists everything.")}
		}
		return lines
	}
	for _, f := range p.Faces {
		lines = append(append(lines, f.HowToPlay...), bot.Text(f.Typing.Help), bot.Line{})
	}
	lines = append(lines, bot.Text(bot.Bold("Commands")))
	list(func(c bot.Command) bool { return !strings.HasPrefix(c.Name, "solve ") })
	keys := []bot.Line{bot.Text("The slash may be left out. ", bot.Bold("quit"), " leaves. Games are kept.")}
	if p.Colour {
		keys = []bot.Line{
			bot.Text("What you type goes into the tiles: letters, or the rank and suit of a card. Enter guesses, Esc clears."),
			bot.Text("After a game, type the next one's first word, or press Enter. Ctrl-Y copies the result."),
			bot.Text("A slash or a colon begins a command. There Tab completes, and the arrow keys bring back earlier ones."),
			bot.Text("Ctrl-C clears the line; ", bot.Bold("/quit"), ", or Ctrl-C on an empty line, leaves. Games are kept."),
		}
	}
	lines = append(lines,
		bot.Text(bot.Bold("help solve"), " — Help with a word puzzle that you play elsewhere."),
		bot.Line{},
		bot.Text(bot.Bold("In this terminal")),
	)
	return append(append(lines, keys...),
		bot.Text(bot.Bold("/as NAME"), " changes who types; ", bot.Bold("/as NAME /guess slate"), " does so for one line."),
		bot.Text(legend),
	)
}

const legend = "[A] is green: in its place. (A) is yellow: elsewhere. A alone is black: not there."

// similar returns the line that the player most likely meant, if a command is one or two slips away, or "".
func (p *person) similar(line string) (meant string) {
	words := strings.Fields(strings.TrimPrefix(line, "/"))
	least := 3
	for _, c := range p.Bot.Table.Commands {
		n := strings.Count(c.Name, " ") + 1
		if len(words) < n {
			continue
		}
		if d := slips(strings.ToLower(strings.Join(words[:n], " ")), c.Name); d > 0 && d < least && d*3 <= len(c.Name) {
			meant, least = strings.TrimSpace("/"+c.Name+" "+strings.Join(words[n:], " ")), d
		}
	}
	return meant
}

// slips returns the optimal string alignment distance of two words: the number of letters to delete, insert, replace or
// swap with the next.
func slips(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j-1], d[i-1][j], d[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}
