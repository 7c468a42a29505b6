// Package bottest asks a bot in tests, and looks at its replies.
package bottest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"fivefold/bot"
	"fivefold/game"
)

// Asker sends requests to a bot, each with an identifier of its own.
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

func (a *Asker) send(r bot.Request) bot.Reply {
	a.n++
	r.ID = game.RequestID(fmt.Sprint("r", a.n))
	reply := a.Bot.Handle(context.Background(), r)
	if err := checkNamed(a.Bot.Table, reply.Lines); err != nil {
		panic(fmt.Sprintf("the reply to %s names a command wrongly: %v", r.Command, err))
	}
	return reply
}

// checkNamed returns an error if the lines name a command in a way in which players cannot use
// it.
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
			args := map[string]string{}
			for _, a := range s.Args {
				if !slices.ContainsFunc(c.Options, func(o bot.Option) bool { return o.Name == a.Option }) {
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
	for _, row := range r.Buttons {
		for _, b := range row {
			if b.Label == label {
				return b
			}
		}
	}
	tb.Fatalf("there is no button %s in %+v under\n%s", label, r.Buttons, r)
	return bot.Button{}
}

// snowflake is how long an identifier of Discord's is; the largest has a digit more.
const snowflake = 19

// Size is how long a reply can become on Discord: in UTF-16 units, as it counts, with markup,
// and with a backslash before everything that could need one.
func Size(r bot.Reply) int {
	n := 0
	for _, line := range r.Lines {
		if line.Typed {
			continue // left out where the buttons are shown
		}
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
			case bot.StylePlayer:
				n += len("<@>")
			}
			n += strings.Count(s.Text, ".") + strings.Count(s.Text, "|") // some begin a list
			n += strings.Count(s.Text, "♣") + strings.Count(s.Text, "♠")
		}
	}
	return n
}
