package commands_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/kinds/toy"
	"fivefold/game"
)

// TestDailyMenu chooses every past puzzle of the menu, from the first day on. The 25 latest are there, each to be practised in
// every kind.
func TestDailyMenu(t *testing.T) {
	b := newBot(t, nil, toy.Game{}.All())
	for _, today := range []int{1, 2, 7, 26, 27, 325} {
		b.now = game.DailyDate(today)
		card := b.Ask(server, "ana", bot.NameDaily)
		if got, want := strings.Split(card.String(), "\n")[0], fmt.Sprintf("Daily %d", today); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		n := today
		for _, block := range card.Blocks {
			menu, ok := block.(*bot.Menu)
			if !ok {
				continue
			}
			for _, choice := range menu.Choices {
				n--
				args := maps.Clone(menu.Args)
				args[menu.Option] = choice.Value
				kinds := 0
				for _, button := range b.Press(server, "ana", bot.Button{Command: menu.Command, Args: args}).Buttons() {
					if button.Args["show"] == "practice" && button.Args["number"] == fmt.Sprint(n) {
						kinds++
					}
				}
				if kinds != len(b.parts.Kinds) {
					t.Errorf("on day %d, puzzle %d can be practised in %d kinds", today, n, kinds)
				}
			}
		}
		if want := max(1, today-bot.MaxChoices); n != want {
			t.Errorf("on day %d, the last choice is puzzle %d, want %d", today, n, want)
		}
	}
	b.now = game.DailyDate(0)
	if reply := b.Ask(server, "ana", bot.NameDaily); !strings.Contains(reply.String(), "my clock is wrong") {
		t.Errorf("before the first day:\n%s", reply)
	}
}
