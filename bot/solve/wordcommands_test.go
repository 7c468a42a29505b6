package solve

import (
	"fmt"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/game"
)

func TestSolveRefuses(t *testing.T) {
	b := newBot(t)
	b.Ask(dm, "ana", "solve new", "hard", "hard")
	b.Ask(dm, "ana", "solve next", "guess", "crane", "feedback", "bbybg")
	b.Ask(dm, "ana", "solve next", "guess", "evade", "feedback", "bbybg")
	b.Ask(dm, "stuck", "solve next", "guess", "crane", "feedback", "ggggy")
	b.Ask(dm, "done", "solve next", "guess", "crane", "feedback", "ggggg")
	b.Ask(dm, "zoe", "solve next", "guess", "flame", "feedback", "bbgbg")
	b.Ask(dm, "zoe", "solve hard", "hard", "ultra")
	for _, c := range []struct {
		player, command string
		args            []string
		want            string
	}{
		{"ana", "next", []string{"guess", "cr4ne", "feedback", "bbbbb"}, "A guess is one word of five letters, A to Z."},
		{"ana", "next", []string{"feedback", "bbyb"}, "“bbyb” has 4 marks. It takes five"},
		{"ana", "next", []string{"guess", "crane", "feedback", "bbbbb"}, "You already have that word in line 1. Wrong colours? Take back the lines from there: /solve undo."},
		{"ana", "next", []string{"guess", "slush", "feedback", "bbbbb"}, "Keep E at 5: it's green. Pick another word, or leave hard mode: /solve hard off."},
		{"zoe", "next", []string{"guess", "slate", "feedback", "bbbbb"}, "Ultra-hard: L was grey, so it has to stay out. Pick another word, or leave ultra-hard mode: /solve hard off."},
		{"zoe", "hard", []string{"hard", "harder"}, "hard can be off, hard or ultra, not “harder”."},
		{"ana", "change", []string{"line", "3", "feedback", "bbbbb"}, "The last line is line 2."},
		{"ana", "change", []string{"line", "7", "feedback", "bbbbb"}, "The last line is line 2."},
		{"ana", "change", []string{"line", "1", "feedback", "ggggg"}, "All green means found, but more lines follow."},
		{"ana", "strategy", []string{"name", "luck"}, "name can be optimal, "},
		{"new", "undo", nil, "There's no line yet."},
		{"stuck", "next", []string{"feedback", "bbbbb"}, "I have no word to propose. Enter your guess too"},
		{"done", "next", []string{"feedback", "bbbbb"}, "This puzzle is over. Begin the next one: /solve new"},
	} {
		mustRefuse(t, fmt.Sprintf("%s %q", c.command, c.args), c.want, func() bot.Reply { return b.Ask(dm, c.player, "solve "+c.command, c.args...) },
			func() bot.Reply { return b.Ask(dm, c.player, "solve show") })
	}
}

// TestSolveDoubtfulWin: a win counts, and the player hears that an earlier line contradicts it.
func TestSolveDoubtfulWin(t *testing.T) {
	b := newBot(t)
	b.Ask(dm, "ana", "solve next", "guess", "slate", "feedback", "bbgbb")
	b.Ask(dm, "ana", "solve next", "guess", "crane", "feedback", "bbybb")
	won := b.Ask(dm, "ana", "solve next", "guess", "evade", "feedback", "ggggg")
	reply := won.String()
	if won.Tone != bot.Happy || !strings.Contains(reply, "Line 1 doesn't fit EVADE") || !strings.Contains(reply, "1 of 1 puzzle solved") {
		t.Errorf("the win is answered by\n%s", reply)
	}
}

func TestCompleteGuess(t *testing.T) {
	b := newBot(t)
	b.Ask(dm, "ana", "solve next", "guess", "crane", "feedback", "bbbbb")
	v, err := b.Words.Peek(t.Context(), "ana")
	if err != nil {
		t.Fatal(err)
	}
	possible := v.Left
	complete := func(player game.PlayerID, typed string) []bot.Choice {
		return b.Find("solve next").Complete(t.Context(), bot.Request{Player: player}, "guess", typed)
	}
	all := complete("ana", "")
	if len(all) != bot.MaxChoices {
		t.Fatalf("%d choices for nothing typed", len(all))
	}
	if best := v.Words.Proposed[0].Word.String(); !strings.HasPrefix(all[0].Name, best+" — a best word, ") {
		t.Errorf("the first choice is %s, want %s", all[0].Name, best)
	}
	if last := all[bot.MaxChoices-1]; !strings.Contains(last.Name, " — fits, ") {
		t.Errorf("the last choice is %s", last.Name)
	}
	begin := strings.ToLower(possible[0].Word.String())
	for _, c := range []struct{ typed, first string }{
		{begin, possible[0].Word.String() + " — "},
		{strings.ToUpper(begin), possible[0].Word.String() + " — "},
		{"cran", "CRANK — "},
		{"crane", "CRANE — line 1 already"},
		{"bbygb", "bbygb — colours"},
		{"⬛⬛🟨 🟩0", "bbygb — colours"},
		{"Slate:bbygb", "SLATE and its colours, bbygb"},
		{"qzx", "QZX — no word in the list begins like that"},
		{"cr4", "CR4 — only letters A–Z"},
		{"cranes", "CRANES — 6 letters, a guess has five"},
	} {
		if got := complete("ana", c.typed); len(got) == 0 || !strings.HasPrefix(got[0].Name, c.first) {
			t.Errorf("completing %s gives %v, want first %s", c.typed, got, c.first)
		}
	}
	openers := complete("cleo", "")
	if len(openers) != bot.MaxChoices || !strings.Contains(openers[0].Name, " — a best word, ") || !strings.Contains(openers[9].Name, " — a best word, ") {
		t.Errorf("at first it proposes %v", openers)
	}
	if got := complete("ben", "crane"); len(got) != 1 || !strings.HasPrefix(got[0].Name, "CRANE — ") {
		t.Errorf("somebody else's puzzle proposes %v", got)
	}
}
