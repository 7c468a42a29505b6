// Package bottest asks a bot in tests, and looks at its replies.
package bottest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"fivefold/bot"
	"fivefold/game"
)

// Asker sends requests to a bot, each with an identifier of its own, and panics if a front could not show
// the reply.
type Asker struct {
	Bot *bot.Bot
	n   int
}

// Ask sends a typed command with arguments in pairs of name and value.
func (a *Asker) Ask(location game.Location, player, command string, args ...string) bot.Reply {
	r := bot.Request{Location: location, Player: game.PlayerID(player), Command: command, Args: map[string]string{}}
	for i := 0; i < len(args); i += 2 {
		r.Args[args[i]] = args[i+1]
	}
	return a.send(r)
}

// Press sends what a button asks for.
func (a *Asker) Press(location game.Location, player string, b bot.Button) bot.Reply {
	return a.send(bot.Request{Location: location, Player: game.PlayerID(player), FromComponent: true, Command: b.Command, Args: b.Args})
}

// Find returns the command with a name, or the zero value if the bot has none.
func (a *Asker) Find(name string) bot.Command {
	c, _ := a.Bot.Table.Find(name)
	return c
}

func (a *Asker) send(r bot.Request) bot.Reply {
	a.n++
	r.ID = game.RequestID(fmt.Sprint("r", a.n))
	reply := a.Bot.Handle(context.Background(), a.Find(r.Command), r)
	if err := check(a.Bot.Table, reply); err != nil {
		panic(fmt.Sprintf("the reply to %s: %v, in\n%s", r.Command, err, reply))
	}
	return reply
}

// maxMessage is how many characters a message holds, see [Size].
const maxMessage = 4000

// check returns an error if a front could not show the reply, or if players could not use a command as the reply names it.
func check(t bot.Table, r bot.Reply) error {
	if n := Size(r); n > maxMessage {
		return fmt.Errorf("%d characters", n)
	}
	for _, block := range r.Blocks {
		if row, ok := block.(bot.Row); ok && (len(row) < 1 || len(row) > 5) {
			return fmt.Errorf("a row of %d buttons", len(row))
		}
	}
	if n := components(r); n > 40 {
		return fmt.Errorf("%d components", n)
	}
	if n := Length(r.Heading); n > 40 {
		return fmt.Errorf("a heading of %d characters: %v", n, r.Heading)
	}
	seen := map[string]bool{}
	for _, b := range r.Buttons() {
		c, ok := t.Find(b.Command)
		if n := utf8.RuneCountInString(b.Label); !ok || n < 1 || n > 80 || len(b.Query()) > bot.MaxButton {
			return fmt.Errorf("the button %+v", b)
		}
		id := fmt.Sprint(b.Command, b.Args)
		if seen[id] {
			return fmt.Errorf("two buttons ask for %s", id)
		}
		seen[id] = true
		for name := range b.Args {
			if !hasOption(c, name) && !slices.Contains(c.HiddenArgs, name) {
				return fmt.Errorf("the button %s gives %s, which it does not take", id, name)
			}
		}
		if reply, ok := c.Check(bot.Request{Args: b.Args, FromComponent: true}); !ok {
			return fmt.Errorf("the button %s: %v", id, reply)
		}
	}
	return checkNamed(t, r.Lines())
}

// components is how many components a reply has on Discord, with its container, and a text display before each block that is
// not text and at the end.
func components(r bot.Reply) int {
	n := 2
	for _, block := range r.Blocks {
		switch b := block.(type) {
		case bot.Beside:
			n += 4
		case bot.Row:
			n += 2 + len(b)
		case *bot.Menu, *bot.Picture:
			n += 3
		}
	}
	return n
}

// Length returns the characters of a line's text.
func Length(l bot.Line) (n int) {
	for _, s := range l.Text {
		n += utf8.RuneCountInString(s.Text)
	}
	return n
}

func hasOption(c bot.Command, name string) bool {
	return slices.ContainsFunc(c.Options, func(o bot.Option) bool { return o.Name == name })
}

// checkNamed returns an error if players could not use a command as the lines name it.
func checkNamed(t bot.Table, lines []bot.Line) error {
	for _, line := range lines {
		for _, s := range line.Text {
			if s.Style != bot.StyleCommand {
				continue
			}
			c, ok := t.Find(s.Command)
			if !ok {
				return fmt.Errorf("there is no %s", s.Text)
			}
			if c.Pressed && s.Label == "" {
				return fmt.Errorf("%s cannot be typed everywhere", s.Text)
			}
			args := map[string]string{}
			for _, a := range s.Args {
				if !hasOption(c, a.Option) {
					return fmt.Errorf("%s has no option %s", s.Command, a.Option)
				}
				args[a.Option] = a.Value
			}
			// Players are asked for what is left out.
			c.Options = slices.DeleteFunc(slices.Clone(c.Options), func(o bot.Option) bool { return args[o.Name] == "" })
			if reply, ok := c.Check(bot.Request{Args: args}); !ok {
				return fmt.Errorf("%s: %v", s.Text, reply)
			}
		}
	}
	return nil
}

// MustFind returns the button with the label, enabled or not.
func MustFind(tb testing.TB, r bot.Reply, label string) bot.Button {
	tb.Helper()
	for _, b := range r.Buttons() {
		if b.Label == label {
			return b
		}
	}
	tb.Fatalf("there is no button %s in %+v under\n%s", label, r.Buttons(), r)
	return bot.Button{}
}

// snowflake is how long an identifier of Discord's is; the largest has a digit more.
const snowflake = 19

// Size is how long a reply can become on Discord: in UTF-16 units, as it counts, with markup,
// and with a backslash before everything that could need one.
func Size(r bot.Reply) int {
	n := 0
	for _, line := range r.Lines() {
		n += len(line.Tiles)*3 + len(utf16.Encode([]rune(line.TileText()))) + strings.Count(line.TileText(), "♣") + strings.Count(line.TileText(), "♠") + 2 // a square has two units, and some have a space before them
		for _, s := range line.Text {
			n += len(utf16.Encode([]rune(s.Text)))
			switch s.Style {
			case bot.StyleCommand:
				n += len("<:> ****") + snowflake
				for _, a := range s.Args {
					n += len(a.Option + ":")
				}
			case bot.StyleBold:
				n += len("****")
			case bot.StyleTime:
				n += len("<t:1000000000:R>")
			case bot.StylePlayer, bot.StyleChannel, bot.StyleRole:
				n += len("<@>")
			}
			n += strings.Count(s.Text, ".") + strings.Count(s.Text, "|") // some begin a list
			n += strings.Count(s.Text, "♣") + strings.Count(s.Text, "♠")
		}
	}
	return n
}
