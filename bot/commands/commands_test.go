package commands_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
)

func TestHandleRefusesWhatAFrontLetsThrough(t *testing.T) {
	b := newBot(t, nil)
	for _, c := range []struct {
		command string
		args    []string
		want    string
	}{
		{"dance", nil, "That doesn't work any more. /wordle help lists the commands."},
		{"guess", nil, "Please add the word"},
		{"wordle start", []string{"hard", "maybe"}, "off, hard or ultra"},
		{"hint", []string{"kind", "everything"}, "suggestion, letter or position"},
	} {
		if reply := b.Ask(server, "ana", c.command, c.args...); reply.Audience != bot.Asker || !strings.Contains(reply.String(), c.want) {
			t.Errorf("%s %v is answered by %q, want %q in it", c.command, c.args, reply, c.want)
		}
	}
}

// TestTable: a page has ten players, then come those with too few puzzles. The asker's own row is added in ephemeral
// replies only.
func TestTable(t *testing.T) {
	b := newBot(t, nil)
	b.now = time.Date(2026, 10, 31, 12, 0, 0, 0, time.UTC)
	if board := b.Ask(server, "zoe", "stats").String(); !strings.Contains(board, "Nobody has finished a daily here yet.") {
		t.Errorf("the first table is\n%s", board)
	}
	// Twelve players solve five puzzles each, in 16, 15, … 5 guesses.
	for day := range 5 {
		b.now = b.now.Add(24 * time.Hour)
		for i := range 12 {
			b.mustDaily(t, server, fmt.Sprint("p", i), (11-i+day)/5)
		}
	}
	b.mustDaily(t, server, "late", 0)
	board := b.Ask(server, "p0", "stats")
	text := board.String()
	if !strings.HasPrefix(text, "November 2026\n") || !strings.Contains(text, "\n1. 👑 p11 · 1.00\n") || !strings.Contains(text, "\n10. p2 · 2.80\n") || strings.Contains(text, "p0") {
		t.Errorf("the first page is\n%s", text)
	}
	row := board.Buttons()
	next := b.Ask(server, "p0", row[len(row)-1].Command, "when", "month", "page", row[len(row)-1].Args["page"])
	if text := next.String(); !strings.Contains(text, "\n11. p1 · 3.00\n12. p0 · 3.20\nlate · 1.00 · 1 of 3 puzzles\n") {
		t.Errorf("the second page is\n%s", text)
	}
	if card := b.Ask(server, "late", "stats", "card", "own"); card.Audience != bot.Asker || !strings.Contains(card.String(), "late\nWord game: dailies here\nplayed 1, solved 100%, average 1.00, streak 1") {
		t.Errorf("the own card is %v\n%s", card.Audience, card)
	}
	if reply := b.Ask(server, "p0", "stats", "player", "zoe"); reply.Audience != bot.Asker || !strings.Contains(reply.String(), "zoe hasn't finished a game here yet.") {
		t.Errorf("the card of a guest is for %v:\n%s", reply.Audience, reply)
	}
}
