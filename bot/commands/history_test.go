package commands_test

import (
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/statistics"
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

func TestClearAsksFirst(t *testing.T) {
	b := newBot(t, nil)
	b.mustWin(t, server, "ana", 1)
	b.mustWin(t, server, "ben", 1)
	won := func(player game.PlayerID) int {
		totals, err := b.parts.Statistics.Totals(t.Context(), statistics.Scope{Kind: wordgame.Kind, Guild: "g"}, player)
		if err != nil {
			t.Fatal(err)
		}
		return totals.Other.Won
	}
	for _, player := range []string{"ana", "ben"} {
		b.Ask(dm, player, bot.NameSolveNext, "guess", "slate", "feedback", "ggggg")
	}
	b.Ask(dm, "cal", bot.NameSolveNext, "guess", "crane", "feedback", "bbygb")
	b.Ask(dm, "cal", bot.NameClear, "sure", "true")
	for _, args := range [][]string{nil, {"sure", "false"}} {
		question := b.Ask(server, "ana", bot.NameClear, args...)
		if question.Audience != bot.Asker || !strings.Contains(question.String(), "can't be undone") {
			t.Errorf("%v: the question is\n%s", args, question)
		}
		kept := b.Press(server, "ana", bottest.MustFind(t, question, "Keep it"))
		if kept.Audience != bot.Asker || !kept.InPlace || kept.Buttons() != nil || won("ana") != 1 {
			t.Errorf("%v: keeping it is answered by\n%s", args, kept)
		}
	}
	cleared := b.Press(server, "ana", bottest.MustFind(t, b.Ask(server, "ana", bot.NameClear), "Clear my history"))
	if cleared.Audience != bot.Asker || !cleared.InPlace || cleared.Buttons() != nil || won("ana") != 0 || won("ben") != 1 {
		t.Errorf("clearing is answered by\n%sand ana has won %d, ben %d", cleared, won("ana"), won("ben"))
	}
	if record := b.Ask(dm, "ana", bot.NameSolveRecord).String(); !strings.HasPrefix(record, "You haven't finished a puzzle with my help yet.") {
		t.Errorf("the record of help is not cleared:\n%s", record)
	}
	if record := b.Ask(dm, "ben", bot.NameSolveRecord).String(); !strings.HasPrefix(record, "Your record: 1 of 1 puzzle solved") {
		t.Errorf("ben's record is cleared too:\n%s", record)
	}
	if next := b.Ask(dm, "cal", bot.NameSolveNext).String(); !strings.Contains(next, "CRANE") {
		t.Errorf("a puzzle that is still being solved is cleared:\n%s", next)
	}
	if typed := b.Ask(server, "ben", bot.NameClear, "sure", "true"); typed.Audience != bot.Asker || typed.InPlace || won("ben") != 0 {
		t.Errorf("typed, clearing is answered by\n%s", typed)
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
