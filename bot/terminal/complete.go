package terminal

import (
	"slices"
	"strings"

	"fivefold/bot"
)

// completed returns a line completed by a command's name or an option's value. Among several candidates, it stops where
// they differ, and lists them.
func (t *Terminal) completed(line string) (longer string, candidates []string) {
	var lines []string
	add := func(completed, candidate string) {
		if strings.HasPrefix(completed, line) && completed != line && !slices.Contains(lines, completed) {
			lines, candidates = append(lines, completed), append(candidates, candidate)
		}
	}
	slash := line[:len(line)-len(strings.TrimPrefix(line, "/"))]
	left := "" // words that need not be typed
	if t.Help != nil && slash == "" {
		left = t.Help.Group + " "
	}
	for _, c := range t.Bot.Table.Commands {
		name, ok := strings.CutPrefix(slash+c.Name+" ", left)
		switch {
		case !ok:
			continue
		case len(c.Options) == 0:
			name = strings.TrimSuffix(name, " ")
			add(name, name)
			continue
		case name != "":
			add(name, strings.TrimSuffix(name, " "))
		}
		if args, ok := strings.CutPrefix(line, name); ok {
			before := args[:strings.LastIndex(args, " ")+1]
			for _, value := range t.values(c, before) {
				add(name+before+value, value)
			}
		}
	}
	if len(lines) == 0 {
		return line, nil
	}
	longer = lines[0]
	for _, s := range lines {
		for !strings.HasPrefix(s, longer) {
			longer = longer[:len(longer)-1]
		}
	}
	if len(lines) == 1 {
		candidates = nil
	}
	return longer, candidates
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
