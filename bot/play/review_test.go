package play

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/bottest"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/boards"
)

func TestJudgement(t *testing.T) {
	w := wordle.MustParse
	turn := func(guess, hidden string) wordle.Turn {
		return wordle.Turn{Guess: w(guess), Feedback: wordle.Score(w(guess), w(hidden))}
	}
	for _, c := range []struct {
		g    solver.Judged
		want string
	}{
		{solver.Judged{Turn: turn("slate", "major"), Before: 143, After: 7, Expected: 9.61, Best: w("crony"), BestExpected: 8.2, Skill: 92.6, Luck: 61.4, Proven: true},
			"143 words → 7, 9.6 expected. Skill 93, luck 61. Best: CRONY (8.2)."},
		{solver.Judged{Turn: turn("slate", "major"), Before: 143, After: 7, Expected: 9.61, Best: w("crony"), BestExpected: 8.2, Skill: 92.6, Luck: 61.4},
			"143 words → 7, 9.6 expected. Skill about 93, luck 61. Best: CRONY (8.2)."},
		{solver.Judged{Turn: turn("crony", "major"), Before: 2, After: 1, Expected: 1, Best: w("crony"), BestExpected: 1, Skill: 99, Luck: 24.75, Proven: true},
			"2 words → 1, 1.0 expected. Skill 99, luck 25. The best there was."},
		{solver.Judged{Turn: turn("crony", "major"), Before: 2, After: 1, Expected: 1, Best: w("crony"), BestExpected: 1, Skill: 99, Luck: 24.75},
			"2 words → 1, 1.0 expected. Skill about 99, luck 25. The best I know."},
		{solver.Judged{Turn: turn("major", "major"), Before: 1, After: 1, Expected: 1, Best: w("major"), BestExpected: 1, Skill: 99, Luck: 49.5, Proven: true},
			"1 word → found, 1.0 expected. Skill 99, luck 50. The best there was."},
	} {
		r := game.Review{Wordle: solver.Review{Guesses: []solver.Judged{c.g}}}
		if got := judgements(r)[0].text; got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestPokleJudgement: the best board is no other one for the order of its flop.
func TestPokleJudgement(t *testing.T) {
	guess := mustBoard("4c 2s 5s 6d 3h")
	g := boards.Judged{Step: boards.Step{Guess: guess, Feedback: 5}, Before: 34, After: 2, Expected: 4.1, Best: guess.Canonical(), BestExpected: 4.1, Skill: 99, Luck: 90, Proven: true}
	text := func() string {
		return judgements(game.Review{Pokle: boards.Review{Guesses: []boards.Judged{g}}})[0].text
	}
	if got, want := text(), "34 boards → 2, 4.1 expected. Skill 99, luck 90. The best there was."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	g.Best, g.BestExpected, g.Proven = mustBoard("2s 4c 5s 6c 3d"), 3.5, false
	if got, want := text(), "34 boards → 2, 4.1 expected. Skill about 99, luck 90. Best: 2♠ 4♣ 5♠ 6♣ 3♦ (3.5)."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestPageArgs: another page of a list is of the same list.
func TestPageArgs(t *testing.T) {
	args := map[string]string{"player": "p", "outcome": "won", "word": "crane", "game": "wordle"}
	got := pageArgs(bot.Request{Args: args}, 7)
	args["before"] = "7"
	if !maps.Equal(got, args) {
		t.Errorf("got %v, want %v", got, args)
	}
}

// TestRepliesFitDiscord draws the longest review and list that there can be. A
// message holds 2000 characters.
func TestRepliesFitDiscord(t *testing.T) {
	const most = 2000
	hidden := wordle.MustParse("zzzzz")
	state := wordle.NewState(hidden, true)
	m := game.Match{Started: time.Now()}
	var review game.Review
	var parts []game.Part
	for i := range wordle.Attempts {
		player := game.PlayerID(fmt.Sprintf("%020d", i))
		m.Moves = append(m.Moves, game.Move{Player: player, At: time.Now()})
		parts = append(parts, game.Part{Player: player})
		guess := wordle.MustParse("aaaa" + string(rune('a'+i)))
		turn := wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, hidden)}
		var err error
		if state, err = state.Guess(guess); err != nil {
			t.Fatal(err)
		}
		review.Wordle.Guesses = append(review.Wordle.Guesses, solver.Judged{
			Turn: turn, Before: 14855, After: 14855, Expected: 14855, Best: hidden, BestExpected: 14855, Skill: 99, Luck: 99, Cut: 1,
		})
		review.Wordle.Line = append(review.Wordle.Line, turn, turn)
	}
	m.Wordle = state
	reviewed := game.Reviewed{
		Finished: game.Finished{Number: 1_000_000, Match: m}, Review: review, Shares: game.Shares(m, review),
	}
	if n := bottest.Size(bot.Reply{Lines: reviewLines(reviewed)}); n > most {
		t.Errorf("a review has %d characters", n)
	} else {
		t.Logf("a review has at most %d characters", n)
	}
	b, _ := newBot(t)
	page := game.Page{HasOlder: true, HasNewer: true, Older: math.MaxUint32, Newer: math.MaxUint32}
	for range pageSize {
		page.Entries = append(page.Entries, game.Entry{Number: 1_000_000, Result: game.Result{
			Kind: game.Pokle, Status: game.Stopped, Attempts: 6, Board: mustBoard("10c 10d 10h 10s kd"), Parts: append(parts, parts...),
		}})
	}
	r := bot.Request{Args: map[string]string{"player": string(parts[0].Player), "outcome": "stopped", "word": "zzzzz", "game": "wordle", "before": "1000000"}}
	if n := bottest.Size(bot.Reply{Lines: b.listLines(r, game.Filter{}, page)}); n > most {
		t.Errorf("a list has %d characters", n)
	} else {
		t.Logf("a list has at most %d characters", n)
	}
	for step := range wordle.Attempts + 1 {
		if n := bottest.Size(bot.Reply{Lines: b.Step(t.Context(), reviewed.Finished, step)}); n > most {
			t.Errorf("step %d has %d characters", step, n)
		}
	}
	if help, err := b.runHelp(t.Context(), bot.Request{}); err != nil || bottest.Size(help) > most {
		t.Errorf("the help has %d characters, %v", bottest.Size(help), err)
	}
}

// labels are those of a reply's buttons, in brackets where they do nothing. No
// two may ask for the same.
func labels(t *testing.T, r bot.Reply) string {
	t.Helper()
	var all []string
	seen := map[string]bool{}
	for _, row := range r.Buttons {
		for _, b := range row {
			label := b.Label
			if b.Disabled {
				label = "(" + label + ")"
			}
			all = append(all, label)
			if id := fmt.Sprint(b.Command, b.Args); seen[id] {
				t.Errorf("two buttons ask for %s", id)
			} else {
				seen[id] = true
			}
		}
	}
	return strings.Join(all, " ")
}

// mustWin lets a player win games with one guess each.
func (a *asker) mustWin(t *testing.T, place game.Place, player string, n int) {
	t.Helper()
	for range n {
		a.ask(place, player, bot.NameStart)
		m, err := a.bot.Games.Board(t.Context(), game.ChannelTable(game.Wordle, place.Channel))
		if err != nil {
			t.Fatal(err)
		}
		a.ask(place, player, bot.NameGuess, "word", m.Wordle.Hidden().String())
	}
}

// numbers are those of the games in a list.
func numbers(r bot.Reply) string {
	var all []string
	for _, line := range r.Lines {
		if n, _, ok := strings.Cut(line.Text[0].Text, ". 20"); ok {
			all = append(all, n)
		}
	}
	return strings.Join(all, " ")
}

func TestListPages(t *testing.T) {
	b, _ := newBot(t)
	a := asker{bot: b}
	a.mustWin(t, server, "ana", 12)
	a.mustWin(t, server, "ben", 1)
	a.mustWin(t, server, "ana", 11)
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
		page := a.ask(server, "ana", bot.NameList, c.args...)
		var before []bot.Reply
		for i := range c.pages {
			if got := numbers(page); got != c.pages[i] {
				t.Errorf("%s: page %d has %s, want %s", c.name, i+1, got, c.pages[i])
			}
			if got := labels(t, page); got != c.buttons[i] {
				t.Errorf("%s: page %d has the buttons %s, want %s", c.name, i+1, got, c.buttons[i])
			}
			if page.Audience != bot.Asker || page.InPlace != (i > 0) {
				t.Errorf("%s: page %d is private: %t, in place: %t", c.name, i+1, page.Audience == bot.Asker, page.InPlace)
			}
			before = append(before, page)
			if i+1 < len(c.pages) {
				page = a.press(server, "ana", mustFind(t, page, "Older"))
			}
		}
		for i := len(c.pages) - 2; i >= 0; i-- {
			if page = a.press(server, "ana", mustFind(t, page, "Newer")); numbers(page) != numbers(before[i]) {
				t.Errorf("%s: the way back has %s, want %s", c.name, numbers(page), numbers(before[i]))
			}
		}
	}
	// What a button does can be typed.
	page := a.ask(server, "ana", bot.NameList, "player", "ana", "outcome", "won").String()
	if want := "Older: /review list player:ana outcome:won before:15\n"; !strings.Contains(page, want) {
		t.Errorf("the list is\n%swant %s in it", page, want)
	}
	empty := a.ask(server, "ana", bot.NameList, "player", "ben", "before", "13")
	if got := empty.String(); labels(t, empty) != "Newer" || !strings.HasPrefix(got, "No such game has a number below 13.\nNewer: /review list player:ben\n") {
		t.Errorf("below the first game there is\n%s", got)
	}
}

func TestReplay(t *testing.T) {
	b, _ := newBot(t, "major")
	a := asker{bot: b}
	a.ask(server, "ana", bot.NameStart)
	for _, w := range []string{"slate", "crony", "major"} {
		if reply := a.ask(server, "ana", bot.NameReplay, "number", "1"); !strings.HasPrefix(reply.String(), "There is no such finished game") {
			t.Errorf("while it is played the game is\n%s", reply)
		}
		a.ask(server, "ana", bot.NameGuess, "word", w)
	}
	step := a.ask(server, "ana", bot.NameReplay, "number", "1")
	for i, c := range []struct {
		text, buttons string
	}{
		{"step 0 of 3\nThe board is empty; 2346 words left.\nNot tried: A B C D E F G H I J K L M N O P Q R S T U V W X Y Z\nNext: /review replay 1 step:1.\n", "(Back) Next"},
		{"step 1 of 3\nSLATE\nana guessed SLATE; 143 words left.\nIn the word: A (not 3)\nNot tried: B C D F G H I J K M N O P Q R U V W X Y Z\nNext: /review replay 1 step:2.\n", "Back Next"},
		{"step 2 of 3\nSLATE\nCRONY\nana guessed CRONY; 7 words left.\nIn the word: A (not 3), O (not 3), R (not 2)\nNot tried: B D F G H I J K M P Q U V W X Z\nNext: /review replay 1 step:3.\n", "Back Next"},
		{"step 3 of 3\nSLATE\nCRONY\nMAJOR\nana guessed MAJOR; 1 word left.\nWon in 3 of 6! The word was MAJOR, found by ana.\n", "Back (Next)"},
	} {
		_, got, _ := strings.Cut(step.String(), ", step")
		if got = "step" + got; got != c.text || labels(t, step) != c.buttons || step.Audience != bot.Asker || step.InPlace != (i > 0) {
			t.Errorf("step %d is\n%swith %s, private: %t, in place: %t; want\n%swith %s", i, got, labels(t, step), step.Audience == bot.Asker, step.InPlace, c.text, c.buttons)
		}
		typed := a.ask(server, "ana", bot.NameReplay, "number", "#1", "step", fmt.Sprint(i))
		if typed.String() != step.String() {
			t.Errorf("typed, step %d is\n%s", i, typed)
		}
		if i > 0 {
			back := a.press(server, "ana", mustFind(t, step, "Back"))
			if again := a.press(server, "ana", mustFind(t, back, "Next")); again.String() != step.String() {
				t.Errorf("back and next from step %d is\n%s", i, again)
			}
		}
		if i < 3 {
			step = a.press(server, "ana", mustFind(t, step, "Next"))
		}
	}
	for _, step := range []string{"4", "-1", "x", "99999999999999999999"} {
		if reply := a.ask(server, "ana", bot.NameReplay, "number", "1", "step", step); reply.Audience != bot.Asker ||
			!strings.HasPrefix(reply.String(), "“"+step+"” is not a step of that game: they go from 0, the empty board, to 3.") {
			t.Errorf("step %s is\n%s", step, reply)
		}
	}
	a.ask(server, "ana", bot.NameStart)
	a.ask(server, "ana", bot.NameStop)
	if stopped := a.ask(server, "ana", bot.NameReplay, "number", "2"); stopped.Buttons != nil {
		t.Errorf("a game without steps has the buttons %s", labels(t, stopped))
	}
}

func TestClearAsksFirst(t *testing.T) {
	b, _ := newBot(t)
	a := asker{bot: b}
	a.mustWin(t, server, "ana", 1)
	a.mustWin(t, server, "ben", 1)
	won := func(player game.PlayerID) int {
		totals, err := b.Games.Store.Totals(t.Context(), game.Scope{Kind: game.Wordle, Guild: "g"}, player)
		if err != nil {
			t.Fatal(err)
		}
		return totals.Won
	}
	for _, args := range [][]string{nil, {"sure", "false"}} {
		question := a.ask(server, "ana", bot.NameClear, args...)
		if question.Audience != bot.Asker || labels(t, question) != "Clear my history Keep it" || !strings.Contains(question.String(), "cannot be undone") {
			t.Errorf("%v: the question is\n%s", args, question)
		}
		kept := a.press(server, "ana", mustFind(t, question, "Keep it"))
		if kept.Audience != bot.Asker || !kept.InPlace || kept.Buttons != nil || won("ana") != 1 {
			t.Errorf("%v: keeping it is answered by\n%s", args, kept)
		}
	}
	cleared := a.press(server, "ana", mustFind(t, a.ask(server, "ana", bot.NameClear), "Clear my history"))
	if cleared.Audience != bot.Asker || !cleared.InPlace || cleared.Buttons != nil || won("ana") != 0 || won("ben") != 1 {
		t.Errorf("clearing is answered by\n%sand ana has won %d, ben %d", cleared, won("ana"), won("ben"))
	}
	if typed := a.ask(server, "ben", bot.NameClear, "sure", "true"); typed.Audience != bot.Asker || typed.InPlace || won("ben") != 0 {
		t.Errorf("typed, clearing is answered by\n%s", typed)
	}
}

// TestButtonsCanBeTyped: a button asks for nothing that the table would refuse.
func TestButtonsCanBeTyped(t *testing.T) {
	b, _ := newBot(t)
	a := asker{bot: b}
	a.mustWin(t, server, "ana", 11)
	for _, r := range []bot.Reply{
		a.ask(server, "ana", bot.NameList, "player", "ana", "outcome", "won"), a.ask(server, "ana", bot.NameReplay, "number", "3"), a.ask(server, "ana", bot.NameClear),
	} {
		for _, button := range r.Buttons[0] {
			c, ok := new(Handlers).Table().Find(button.Command)
			names := map[string]bool{}
			for _, o := range c.Options {
				names[o.Name] = true
			}
			if _, fits := c.Check(button.Args); !ok || !fits {
				t.Errorf("button %s asks for %s %v", button.Label, button.Command, button.Args)
			}
			for name := range button.Args {
				if !names[name] {
					t.Errorf("button %s gives %s, which has no option %s", button.Label, button.Command, name)
				}
			}
		}
	}
}

func TestReviewWithoutFittingWords(t *testing.T) {
	b, _ := newBot(t, "crane")
	a := asker{bot: b}
	a.ask(server, "ana", bot.NameStart)
	a.ask(server, "ana", bot.NameGuess, "word", "fuzzy")
	a.ask(server, "ana", bot.NameStop)
	lists, err := wordle.ReadLists(
		wordle.Source{Name: "answers", Reader: strings.NewReader("fuzzy\n")}, wordle.Source{Name: "guesses", Reader: strings.NewReader("fuzzy\n")})
	if err != nil {
		t.Fatal(err)
	}
	a.bot = newTestBot(&Handlers{Games: &game.Manager{Store: b.Games.Store, Lists: lists, Solver: solver.New(lists), Boards: new(boards.Solver)}, Log: b.Bot.Log})
	if reply := a.ask(server, "ana", bot.NameReview); reply.Audience != bot.Asker || !strings.HasPrefix(reply.String(), "I cannot judge that game") {
		t.Errorf("the review is\n%s", reply)
	}
}
