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
		check(b.Ask(server, "ana", "toy start", "mode", mode), "Find the letter", `Guesses "", 26 left.`)
		answer := b.answer(t, server, "ana", toy.Kind, face.ReadMode(mode, game.Current))
		check(b.Ask(server, "ana", "toy hint", "mode", mode), "Try n.")
		check(b.Ask(server, "ana", "toy guess", "letter", "n"), `Guesses "n", 13 left.`)
		check(b.Ask(server, "ana", "toy guess", "letter", "n"), "You've guessed n already (guess 1).\nn")
		check(b.Ask(server, "ana", "toy board"), `Guesses "n", 13 left.`)
		check(b.Ask(server, "ana", "toy guess", "letter", answer), fmt.Sprintf(`Guesses "n%s"`, answer), answer+" in 2, with hints")
		games++
		number := fmt.Sprint(games)
		check(b.Ask(server, "ana", bot.NameReplay, "number", number), "Game "+number+" · step 0 of 2", "Toy · ", `Guesses "", 26 left.`)
		check(b.Ask(server, "ana", bot.NameReplay, "number", number, "step", "2"), fmt.Sprintf(`Guesses "n%s", 1 left.`, answer))
		check(b.Ask(server, "ana", bot.NameReview, "number", number), "Game "+number+" · Toy", "Found it! Luck 50", "All in all: skill 90 · luck 50, out of 99")
	}
	check(b.Ask(server, "ana", bot.NameReview), "Game 4 · Toy · daily puzzle 325 · 2026-11-21") // her latest
	check(b.Ask(server, "ben", bot.NameReview), "Game 2 · Toy · 2026-11-21")                    // the channel's latest
	check(b.Ask(server, "ana", "toy start"), "Find the letter")
	check(b.Ask(server, "ana", "toy stop"), "Stopped by ana\nThe letter was c")
	b.Ask(server, "ana", "toy start", "mode", "solo")
	for _, letter := range []string{"z", "y", "x", "w", "v", "u"} {
		b.Ask(server, "ana", "toy guess", "letter", letter)
	}
	check(b.Ask(server, "ana", "toy board"), "So close!")

	list := b.Ask(server, "ana", bot.NameList)
	check(list, "6. d, not found · only you see it · 2026-11-21", "5. c, stopped", "4. a in 2 with hints · only you see it", "1. ABACK in 1")
	if got := numbers(b.Ask(server, "ana", bot.NameList, "game", "toy")); got != "6 5 4 3 2" {
		t.Errorf("the list of toy games has %s", got)
	}
	if got := numbers(b.Ask(server, "ana", bot.NameList, "game", "wordle")); got != "1" {
		t.Errorf("the list of word games has %s", got)
	}
	check(b.Ask(server, "ana", "toy stats"), "Toy, November 2026", "ana · 3.00 · 1 of 5 puzzles")
	check(b.Ask(server, "ana", "toy stats", "player", "ana"), "ana\nToy: dailies here\nplayed 1", "skill", "Other games: 2 of 3 won")
	check(b.Ask(server, "ana", "stats", "player", "ana"), "Word game: games here\nplayed 1, solved 100%")
	check(b.Ask(server, "ana", "toy rules"), "How to play Toy", "Find the letter.", "everyone here guesses together")
	if help := b.Ask(server, "ana", bot.NameHelp).String(); strings.Contains(help, "/toy start [mode]") {
		t.Errorf("the help is\n%s", help)
	}
	all := b.Press(server, "ana", bottest.MustFind(t, b.Ask(server, "ana", bot.NameHelp), "All commands")).String()
	if !strings.Contains(all, "/toy rules") || !strings.Contains(all, "/solve show") || strings.Contains(all, "/solve undo") {
		t.Errorf("all commands are\n%s", all)
	}
	b.Ask(server, "ana", bot.NamePrivacy, "action", "delete", "sure", "true")
	check(b.Ask(server, "ben", bot.NameList), "No finished game here yet.")
}
