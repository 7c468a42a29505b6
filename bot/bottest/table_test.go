package bottest

import (
	"context"
	"strings"
	"testing"

	"fivefold/bot"
)

func TestCheckTable(t *testing.T) {
	run := func(context.Context, bot.Request) (bot.Reply, error) { return bot.Reply{}, nil }
	good := bot.Command{Name: "dance", Help: "Dance", Run: run, Audience: bot.Asker}
	with := func(change func(*bot.Command)) []bot.Command {
		c := good
		change(&c)
		return []bot.Command{c}
	}
	if err := CheckTable(bot.Table{Commands: []bot.Command{good}}); err != nil {
		t.Errorf("a good table: %v", err)
	}
	for name, table := range map[string][]bot.Command{
		"two equal names":        {good, good},
		"a group without help":   with(func(c *bot.Command) { c.Name = "dance waltz" }),
		"three words":            with(func(c *bot.Command) { c.Name = "wordle dance waltz" }),
		"a name Discord refuses": with(func(c *bot.Command) { c.Name = "Dance" }),
		"no help":                with(func(c *bot.Command) { c.Help = "" }),
		"too much help":          with(func(c *bot.Command) { c.Help = strings.Repeat("x", 101) }),
		"for everyone":           with(func(c *bot.Command) { c.Audience = bot.Everyone }),
		"nothing to run":         with(func(c *bot.Command) { c.Run = nil }),
		"an option twice":        with(func(c *bot.Command) { c.Options = []bot.Option{{Name: "a", Help: "A"}, {Name: "a", Help: "A"}} }),
		"required after optional": with(func(c *bot.Command) {
			c.Options = []bot.Option{{Name: "a", Help: "A"}, {Name: "b", Help: "B", Required: true}}
		}),
		"an option without a help": with(func(c *bot.Command) { c.Options = []bot.Option{{Name: "a"}} }),
	} {
		if err := CheckTable(bot.Table{Commands: table, Groups: map[string]string{"wordle": "Words"}}); err == nil {
			t.Errorf("%s is not noticed", name)
		}
	}
}
