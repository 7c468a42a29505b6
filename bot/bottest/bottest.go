// Package bottest asks a bot in tests, and looks at its replies.
package bottest

import (
	"context"
	"fmt"
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
	return a.Bot.Handle(context.Background(), r)
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

// Size is how long a reply can be on Discord: in UTF-16 units, as it counts, with
// markup, and with a backslash before everything that could need one.
func Size(r bot.Reply) int {
	n := 0
	for _, line := range r.Lines {
		n += len(line.Tiles)*3 + len(utf16.Encode([]rune(line.TileText()))) + 2 // a square has two units, before some is a space
		for _, s := range line.Text {
			n += len(utf16.Encode([]rune(s.Text)))
			switch s.Style {
			case bot.StyleBold:
				n += len("****")
			case bot.StylePlayer:
				n += len("<@>")
			}
			n += strings.Count(s.Text, ".") + strings.Count(s.Text, "|") // some begin a list
		}
	}
	return n
}
