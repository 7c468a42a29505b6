package play

import (
	"context"
	"fmt"
	"testing"

	"fivefold/bot"

	"fivefold/game"
)

// press asks for what a button does.
func (a *asker) press(place game.Place, player string, b bot.Button) bot.Reply {
	a.n++
	return a.bot.Handle(context.Background(), bot.Request{
		ID: game.RequestID(fmt.Sprint("r", a.n)), Place: place, Player: game.PlayerID(player), Pressed: true, Command: b.Command, Args: b.Args,
	})
}

// mustFind returns the button with the label, pressable or not.
func mustFind(tb testing.TB, r bot.Reply, label string) bot.Button {
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
