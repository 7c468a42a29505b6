package terminal

import (
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/solve"
	"fivefold/bot/terminal/tty"
	"fivefold/game/marks"
)

// helper is how a player types who gets help with a puzzle that is played elsewhere.
type helper solve.Language

// helper returns the language of this terminal, or nil if the player is here to play.
func (t *Terminal) helper() *helper {
	return (*helper)(t.Help)
}

// read returns the command that a line means, with its slash and arguments. If the line
// asks for help, or cannot be understood, it returns no command but a reply, and what was most likely
// meant, if anything was.
func (h *helper) read(line string, t *Terminal) (command string, reply bot.Reply, meant string) {
	words := strings.Fields(line)
	first, slash := strings.CutPrefix(strings.ToLower(words[0]), "/")
	rest := strings.Join(words[1:], " ")
	if slash && first == "" {
		first, rest = "?", ""
	}
	switch short, ok := h.Words[first]; {
	case first == "?" || first == "help" || first == h.Group && rest == "help":
		return "", h.help(t), ""
	case ok && !(len(first) == marks.Length && isFeedback(rest)): // a guess may also be the name of a command
		return strings.TrimSuffix("/"+short+" "+rest, " "), reply, ""
	case first == h.Group, slash && known(words, t.Bot.Table):
		return line, reply, ""
	}
	like, _ := nearest([]string{first}, h.names())
	if !slash && h.IsEntry(line) && (like == "" || len(words) > 1 || t.CanGuess == nil || t.CanGuess(first)) {
		return "/" + h.Entry + " " + strings.Join(words, " "), reply, ""
	}
	said := bot.Text("I do not know " + bot.Quote(words[0]) + ".")
	if like != "" {
		meant = strings.TrimSuffix(like+" "+rest, " ")
		said = said.With(fmt.Sprintf(" Do you mean %q?", meant))
	}
	if h.IsEntry(words[0]) { // an unusual word, which can be guessed all the same
		said = said.With(fmt.Sprintf(" To guess that word, type %q.", "next "+words[0]))
	}
	return "", bot.Ephemeral(said, bot.Text(`"help" lists what you can type.`)), meant
}

// known reports whether a command begins with the first word.
func known(words []string, table bot.Table) bool {
	name := strings.ToLower(strings.TrimPrefix(words[0], "/"))
	return slices.ContainsFunc(table.Commands, func(c bot.Command) bool { return strings.HasPrefix(c.Name+" ", name+" ") })
}

// names are the words that can be typed, sorted as in the help.
func (h *helper) names() []string {
	var all []string
	for _, l := range h.Lines {
		for _, typed := range strings.Split(l.Typed, ", ") {
			name, _, _ := strings.Cut(typed, " ")
			if h.Words[name] != "" && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return append(all, "help", "quit")
}

// help lists what can be typed.
func (h *helper) help(t *Terminal) bot.Reply {
	lines := []bot.Line{bot.Text(h.About)}
	all := append(slices.Clip(h.Lines), solve.TypedLine{Typed: "as NAME", Does: "change who types"}, solve.TypedLine{Typed: "quit", Does: "leave; the puzzle is kept"})
	wide := 0
	for _, l := range all {
		if n := len(l.Typed); n <= mostTyped {
			wide = max(wide, n)
		}
	}
	for _, l := range all {
		lines = append(lines, bot.Mono(fmt.Sprintf("  %-*s  %s", wide, l.Typed, l.Does)))
	}
	for _, note := range h.Notes {
		lines = append(lines, bot.Text(note))
	}
	if t.Colour || tty.IsTerminal(t.Out) {
		lines = append(lines, bot.Text("Shown here: [A] is green, (A) is yellow, A alone is black or grey."))
	}
	return bot.Ephemeral(lines...)
}

// mostTyped is the greatest width of the column of what is typed; longer lines stick out.
const mostTyped = 20

// shorten returns what to type for a command, and false if that has no short form.
func (h *helper) shorten(command string) (string, bool) {
	for _, name := range h.names() {
		if command == "/"+h.Words[name] {
			return name, true
		}
	}
	for name, short := range h.Words {
		if rest, ok := strings.CutPrefix(command, "/"+short+" "); ok && short != h.Entry {
			return name + " " + rest, true
		}
	}
	return strings.CutPrefix(command, "/"+h.Entry+" ")
}

// inShorthand replaces the commands in a reply by what is typed for them, in quotes:
// "undo" alone would read like any other word.
func (h *helper) inShorthand(r bot.Reply) bot.Reply {
	for _, line := range r.Lines {
		for i, s := range line.Text {
			if s.Style != bot.StyleCommand {
				continue
			}
			if short, ok := h.shorten(s.Text); ok {
				line.Text[i].Text = `"` + short + `"`
			}
		}
	}
	return r
}

// isFeedback reports whether a text is five marks.
func isFeedback(text string) bool {
	_, err := marks.Parse(text)
	return err == nil
}
