package terminal

import (
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
)

// parsed is a command with its arguments.
type parsed struct {
	command string
	args    map[string]string
	secret  bool // others must not see the arguments
}

// misread tells the player what is wrong with a line.
type misread string

func (m misread) Error() string { return string(m) }

// parse reads a line such as "/wordle start hard" with the table of commands. The slash may be left out. Options come
// in order, or as name:value or name=value. A flag is its name alone. A choice may come early. A text of several words,
// or the last missing text, takes all words up to a named option or a choice. The error is a misread.
func parse(line string, commands []bot.Command) (parsed, error) {
	words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "/"))
	if len(words) == 0 {
		return parsed{}, misread("Type a command, such as /wordle help.")
	}
	c, rest, ok := find(words, commands)
	if !ok {
		if group := beginningWith(words[0], commands); group != "" {
			return parsed{}, misread("Type the whole command: " + group + ".")
		}
		return parsed{}, misread("I do not know " + bot.Quote(words[0]) + ". /wordle help lists the commands.")
	}
	p := parsed{command: c.Name, args: map[string]string{}}
	p.secret = len(rest) > 0 && slices.ContainsFunc(c.Options, func(o bot.Option) bool { return o.Secret })
	taking := "" // the option that takes the next words
	for _, word := range rest {
		if o, value, ok := named(word, c.Options); ok {
			p.args[o.Name] = value
			taking = p.taking(o, c.Options)
			continue
		}
		if o, ok := p.chosen(word, c.Options); ok {
			p.args[o.Name] = word
			taking = ""
			continue
		}
		if taking != "" {
			p.args[taking] = strings.TrimPrefix(p.args[taking]+" "+word, " ")
			continue
		}
		next := slices.IndexFunc(c.Options, func(o bot.Option) bool { return !p.has(o) && o.Kind != bot.FlagOption })
		if next < 0 {
			return parsed{}, misread(fmt.Sprintf("I do not know what %s means for /%s. Write it as /%s.", bot.Quote(word), c.Name, c.Usage()))
		}
		p.args[c.Options[next].Name] = word
		taking = p.taking(c.Options[next], c.Options)
	}
	return p, nil
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

// chosen returns the first option that is not given yet and has the word among its choices.
func (p parsed) chosen(word string, options []bot.Option) (bot.Option, bool) {
	for _, o := range options {
		if !p.has(o) && slices.Contains(o.Choices, word) {
			return o, true
		}
	}
	return bot.Option{}, false
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

// named reads "name:value", "name=value" and the bare name of a flag.
func named(word string, options []bot.Option) (o bot.Option, value string, ok bool) {
	for _, o := range options {
		if o.Kind == bot.FlagOption && strings.EqualFold(word, o.Name) {
			return o, "true", true
		}
		if n := len(o.Name); len(word) > n && strings.EqualFold(word[:n], o.Name) && strings.ContainsRune(":=", rune(word[n])) {
			return o, word[n+1:], true
		}
	}
	return bot.Option{}, "", false
}
