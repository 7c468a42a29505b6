package commands_test

import (
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/statistics"
)

func TestDeleteAsksFirst(t *testing.T) {
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
	b.Ask(dm, "cal", bot.NamePrivacy, "action", "delete", "sure", "true")
	for _, args := range [][]string{nil, {"sure", "false"}} {
		question := b.Ask(server, "ana", bot.NamePrivacy, append([]string{"action", "delete"}, args...)...)
		if question.Audience != bot.Asker || !strings.Contains(question.String(), "can't be undone") {
			t.Errorf("%v: the question is\n%s", args, question)
		}
		kept := b.Press(server, "ana", bottest.MustFind(t, question, "Keep it"))
		if kept.Audience != bot.Asker || !kept.InPlace || kept.Buttons() != nil || won("ana") != 1 {
			t.Errorf("%v: keeping it is answered by\n%s", args, kept)
		}
	}
	deleted := b.Press(server, "ana", bottest.MustFind(t, b.Ask(server, "ana", bot.NamePrivacy, "action", "delete"), "Delete my data"))
	if deleted.Audience != bot.Asker || !deleted.InPlace || deleted.Buttons() != nil || won("ana") != 0 || won("ben") != 1 {
		t.Errorf("deleting is answered by\n%sand ana has won %d, ben %d", deleted, won("ana"), won("ben"))
	}
	if record := b.Ask(dm, "ana", bot.NameSolveRecord).String(); !strings.HasPrefix(record, "You haven't finished a puzzle with my help yet.") {
		t.Errorf("the record of help is not deleted:\n%s", record)
	}
	if record := b.Ask(dm, "ben", bot.NameSolveRecord).String(); !strings.HasPrefix(record, "Your record: 1 of 1 puzzle solved") {
		t.Errorf("ben's record is deleted too:\n%s", record)
	}
	if next := b.Ask(dm, "cal", bot.NameSolveNext).String(); strings.Contains(next, "CRANE") {
		t.Errorf("a puzzle that is still being solved is kept:\n%s", next)
	}
	if typed := b.Ask(server, "ben", bot.NamePrivacy, "action", "delete", "sure", "true"); typed.Audience != bot.Asker || typed.InPlace || won("ben") != 0 {
		t.Errorf("typed, deleting is answered by\n%s", typed)
	}
}
