package typed

import (
	"maps"
	"slices"
	"strings"

	"fivefold/bot"
)

// write returns an option with its value as a line has it.
func write(o bot.Option, value string) string {
	switch {
	case o.Kind == bot.FlagOption:
		return o.Name
	case o.Named:
		return o.Name + ":" + value
	}
	return value
}

// Of returns the line for what a button does, without its arguments of the given names. It is empty if no line does
// that, or if the player has to know more: a required option, or feedback.
func Of(b bot.Button, commands []bot.Command, without ...string) string {
	c, _, ok := Find(strings.Fields(b.Command), commands)
	text, left := "/"+c.Name, maps.Clone(b.Args)
	for _, o := range c.Options {
		value, given := b.Args[o.Name]
		if !given && o.Required || given && o.Name == "feedback" && c.Name != bot.NameSolveChange {
			return ""
		}
		delete(left, o.Name)
		if given && (o.Choices == nil || value != o.Choices[0]) { // the first is the usual one
			text += " " + write(o, value)
		}
	}
	maps.DeleteFunc(left, func(name, _ string) bool { return slices.Contains(without, name) })
	if !ok || len(left) > 0 {
		return ""
	}
	return text
}

// Continued returns lines with a command's name, and those that continue a line by an option's value. Words that need
// not be typed are left out of the names.
func Continued(text, leftOut string, commands []bot.Command) (lines []string) {
	slash := text[:len(text)-len(strings.TrimPrefix(text, "/"))]
	for _, c := range commands {
		name, ok := strings.CutPrefix(slash+c.Name+" ", leftOut)
		if !ok || !bot.InTerminal.Lists(c) {
			continue
		}
		lines = append(lines, strings.TrimSuffix(name, " "))
		args, ok := strings.CutPrefix(text, name)
		before := args[:strings.LastIndex(args, " ")+1]
		given, _ := Read(c.Name+" "+before, commands) // a mistaken line gives no arguments
		for _, o := range c.Options {
			values := o.Choices
			if o.Kind == bot.FlagOption {
				values = []string{"true"}
			}
			if ok && !given.has(o) {
				lines = append(lines, bot.Each(values, func(value string) string { return name + before + write(o, value) })...)
			}
		}
	}
	return lines
}
