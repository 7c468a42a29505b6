package commands_test

import (
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/kinds/wordgame"
)

// numbers returns the numbers of the games in a list.
func numbers(r bot.Reply) string {
	var all []string
	for _, line := range r.Lines() {
		if n := len(line.Text); n > 1 && line.Text[n-1].Style == bot.StyleTime {
			all = append(all, strings.TrimSuffix(line.Text[0].Text, ". "))
		}
	}
	return strings.Join(all, " ")
}

// TestForgottenGames: a player who asks for a removed game learns that it was removed. The statistics still count it.
func TestForgottenGames(t *testing.T) {
	b := newBot(t, nil)
	b.mustWin(t, server, "ana", 2)
	if n, err := b.parts.Finished.Store.Forget(t.Context(), b.now.Add(time.Hour)); n != 2 || err != nil {
		t.Fatalf("%d matches were removed, %v", n, err)
	}
	b.mustWin(t, server, "ana", 1)
	const gone = "That game is too old to show, but it still counts. /review list shows the newer ones.\n"
	for _, command := range []string{bot.NameReview, bot.NameReplay} {
		for _, number := range []string{"1", "2"} {
			if reply := b.Ask(server, "ana", command, "number", number); reply.String() != gone || reply.Audience != bot.Asker {
				t.Errorf("%s %s is\n%s", command, number, reply)
			}
		}
		if reply := b.Ask(server, "ana", command, "number", "3"); strings.Contains(reply.String(), "too old") {
			t.Errorf("%s 3 is\n%s", command, reply)
		}
		if reply := b.Ask(server, "ana", command, "number", "4"); !strings.HasPrefix(reply.String(), "There's no finished game with that number") {
			t.Errorf("%s 4 is\n%s", command, reply)
		}
	}
	if got := numbers(b.Ask(server, "ana", bot.NameList)); got != "3" {
		t.Errorf("the list has %s", got)
	}
	if reply := b.Ask(server, "ana", wordgame.Commands.Stats, "player", "ana"); !strings.Contains(reply.String(), "games here\nplayed 3, solved 100%, average 1.00, streak 3") {
		t.Errorf("the statistics are\n%s", reply)
	}
}

// TestOutcomes: a stopped game that counts as lost is listed under lost, the others under stopped.
func TestOutcomes(t *testing.T) {
	b := newBot(t, nil)
	b.mustWin(t, server, "ana", 1)
	b.Ask(server, "ana", wordgame.Commands.Start)
	b.Ask(server, "ana", wordgame.Commands.Stop, "sure", "true") // not counted
	b.Ask(server, "ana", wordgame.Commands.Start)
	b.Ask(server, "ana", wordgame.Commands.Guess, "word", "slate")
	b.Ask(server, "ana", wordgame.Commands.Stop, "sure", "true")
	for outcome, want := range map[string]string{"won": "1", "lost": "3", "stopped": "3 2", "any": "3 2 1"} {
		reply := b.Ask(server, "ana", bot.NameList, "outcome", outcome)
		if got := numbers(reply); got != want || strings.Contains(reply.String(), "3. ABATE, not found") != strings.Contains(want, "3") {
			t.Errorf("%s: %s", outcome, reply)
		}
	}
}

// TestShareWithoutNumber: share without a number takes the player's latest solo or daily game, even if other games have
// ended here since.
func TestShareWithoutNumber(t *testing.T) {
	b := newBot(t, nil)
	b.mustWin(t, server, "ana", 1)
	if reply := b.Ask(server, "ana", bot.NameShare).String(); !strings.Contains(reply, "You haven't finished a solo game or a daily here yet.") {
		t.Errorf("after a game together: %s", reply)
	}
	b.Ask(server, "ana", wordgame.Commands.Start, "mode", "solo")
	b.Ask(server, "ana", wordgame.Commands.Stop, "mode", "solo", "sure", "true")
	b.mustWin(t, server, "ana", 1)
	if reply := b.Ask(server, "ana", bot.NameShare); reply.Audience != bot.Everyone || !strings.Contains(reply.String(), "X/6") {
		t.Errorf("after a solo game: %s", reply)
	}
}
