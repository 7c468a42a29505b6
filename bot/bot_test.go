package bot

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

func TestTableIsChecked(t *testing.T) {
	run := func(context.Context, Request) (Reply, error) { return Reply{}, nil }
	good := Command{Name: "dance", Help: "Dance", Run: run}
	with := func(change func(*Command)) []Command {
		c := good
		change(&c)
		return []Command{c}
	}
	if err := (Table{Commands: []Command{good}}).Check(); err != nil {
		t.Errorf("a good table: %v", err)
	}
	for name, table := range map[string][]Command{
		"two equal names":        {good, good},
		"a group without help":   with(func(c *Command) { c.Name = "dance waltz" }),
		"three words":            with(func(c *Command) { c.Name = "wordle dance waltz" }),
		"a name Discord refuses": with(func(c *Command) { c.Name = "Dance" }),
		"no help":                with(func(c *Command) { c.Help = "" }),
		"too much help":          with(func(c *Command) { c.Help = strings.Repeat("x", 101) }),
		"nothing to run":         with(func(c *Command) { c.Run = nil }),
		"an option twice":        with(func(c *Command) { c.Options = []Option{{Name: "a", Help: "A"}, {Name: "a", Help: "A"}} }),
		"required after optional": with(func(c *Command) {
			c.Options = []Option{{Name: "a", Help: "A"}, {Name: "b", Help: "B", Required: true}}
		}),
		"an option without a help": with(func(c *Command) { c.Options = []Option{{Name: "a"}} }),
	} {
		if err := (Table{Commands: table, Groups: map[string]string{"wordle": "Words"}}).Check(); err == nil {
			t.Errorf("%s is not noticed", name)
		}
	}
}

func TestUnknownErrorsAreLoggedNotShown(t *testing.T) {
	var log bytes.Buffer
	cause := errors.New("disk on fire at sector 7")
	b := &Bot{Log: slog.New(slog.NewTextHandler(&log, nil)), Table: Table{Commands: []Command{{
		Name: "guess", Help: "Guess", Run: func(context.Context, Request) (Reply, error) { return Reply{}, cause },
	}}}}
	reply := b.Handle(t.Context(), Request{ID: "r42", Command: "guess", Args: map[string]string{"word": "crane"}})
	if reply.Audience != Asker || strings.Contains(reply.String(), "sector") || !strings.Contains(reply.String(), "r42") {
		t.Errorf("the player sees %q", reply)
	}
	if got := log.String(); !strings.Contains(got, "sector 7") || !strings.Contains(got, "request.id=r42") || strings.Contains(got, "crane") {
		t.Errorf("the log has %q", got)
	}
}
