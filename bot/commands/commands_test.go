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
		{"dance", nil, "That does not work any more. /wordle help lists the commands."},
		{"guess", nil, "Please add the word"},
		{"wordle start", []string{"hard", "maybe"}, "true or false"},
		{"hint", []string{"kind", "everything"}, "suggestion, letter or position"},
	} {
		if reply := b.Ask(server, "ana", c.command, c.args...); reply.Audience != bot.Asker || !strings.Contains(reply.String(), c.want) {
			t.Errorf("%s %v is answered by %q, want %q in it", c.command, c.args, reply, c.want)
		}
	}
}

func TestLeaderboardShowsTheOwnRow(t *testing.T) {
	b := newBot(t, nil)
	// Twelve players solve five puzzles each, the first one with one guess more than the second, …
	for day := range 5 {
		b.now = b.now.Add(24 * time.Hour)
		for i := range 12 {
			b.mustDaily(t, server, fmt.Sprint("p", i), (11-i+day)/5)
		}
	}
	board := b.Ask(server, "p0", "stats").String()
	if !strings.Contains(board, "Daily puzzles, November 2026 · 12 players with a place") || !strings.Contains(board, "\n1. p11 — 1.00: 5 guesses in 5 puzzles\n") ||
		!strings.Contains(board, "\n10. p2 — 2.80: 14 guesses in 5 puzzles\n") || strings.Contains(board, "11. ") || !strings.Contains(board, "…\n12. p0 — 3.20: 16 ") {
		t.Errorf("the leaderboard for the last one is\n%s", board)
	}
	if board := b.Ask(server, "p11", "stats").String(); strings.Count(board, "p11") != 1 || strings.Contains(board, "…") {
		t.Errorf("the leaderboard for the first one is\n%s", board)
	}
	if board := b.Ask(server, "zoe", "stats").String(); !strings.Contains(board, "You have finished none here this month.") {
		t.Errorf("the leaderboard for a guest is\n%s", board)
	}
}
