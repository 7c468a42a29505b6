package commands_test

import (
	"fmt"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/face"
	"fivefold/bot/kinds/toy"
	"fivefold/game"
)

// TestThirdKind: a kind with rules, a codec and a face gets all commands, and is in all lists.
func TestThirdKind(t *testing.T) {
	b := newBot(t, nil, toy.Game{}.All())
	check := func(reply bot.Reply, wants ...string) {
		t.Helper()
		for _, want := range wants {
			if !strings.Contains(reply.String(), want) {
				t.Errorf("the reply has no %q:\n%s", want, reply)
			}
		}
	}
	b.mustWin(t, server, "ana", 1)
	games := 1
	for _, mode := range []string{"together", "solo", "daily"} {
		check(b.Ask(server, "ana", "toy start", "mode", mode), "Find the letter: /toy guess letter.", `Guesses "", 26 left.`)
		answer := b.answer(t, server, "ana", toy.Kind, face.ReadMode(mode, game.Current))
		check(b.Ask(server, "ana", "toy hint", "mode", mode), "Try n.")
		check(b.Ask(server, "ana", "toy guess", "letter", "n"), `Guesses "n", 13 left.`)
		check(b.Ask(server, "ana", "toy guess", "letter", "n"), "n was guess 1 already.\nn")
		check(b.Ask(server, "ana", "toy board"), `Guesses "n", 13 left.`)
		check(b.Ask(server, "ana", "toy guess", "letter", answer), fmt.Sprintf(`Guesses "n%s"`, answer), "Won in 2 of 6 with hints! The letter was "+answer+", found by ana.")
		games++
		number := fmt.Sprint(games)
		check(b.Ask(server, "ana", bot.NameReplay, "number", number), "Game "+number, ", Toy", "step 0 of 2", `Guesses "", 26 left.`)
		check(b.Ask(server, "ana", bot.NameReplay, "number", number, "step", "2"), fmt.Sprintf(`Guesses "n%s", 1 left.`, answer))
		check(b.Ask(server, "ana", bot.NameReview, "number", number), "Game "+number, "skill", "luck 50", "In all: skill", "Step by step")
	}
	check(b.Ask(server, "ana", bot.NameReview), "Game 4, Toy, daily puzzle 325, 2026-11-21") // her latest
	check(b.Ask(server, "ben", bot.NameReview), "Game 2, Toy, 2026-11-21")                   // the channel's latest
	check(b.Ask(server, "ana", "toy start"), "Find the letter: /toy guess letter.")
	check(b.Ask(server, "ana", "toy stop"), "Stopped by ana. The letter was c.")
	b.Ask(server, "ana", "toy start", "mode", "solo")
	for _, letter := range []string{"z", "y", "x", "w", "v", "u"} {
		b.Ask(server, "ana", "toy guess", "letter", letter)
	}
	check(b.Ask(server, "ana", "toy board"), "Lost.")

	list := b.Ask(server, "ana", bot.NameList)
	check(list, "6. 2026-11-21, lost: d — only you see it", "5. 2026-11-21, stopped at once: c", "4. 2026-11-21, won in 2 with hints: a — only you see it", "won in 1: ABACK")
	if got := numbers(b.Ask(server, "ana", bot.NameList, "game", "toy")); got != "6 5 4 3 2" {
		t.Errorf("the list of toy games has %s", got)
	}
	if got := numbers(b.Ask(server, "ana", bot.NameList, "game", "wordle")); got != "1" {
		t.Errorf("the list of word games has %s", got)
	}
	check(b.Ask(server, "ana", "toy stats"), "Toy: daily puzzles, November 2026", "1 of 5: ana — ")
	check(b.Ask(server, "ana", "toy stats", "player", "ana"), "Toy: statistics of ana", "Daily puzzles here: ", "Other games here: ", "on average over 1 game")
	check(b.Ask(server, "ana", "stats", "player", "ana"), "Other games here: 1 won")
	check(b.Ask(server, "ana", "toy rules"), "Find the letter.", "/toy start", "/toy stop")
	if help := b.Ask(server, "ana", bot.NameHelp).String(); strings.Contains(help, "/toy start [mode]") {
		t.Errorf("the help is\n%s", help)
	}
	all := b.Press(server, "ana", bottest.MustFind(t, b.Ask(server, "ana", bot.NameHelp), "All commands")).String()
	if !strings.Contains(all, "/toy rules") || !strings.Contains(all, "/solve show") || strings.Contains(all, "/solve undo") {
		t.Errorf("all commands are\n%s", all)
	}
	b.Ask(server, "ana", bot.NameClear, "sure", "true")
	check(b.Ask(server, "ben", bot.NameList), "No game has been finished here yet.")
}
