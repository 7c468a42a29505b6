package commands_test

import (
	"fmt"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/kinds/toy"
	"fivefold/game"
)

// TestDailyCalendar presses every button of a calendar, from the first day on. Each past day of four weeks has a
// button, and can be practised in every kind.
func TestDailyCalendar(t *testing.T) {
	b := newBot(t, nil, toy.Game{}.All())
	for _, today := range []int{1, 2, 7, 8, 28, 29, 325} {
		b.now = game.DailyDate(today)
		card := b.Ask(server, "ana", bot.NameDaily)
		if !strings.HasPrefix(card.String(), fmt.Sprintf("Daily puzzle %d, ", today)) {
			t.Errorf("day %d:\n%s", today, card)
		}
		reached := map[string]bool{}
		each := func(r bot.Reply, show string, f func(bot.Button)) {
			for _, button := range r.Buttons() {
				if button.Args["show"] == show {
					f(button)
				}
			}
		}
		each(card, "week", func(week bot.Button) {
			each(b.Press(server, "ana", week), "day", func(day bot.Button) {
				number, kinds := day.Args["number"], 0
				each(b.Press(server, "ana", day), "practice", func(bot.Button) { kinds++ })
				if reached[number] || kinds != len(b.parts.Kinds) {
					t.Errorf("on day %d, puzzle %s is reached again, or can be practised in %d kinds", today, number, kinds)
				}
				reached[number] = true
			})
		})
		for n := max(1, today-27); n < today; n++ {
			if !reached[fmt.Sprint(n)] {
				t.Errorf("on day %d, puzzle %d is not reached", today, n)
			}
			delete(reached, fmt.Sprint(n))
		}
		if len(reached) > 0 {
			t.Errorf("on day %d, the calendar leads to %v, too", today, reached)
		}
	}
	b.now = game.DailyDate(0)
	if reply := b.Ask(server, "ana", bot.NameDaily); !strings.Contains(reply.String(), "my clock is wrong") {
		t.Errorf("before the first day:\n%s", reply)
	}
}
