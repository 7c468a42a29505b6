package bottest

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fivefold/bot"
)

var namePattern = regexp.MustCompile(`^[a-z-]{1,32}$`)

// CheckTable returns an error if the table has something that a front could not
// register.
func CheckTable(t bot.Table) error {
	seen := map[string]bool{}
	for _, c := range t.Commands {
		words := strings.Split(c.Name, " ")
		if len(words) > 2 || seen[c.Name] || len(words) == 2 && seen[words[0]] {
			return fmt.Errorf("command %q appears twice, or has too many words", c.Name)
		}
		if help := t.Groups[words[0]]; len(words) == 2 && (help == "" || len(help) > 100) {
			return fmt.Errorf("the group of command %q needs a help of 1 to 100 characters", c.Name)
		}
		seen[c.Name] = true
		if err := checkCommand(c, words); err != nil {
			return fmt.Errorf("command %q: %w", c.Name, err)
		}
	}
	return nil
}

func checkCommand(c bot.Command, words []string) error {
	names := slices.Concat(words, c.HiddenArgs)
	for i, o := range c.Options {
		if i > 0 && o.Required && !c.Options[i-1].Required {
			return fmt.Errorf("required option %q after one that is not", o.Name)
		}
		if slices.ContainsFunc(c.Options[:i], func(p bot.Option) bool { return p.Name == o.Name }) {
			return fmt.Errorf("option %q appears twice", o.Name)
		}
		if o.Help == "" || len(o.Help) > 100 || len(o.Prompt) > 100 || len(o.Choices) > bot.MaxChoices {
			return fmt.Errorf("option %q has no help, one that is too long, or too many choices", o.Name)
		}
		names = append(names, o.Name)
	}
	for _, n := range names {
		if !namePattern.MatchString(n) {
			return fmt.Errorf("%q is not a name", n)
		}
	}
	if c.Audience == bot.Everyone {
		return errors.New("late refusals would be shown to everyone")
	}
	if c.Help == "" || len(c.Help) > 100 || c.Run == nil {
		return errors.New("it has nothing to run, no help, or one that is too long")
	}
	return nil
}
