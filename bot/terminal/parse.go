package terminal

import (
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"fivefold/bot"
	"fivefold/bot/face"
)

// parsed is a command with its arguments.
type parsed struct {
	command string
	args    map[string]string
	secret  bool // others must not see the arguments
}

// parse reads a line such as "/wordle start hard" with the table of commands. The slash may be left out. Options come
// in order, or as name:value or name=value. A flag is its name alone. A choice may come early. A text of several words,
// or the last missing text, takes all words up to a named option or a choice. A mistake tells the
// player what is wrong; it is empty for a line that can be carried out.
func parse(line string, commands []bot.Command) (p parsed, mistake string) {
	words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "/"))
	c, rest, ok := find(words, commands)
	if !ok {
		first := append(words, "")[0]
		if group := beginningWith(first, commands); group != "" {
			return p, "Which one? " + group + "."
		}
		return p, "I don't know " + bot.Quote(first) + ". Try /help."
	}
	p = parsed{command: c.Name, args: map[string]string{}}
	p.secret = len(rest) > 0 && slices.ContainsFunc(c.Options, func(o bot.Option) bool { return o.Secret })
	taking := "" // the option that takes the next words
	for _, word := range rest {
		if o, value, ok := p.option(word, c.Options); ok {
			p.args[o.Name] = value
			taking = p.taking(o, c.Options)
			continue
		}
		if taking != "" {
			p.args[taking] = strings.TrimPrefix(p.args[taking]+" "+word, " ")
			continue
		}
		next := slices.IndexFunc(c.Options, func(o bot.Option) bool { return !p.has(o) && o.Kind != bot.FlagOption })
		if next < 0 {
			return parsed{}, "I don't know what " + bot.Quote(word) + " means here. Write it as /" + c.Usage() + "."
		}
		p.args[c.Options[next].Name] = word
		taking = p.taking(c.Options[next], c.Options)
	}
	return p, ""
}

func (p parsed) has(o bot.Option) bool {
	_, given := p.args[o.Name]
	return given
}

// taking returns the option's name if it takes more than one word, or else "".
func (p parsed) taking(o bot.Option, options []bot.Option) string {
	isFree := func(o bot.Option) bool { return o.Kind != bot.FlagOption && o.Choices == nil }
	another := func(o bot.Option) bool { return isFree(o) && !p.has(o) }
	if o.Kind == bot.TextOption && isFree(o) && (o.MultiWord || !slices.ContainsFunc(options, another)) {
		return o.Name
	}
	return ""
}

// option reads "name:value", "name=value", the bare name of a flag, or a choice of an option that is not given yet.
func (p parsed) option(word string, options []bot.Option) (o bot.Option, value string, ok bool) {
	at := max(0, strings.IndexAny(word, ":="))
	for _, o := range options {
		switch {
		case o.Kind == bot.FlagOption && strings.EqualFold(word, o.Name):
			return o, "true", true
		case at > 0 && strings.EqualFold(word[:at], o.Name):
			return o, word[at+1:], true
		}
	}
	i := slices.IndexFunc(options, func(o bot.Option) bool { return !p.has(o) && slices.Contains(o.Choices, word) })
	if i < 0 {
		return o, "", false
	}
	return options[i], word, true
}

// typed returns the line for what a button does. It is empty if no line does that.
func (t *Terminal) typed(b bot.Button) string {
	c, ok := t.Bot.Table.Find(b.Command)
	line, left := "/"+c.Name, len(b.Args)
	for _, o := range c.Options {
		value, given := b.Args[o.Name]
		switch {
		case !given && o.Required, given && o.Name == "feedback" && c.Name != bot.NameSolveChange: // the player knows more than the button
			return ""
		case !given:
			continue
		case o.Choices != nil && value == o.Choices[0]: // the usual one
		case o.Kind == bot.FlagOption:
			line += " " + o.Name
		case o.Named:
			line += " " + o.Name + ":" + value
		default:
			line += " " + value
		}
		left--
	}
	for _, name := range []string{face.ArgMatch, face.ArgVersion, face.ArgRace, bot.ArgAt} {
		if b.Args[name] != "" { // a line is about what is on the board now
			left--
		}
	}
	if !ok || left > 0 {
		return ""
	}
	return t.Help.short(line)
}

// find returns the command at the beginning of the words, and the words after it.
func find(words []string, commands []bot.Command) (bot.Command, []string, bool) {
	for n := min(2, len(words)); n > 0; n-- {
		if c, ok := (bot.Table{Commands: commands}).Find(strings.ToLower(strings.Join(words[:n], " "))); ok {
			return c, words[n:], true
		}
	}
	return bot.Command{}, nil, false
}

// similar returns the command that the player most likely meant, if one is a slip or two away.
func similar(line string, commands []bot.Command) (meant bot.Command, ok bool) {
	words := strings.Fields(strings.ToLower(strings.TrimPrefix(line, "/")))
	least := 3
	for _, c := range commands {
		typed := strings.Join(words[:min(len(words), strings.Count(c.Name, " ")+1)], " ")
		if d := levenshtein.ComputeDistance(typed, c.Name); d < least && 2*d <= len(c.Name) && bot.InTerminal.Lists(c) {
			meant, least, ok = c, d, true
		}
	}
	return meant, ok
}

// beginningWith lists the commands of two words that begin with the given word. It may be empty.
func beginningWith(first string, commands []bot.Command) string {
	var names []string
	for _, c := range commands {
		if strings.HasPrefix(c.Name, strings.ToLower(first)+" ") && bot.InTerminal.Lists(c) {
			names = append(names, "/"+c.Name)
		}
	}
	if names == nil {
		return ""
	}
	return bot.Enumerate(names, "or")
}
