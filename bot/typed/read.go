// Package typed reads and writes commands as lines, for a front where everything is typed.
package typed

import (
	"slices"
	"strings"

	"fivefold/bot"
)

// Command is a command with its arguments, as in a [bot.Request].
type Command struct {
	Name   string
	Args   map[string]string
	Secret bool // others must not see the arguments
}

// Read reads a line such as "/wordle start hard" with the table of commands. The slash may be left out. Options come in
// order, or as name:value or name=value. A flag is its name alone. A choice may come early. A text of several words, or
// the last missing text, takes all words up to a named option or a choice. A mistake tells the player what is wrong; it
// is empty for a line that can be carried out.
func Read(text string, commands []bot.Command) (read Command, mistake string) {
	words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(text), "/"))
	c, rest, ok := Find(words, commands)
	if !ok {
		first := append(words, "")[0]
		if Begins(first, commands) {
			return read, "What about " + bot.Quote(first) + "? Add a second word: /help lists them."
		}
		return read, "I don't know " + bot.Quote(first) + ". Try /help."
	}
	read = Command{Name: c.Name, Args: map[string]string{}}
	read.Secret = len(rest) > 0 && slices.ContainsFunc(c.Options, func(o bot.Option) bool { return o.Secret })
	taking := "" // the option that takes the next words
	for _, word := range rest {
		if o, value, ok := read.option(word, c.Options); ok {
			read.Args[o.Name] = value
			taking = read.taking(o, c.Options)
			continue
		}
		if taking != "" {
			read.Args[taking] = strings.TrimPrefix(read.Args[taking]+" "+word, " ")
			continue
		}
		next := slices.IndexFunc(c.Options, func(o bot.Option) bool { return !read.has(o) && o.Kind != bot.FlagOption })
		if next < 0 {
			return Command{}, "I don't know what " + bot.Quote(word) + " means here. Write it as /" + c.Usage() + "."
		}
		read.Args[c.Options[next].Name] = word
		taking = read.taking(c.Options[next], c.Options)
	}
	return read, ""
}

func (c Command) has(o bot.Option) bool {
	_, given := c.Args[o.Name]
	return given
}

// taking returns the option's name if it takes more than one word, or else "".
func (c Command) taking(o bot.Option, options []bot.Option) string {
	isFree := func(o bot.Option) bool { return o.Kind != bot.FlagOption && o.Choices == nil }
	another := func(o bot.Option) bool { return isFree(o) && !c.has(o) }
	if o.Kind == bot.TextOption && isFree(o) && (o.MultiWord || !slices.ContainsFunc(options, another)) {
		return o.Name
	}
	return ""
}

// option reads "name:value", "name=value", the bare name of a flag, or a choice of an option that is not given yet.
func (c Command) option(word string, options []bot.Option) (o bot.Option, value string, ok bool) {
	at := max(0, strings.IndexAny(word, ":="))
	for _, o := range options {
		switch {
		case o.Kind == bot.FlagOption && strings.EqualFold(word, o.Name):
			return o, "true", true
		case at > 0 && strings.EqualFold(word[:at], o.Name):
			return o, word[at+1:], true
		case !c.has(o) && slices.Contains(o.Choices, word):
			return o, word, true
		}
	}
	return o, "", false
}

// Find returns the command at the beginning of the words, and the words after it.
func Find(words []string, commands []bot.Command) (bot.Command, []string, bool) {
	for n := min(2, len(words)); n > 0; n-- {
		if c, ok := (bot.Table{Commands: commands}).Find(strings.ToLower(strings.Join(words[:n], " "))); ok {
			return c, words[n:], true
		}
	}
	return bot.Command{}, nil, false
}

// Begins reports whether a word is the first of several commands.
func Begins(word string, commands []bot.Command) bool {
	return slices.ContainsFunc(commands, func(c bot.Command) bool { return strings.HasPrefix(c.Name, strings.ToLower(word)+" ") })
}
