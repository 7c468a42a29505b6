package commands_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
)

// labels are those of a reply's buttons, in brackets where they do nothing.
func labels(r bot.Reply) string {
	var all []string
	for _, b := range slices.Concat(r.Buttons...) {
		if b.Disabled {
			b.Label = "(" + b.Label + ")"
		}
		all = append(all, b.Label)
	}
	return strings.Join(all, " ")
}

// numbers are those of the games in a list.
func numbers(r bot.Reply) string {
	var all []string
	for _, line := range r.Lines {
		if len(line.Text) > 1 && line.Text[1].Style == bot.StyleTime {
			all = append(all, strings.TrimSuffix(line.Text[0].Text, ". "))
		}
	}
	return strings.Join(all, " ")
}

func TestListPages(t *testing.T) {
	b := newBot(t, nil)
	b.mustWin(t, server, "ana", 12)
	b.mustWin(t, server, "ben", 1)
	b.mustWin(t, server, "ana", 11)
	for _, c := range []struct {
		name           string
		args           []string
		pages, buttons []string
	}{
		{"all", nil,
			[]string{"24 23 22 21 20 19 18 17 16 15", "14 13 12 11 10 9 8 7 6 5", "4 3 2 1"},
			[]string{"Older", "Newer Older", "Newer"}},
		{"a player's", []string{"player", "ana", "outcome", "won"},
			[]string{"24 23 22 21 20 19 18 17 16 15", "14 12 11 10 9 8 7 6 5 4", "3 2 1"},
			[]string{"Older", "Newer Older", "Newer"}},
		{"one page", []string{"player", "ben"}, []string{"13"}, []string{""}},
	} {
		page := b.Ask(server, "ana", bot.NameList, c.args...)
		var before []bot.Reply
		for i := range c.pages {
			if got := numbers(page); got != c.pages[i] {
				t.Errorf("%s: page %d has %s, want %s", c.name, i+1, got, c.pages[i])
			}
			if got := labels(page); got != c.buttons[i] {
				t.Errorf("%s: page %d has the buttons %s, want %s", c.name, i+1, got, c.buttons[i])
			}
			if page.Audience != bot.Asker || page.InPlace != (i > 0) {
				t.Errorf("%s: page %d is private: %t, in place: %t", c.name, i+1, page.Audience == bot.Asker, page.InPlace)
			}
			before = append(before, page)
			if i+1 < len(c.pages) {
				page = b.Press(server, "ana", bottest.MustFind(t, page, "Older"))
			}
		}
		for i := len(c.pages) - 2; i >= 0; i-- {
			if page = b.Press(server, "ana", bottest.MustFind(t, page, "Newer")); numbers(page) != numbers(before[i]) {
				t.Errorf("%s: the way back has %s, want %s", c.name, numbers(page), numbers(before[i]))
			}
		}
	}
	// What a button does can be typed.
	page := b.Ask(server, "ana", bot.NameList, "player", "ana", "outcome", "won").String()
	if want := "Older: /review list player:ana outcome:won before:15\n"; !strings.Contains(page, want) {
		t.Errorf("the list is\n%swant %s in it", page, want)
	}
	empty := b.Ask(server, "ana", bot.NameList, "player", "ben", "before", "13")
	if got := empty.String(); labels(empty) != "Newer" || !strings.HasPrefix(got, "No such game has a number below 13.\nNewer: /review list player:ben\n") {
		t.Errorf("below the first game there is\n%s", got)
	}
}

// TestForgottenGames: whoever asks for a game that was removed learns why it is not there,
// and the statistics still have it.
func TestForgottenGames(t *testing.T) {
	b := newBot(t, nil)
	b.mustWin(t, server, "ana", 2)
	if n, err := b.games.Store.Forget(t.Context(), b.now.Add(time.Hour)); n != 2 || err != nil {
		t.Fatalf("%d matches were removed, %v", n, err)
	}
	b.mustWin(t, server, "ana", 1)
	const gone = "That game is no longer kept; it still counts in the statistics. /review list shows the games there are.\n"
	for _, command := range []string{bot.NameReview, bot.NameReplay} {
		for _, number := range []string{"1", "2"} {
			if reply := b.Ask(server, "ana", command, "number", number); reply.String() != gone || reply.Audience != bot.Asker {
				t.Errorf("%s %s is\n%s", command, number, reply)
			}
		}
		if reply := b.Ask(server, "ana", command, "number", "3"); strings.Contains(reply.String(), "no longer") {
			t.Errorf("%s 3 is\n%s", command, reply)
		}
		if reply := b.Ask(server, "ana", command, "number", "4"); !strings.HasPrefix(reply.String(), "There is no such finished game") {
			t.Errorf("%s 4 is\n%s", command, reply)
		}
	}
	if got := numbers(b.Ask(server, "ana", bot.NameList)); got != "3" {
		t.Errorf("the list has %s", got)
	}
	if reply := b.Ask(server, "ana", wordgame.Commands.Stats, "player", "ana"); !strings.Contains(reply.String(), "Other games here: 3 won (1.00 guesses on average), 0 lost") {
		t.Errorf("the statistics are\n%s", reply)
	}
}

func TestReplay(t *testing.T) {
	b := newBot(t, []string{"major"})
	b.Ask(server, "ana", wordgame.Commands.Start)
	for _, w := range []string{"slate", "crony", "major"} {
		if reply := b.Ask(server, "ana", bot.NameReplay, "number", "1"); !strings.HasPrefix(reply.String(), "There is no such finished game") {
			t.Errorf("while it is played the game is\n%s", reply)
		}
		b.Ask(server, "ana", wordgame.Commands.Guess, "word", w)
	}
	step := b.Ask(server, "ana", bot.NameReplay, "number", "1")
	for i, c := range []struct {
		text, buttons string
	}{
		{"step 0 of 3\nThe board is empty; 2319 words left.\nNot tried: A B C D E F G H I J K L M N O P Q R S T U V W X Y Z\nNext: /review replay 1 1.\n", "(Back) Next"},
		{"step 1 of 3\nSLATE\nana guessed SLATE; 143 words left.\nIn the word: A (not 3)\nNot tried: B C D F G H I J K M N O P Q R U V W X Y Z\nNext: /review replay 1 2.\n", "Back Next"},
		{"step 2 of 3\nSLATE\nCRONY\nana guessed CRONY; 7 words left.\nIn the word: A (not 3), O (not 3), R (not 2)\nNot tried: B D F G H I J K M P Q U V W X Z\nNext: /review replay 1 3.\n", "Back Next"},
		{"step 3 of 3\nSLATE\nCRONY\nMAJOR\nana guessed MAJOR; 1 word left.\nWon in 3 of 6! The word was MAJOR, found by ana.\n", "Back (Next)"},
	} {
		_, got, _ := strings.Cut(step.String(), ", step")
		if got = "step" + got; got != c.text || labels(step) != c.buttons || step.Audience != bot.Asker || step.InPlace != (i > 0) {
			t.Errorf("step %d is\n%swith %s, private: %t, in place: %t; want\n%swith %s", i, got, labels(step), step.Audience == bot.Asker, step.InPlace, c.text, c.buttons)
		}
		typed := b.Ask(server, "ana", bot.NameReplay, "number", "#1", "step", fmt.Sprint(i))
		if typed.String() != step.String() {
			t.Errorf("typed, step %d is\n%s", i, typed)
		}
		if i > 0 {
			back := b.Press(server, "ana", bottest.MustFind(t, step, "Back"))
			if again := b.Press(server, "ana", bottest.MustFind(t, back, "Next")); again.String() != step.String() {
				t.Errorf("back and next from step %d is\n%s", i, again)
			}
		}
		if i < 3 {
			step = b.Press(server, "ana", bottest.MustFind(t, step, "Next"))
		}
	}
	for _, step := range []string{"4", "-1", "x", "99999999999999999999"} {
		if reply := b.Ask(server, "ana", bot.NameReplay, "number", "1", "step", step); reply.Audience != bot.Asker ||
			!strings.HasPrefix(reply.String(), "“"+step+"” is not a step of that game: steps go from 0, the empty board, to 3.") {
			t.Errorf("step %s is\n%s", step, reply)
		}
	}
	b.Ask(server, "ana", wordgame.Commands.Start)
	b.Ask(server, "ana", wordgame.Commands.Stop)
	if stopped := b.Ask(server, "ana", bot.NameReplay, "number", "2"); stopped.Buttons != nil {
		t.Errorf("a game without steps has the buttons %s", labels(stopped))
	}
}

func TestClearAsksFirst(t *testing.T) {
	b := newBot(t, nil)
	b.mustWin(t, server, "ana", 1)
	b.mustWin(t, server, "ben", 1)
	won := func(player game.PlayerID) int {
		totals, err := b.parts.Statistics.Totals(t.Context(), game.Scope{Kind: wordgame.Kind, Guild: "g"}, player)
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
		if question.Audience != bot.Asker || labels(question) != "Clear my history Keep it" || !strings.Contains(question.String(), "cannot be undone") {
			t.Errorf("%v: the question is\n%s", args, question)
		}
		kept := b.Press(server, "ana", bottest.MustFind(t, question, "Keep it"))
		if kept.Audience != bot.Asker || !kept.InPlace || kept.Buttons != nil || won("ana") != 1 {
			t.Errorf("%v: keeping it is answered by\n%s", args, kept)
		}
	}
	cleared := b.Press(server, "ana", bottest.MustFind(t, b.Ask(server, "ana", bot.NameClear), "Clear my history"))
	if cleared.Audience != bot.Asker || !cleared.InPlace || cleared.Buttons != nil || won("ana") != 0 || won("ben") != 1 {
		t.Errorf("clearing is answered by\n%sand ana has won %d, ben %d", cleared, won("ana"), won("ben"))
	}
	if record := b.Ask(dm, "ana", bot.NameSolveRecord).String(); !strings.HasPrefix(record, "You have not finished a puzzle with my help yet.") {
		t.Errorf("the record of help is not cleared:\n%s", record)
	}
	if record := b.Ask(dm, "ben", bot.NameSolveRecord).String(); !strings.HasPrefix(record, "Your record: solved 1 of 1 puzzle") {
		t.Errorf("ben's record is cleared too:\n%s", record)
	}
	if next := b.Ask(dm, "cal", bot.NameSolveNext).String(); !strings.Contains(next, "CRANE") {
		t.Errorf("a puzzle that is still being solved is cleared:\n%s", next)
	}
	if typed := b.Ask(server, "ben", bot.NameClear, "sure", "true"); typed.Audience != bot.Asker || typed.InPlace || won("ben") != 0 {
		t.Errorf("typed, clearing is answered by\n%s", typed)
	}
}

func TestReviewWithoutFittingWords(t *testing.T) {
	b := newBot(t, []string{"crane"})
	b.Ask(server, "ana", wordgame.Commands.Start)
	b.Ask(server, "ana", wordgame.Commands.Guess, "word", "fuzzy")
	b.Ask(server, "ana", wordgame.Commands.Stop)
	lists, err := wordle.ReadLists(
		wordle.Source{Name: "answers", Reader: strings.NewReader("fuzzy\n")}, wordle.Source{Name: "guesses", Reader: strings.NewReader("fuzzy\n")})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range b.games.Rules {
		if r.Kind == wordgame.Kind {
			b.games.Rules[i] = wordgame.Rules(lists, solver.New(lists))
		}
	}
	if reply := b.Ask(server, "ana", bot.NameReview); reply.Audience != bot.Asker || !strings.HasPrefix(reply.String(), "I cannot judge that game") {
		t.Errorf("the review is\n%s", reply)
	}
}
