package terminal

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"fivefold/bot"
	"fivefold/bot/solve"
	"fivefold/bot/terminal/tty"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
)

// helper is the language of a terminal in which the player gets help with a puzzle that is
// played elsewhere: the commands of /solve or /pokle solve without their beginning, and
// guesses and feedback without any command.
type helper struct {
	group string            // that may be typed in front of any command
	words map[string]string // what can be typed, with what it is short for
	entry string            // what guesses and feedback are for
	// isEntry reports whether a line that begins with none of the words seems to be a guess,
	// feedback or, for boards, a deal, perhaps with a mistake in it.
	isEntry func(line string) bool
	about   string   // what all this is, in the help
	notes   []string // how feedback and cards are written
	lines   []typedLine
}

// typedLine says what a line that can be typed does.
type typedLine struct{ typed, does string }

var wordHelper = helper{
	group: "solve",
	words: map[string]string{
		"next": bot.NameSolveNext, "show": bot.NameSolveNext, "undo": bot.NameSolveUndo, "change": bot.NameSolveChange,
		"top": bot.NameSolveTop, "words": bot.NameSolveWords, "hard": bot.NameSolveHard, "strategy": bot.NameSolveStrategy,
		"new": bot.NameSolveNew, "record": bot.NameSolveRecord, "help": bot.NameSolveHelp,
	},
	entry:   bot.NameSolveNext,
	isEntry: isWordEntry,
	about:   "Help with a word puzzle that you play elsewhere: I propose a word, you guess it there and type the feedback it got, and so on.",
	notes: []string{
		"Feedback is b for black or grey, y for yellow and g for green, in the order of the letters. 0, 1 and 2, the squares of a shared result, and colours in words work too.",
	},
	lines: []typedLine{
		{"bbygb", "the feedback for the word proposed"},
		{"crane", "choose another word"},
		{"crane bbygb", "another word and its feedback; crane:bbygb too"},
		{"next, show", "see where you are"},
		{"undo", "take back the last line"},
		{"change 2 bbygb", "correct the feedback of line 2"},
		{"top", "the ten best words, with figures"},
		{"words", "the words that fit, most likely first"},
		{"hard, hard off", "keep to hard mode, or leave it"},
		{"strategy minimax", "how to choose; or optimal, expected, entropy, parts"},
		{"new, new hard", "begin another puzzle"},
		{"record", "how many puzzles you have solved"},
	},
}

var boardHelper = helper{
	group:   "pokle",
	words:   map[string]string{"next": bot.NamePokleSolve, "show": bot.NamePokleSolve, "undo": bot.NamePokleSolve + " undo", "new": bot.NamePokleSolve + " new"},
	entry:   bot.NamePokleSolve,
	isEntry: isBoardEntry,
	about:   "Help with a poker puzzle that you play elsewhere: I propose a board, you guess it there and type the feedback it got, and so on.",
	notes: []string{
		"A deal is two cards of player 1, 2 and 3, then their places on the flop, on the turn and on the river. Equal hands share a place, as in 112.",
		"Cards are 2 to 10, J, Q, K and A with C ♣, D ♦, H ♥ or S ♠.",
		"Feedback is g for green, y for yellow and e for grey, in the order of the cards. 0, 1 and 2, the squares of a shared result, and colours in words work too.",
	},
	lines: []typedLine{
		{solve.ExampleDeal, "begin with a deal"},
		{"gyeyg", "the feedback for the board proposed"},
		{"4C 4H QH AC JC", "choose another board: the flop, then turn and river"},
		{solve.ExampleStep, "another board and its feedback; a colon between them is fine"},
		{"next, show", "see where you are"},
		{"undo", "take back the last guess"},
		{"new", "begin with a new deal"},
	},
}

// helper returns the language of this terminal, or nil if the player is here to play.
func (t *Terminal) helper() *helper {
	switch {
	case t.Solve:
		return &wordHelper
	case t.PokleSolve:
		return &boardHelper
	}
	return nil
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
	switch short, ok := h.words[first]; {
	case first == "?" || first == "help" || first == h.group && rest == "help":
		return "", h.help(t), ""
	case ok && !(len(first) == wordle.Length && isFeedback(rest)): // a guess may also be the name of a command
		return strings.TrimSuffix("/"+short+" "+rest, " "), reply, ""
	case first == h.group, slash && known(words, t.Bot.Table):
		return line, reply, ""
	}
	like := h.like(first)
	if !slash && h.isEntry(line) && (like == "" || len(words) > 1 || t.CanGuess == nil || t.CanGuess(first)) {
		return "/" + h.entry + " " + strings.Join(words, " "), reply, ""
	}
	if like != "" && like != first {
		meant = strings.TrimSuffix(like+" "+rest, " ")
	}
	return "", h.unknown(words[0], like), meant
}

// known reports whether a command begins with the first word.
func known(words []string, table bot.Table) bool {
	name := strings.ToLower(strings.TrimPrefix(words[0], "/"))
	return slices.ContainsFunc(table.Commands, func(c bot.Command) bool { return strings.HasPrefix(c.Name+" ", name+" ") })
}

// like returns the word of the helper that a word is most likely meant to be, or "".
func (h *helper) like(word string) string {
	best, least := "", utf8.RuneCountInString(word)
	for _, name := range h.names() {
		if n := slips(word, name); n < least && n <= max(1, len(name)/3) {
			best, least = name, n
		}
	}
	return best
}

// names are the words that can be typed, sorted as in the help.
func (h *helper) names() []string {
	var all []string
	for _, l := range h.lines {
		for _, typed := range strings.Split(l.typed, ", ") {
			name, _, _ := strings.Cut(typed, " ")
			if h.words[name] != "" && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return append(all, "help", "quit")
}

// unknown is the reply to a line that cannot be understood.
func (h *helper) unknown(word, like string) bot.Reply {
	line := bot.Text("I do not know " + bot.Quote(word) + ".")
	if like != "" {
		line = bot.Text(fmt.Sprintf("I do not know %s. Do you mean %q?", bot.Quote(word), like))
	}
	if h.isEntry(word) { // an unusual word, which can be guessed all the same
		line = line.With(fmt.Sprintf(" To guess that word, type %q.", "next "+word))
	}
	var entries []string
	for _, l := range h.lines {
		if name, _, _ := strings.Cut(l.typed, ","); h.words[strings.Fields(name)[0]] == "" {
			entries = append(entries, fmt.Sprintf("%q", l.typed))
		}
	}
	last := len(entries) - 1
	return bot.Ephemeral(line, bot.Text("You can type ", strings.Join(entries[:last], ", "), " or ", entries[last], "; or "+strings.Join(h.names(), ", ")+"."))
}

// help lists what can be typed.
func (h *helper) help(t *Terminal) bot.Reply {
	lines := []bot.Line{bot.Text(h.about)}
	all := append(slices.Clip(h.lines), typedLine{"as NAME", "change who types"}, typedLine{"quit", "leave; the puzzle is kept"})
	wide := 0
	for _, l := range all {
		if n := len(l.typed); n <= mostTyped {
			wide = max(wide, n)
		}
	}
	for _, l := range all {
		lines = append(lines, bot.Mono(fmt.Sprintf("  %-*s  %s", wide, l.typed, l.does)))
	}
	for _, note := range h.notes {
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
		if command == "/"+h.words[name] {
			return name, true
		}
	}
	for name, short := range h.words {
		if rest, ok := strings.CutPrefix(command, "/"+short+" "); ok && short != h.entry {
			return name + " " + rest, true
		}
	}
	return strings.CutPrefix(command, "/"+h.entry+" ")
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

// onlyMarks reports whether a text consists of marks alone, however many.
func onlyMarks(text string) bool {
	_, err := marks.Parse(text)
	var fault *marks.Error
	return err == nil || errors.As(err, &fault) && fault.Unknown == 0 && fault.Marks > 0
}

// isWordEntry is isEntry for words.
func isWordEntry(line string) bool {
	guess, rest, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, ":", " ")), " ")
	_, err := wordle.ParseWord(guess)
	switch {
	case err == nil, onlyMarks(line):
		return true
	case strings.TrimSpace(rest) == "":
		return false
	}
	return onlyMarks(rest) || slices.Contains([]string{"feedback", "guess"}, strings.ToLower(guess))
}

// isBoardEntry is isEntry for boards.
func isBoardEntry(line string) bool {
	if onlyMarks(line) {
		return true
	}
	words := strings.Fields(strings.ReplaceAll(line, ":", " "))
	if len(words) == 0 { // colons alone
		return false
	}
	if slices.Contains([]string{"feedback", "deal", "guess"}, strings.ToLower(words[0])) {
		return true
	}
	const few = 3 // so many marks make a word look like five of them
	like := 0
	for _, r := range words[0] {
		if onlyMarks(string(r)) {
			like++
		}
	}
	return like >= few && utf8.RuneCountInString(words[0]) <= marks.Length+1 || slices.ContainsFunc(words, func(word string) bool {
		cards, err := pokle.ParseCards(word)
		return err == nil && len(cards) > 0
	})
}
