package terminal

import (
	"strings"

	"fivefold/bot"
)

// completions returns lines with a command's name, and those that continue a line with an option's value.
func (t *Terminal) completions(line string) (lines []string) {
	slash := line[:len(line)-len(strings.TrimPrefix(line, "/"))]
	left := "" // words that need not be typed
	if t.Help != nil && slash == "" {
		left = t.Help.Group + " "
	}
	for _, c := range t.Bot.Table.Commands {
		name, ok := strings.CutPrefix(slash+c.Name+" ", left)
		if !ok || !bot.InTerminal.Lists(c) {
			continue
		}
		lines = append(lines, strings.TrimSuffix(name, " "))
		if args, ok := strings.CutPrefix(line, name); ok {
			before := args[:strings.LastIndex(args, " ")+1]
			lines = append(lines, bot.Each(t.values(c, before), func(value string) string { return name + before + value })...)
		}
	}
	return lines
}

// values returns the possible next words of a command.
func (t *Terminal) values(c bot.Command, before string) (all []string) {
	given, _ := parse(c.Name+" "+before, t.Bot.Table.Commands) // a misread line gives no arguments
	for _, o := range c.Options {
		values := o.Choices
		if o.Kind == bot.FlagOption {
			values = []string{o.Name}
		}
		for _, value := range values {
			if o.Named {
				value = o.Name + ":" + value
			}
			if !given.has(o) {
				all = append(all, value)
			}
		}
	}
	return all
}
