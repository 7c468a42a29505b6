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

// TestKindsOnCard: the first kind is always described on the card and in past puzzles, another one only once its player has begun one.
// Each has a button to play it.
func TestKindsOnCard(t *testing.T) {
	b := newBot(t, nil, toy.Game{}.All())
	check := func(reply bot.Reply, described, buttons string) {
		t.Helper()
		var titles, labels []string
		for _, block := range reply.Blocks {
			if beside, ok := block.(bot.Beside); ok {
				title, _, _ := strings.Cut(bot.Reply{Blocks: bot.Lines(beside.Text...)}.String(), " · ")
				titles = append(titles, title)
			}
		}
		for _, button := range reply.Buttons() {
			labels = append(labels, button.Label)
		}
		if strings.Join(titles, ", ") != described || strings.Join(labels, ", ") != buttons {
			t.Errorf("%q are described, with the buttons %q; want %q, %q", titles, labels, described, buttons)
		}
	}
	var others []string
	for _, f := range b.parts.Kinds.Faces()[1:] {
		others = append(others, f.Name())
	}
	fresh, begun := strings.Join(others, ", "), strings.Join(others[:len(others)-1], ", ")
	past := []string{"show", "day", "number", "324"}
	check(b.Ask(server, "ana", bot.NameDaily), "Word game", "Play, "+fresh)
	check(b.Ask(server, "ana", bot.NameDaily, past...), "Word game", "Play, "+fresh+", Today")
	b.Ask(server, "ana", "toy start", "mode", "daily")
	card := b.Ask(server, "ana", bot.NameDaily)
	check(card, "Word game, Toy", "Play, Go on, "+begun)
	b.Ask(server, "ana", "toy guess", "letter", b.answer(t, server, "ana", toy.Kind, game.Daily))
	if alt := b.Ask(server, "ana", bot.NameDaily).Picture().Alt; !strings.Contains(alt, "Each day: Word game, Toy. ") || !strings.HasSuffix(alt, " Sat 21 November: not played, 1. Not played on 26 of 27 days.") {
		t.Errorf("the calendar is %q", alt)
	}
	b.now = b.now.AddDate(0, 0, 1)
	check(b.Ask(server, "ana", bot.NameDaily, "show", "day", "number", "325"), "Word game, Toy", "Play, Play again, "+begun+", Today, Review Toy")
}
