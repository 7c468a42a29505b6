package solve

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

// tileRow returns the buttons with the looks of tiles.
func tileRow(r bot.Reply) []bot.Button {
	for _, row := range r.Buttons {
		if len(row) == wordle.Length && row[0].Style >= bot.ButtonBlack {
			return row
		}
	}
	return nil
}

func looks(row []bot.Button) string {
	text := ""
	for _, b := range row {
		text += map[bot.ButtonStyle]string{bot.ButtonBlack: "b", bot.ButtonYellow: "y", bot.ButtonGreen: "g"}[b.Style]
	}
	return text
}

// TestSolve asks for all that /solve can do; each step follows the one before.
func TestSolve(t *testing.T) {
	b := newBot(t)
	for i, c := range []struct {
		command string
		args    []string
		want    []string // in the reply
		not     string   // and what is not
	}{
		{"record", nil, []string{"You have not finished a puzzle"}, "|"},
		{"next", nil, []string{"Guess 1 of 6: try ", "words fit", "/solve next bbygb"}, "Hard mode"},
		{"words", nil, []string{"words fit, most likely first: ", " more."}, "Guess"},
		{"next", []string{"guess", "crane", "feedback", "bbygb"}, []string{"CRANE bbygb\n", "Guess 2 of 6: try "}, "your own choice"},
		{"next", []string{"guess", "slaim"}, []string{"Guess 2 of 6: SLAIM, your own choice. I would try "}, "SLAIM bbbbb"},
		{"next", []string{"guess", "⬜️⬛🟨", "feedback", "0x"}, []string{"CRANE bbygb\nSLAIM bbybb\nGuess 3 of 6: try "}, "Guess 2"},
		{"next", []string{"guess", "dying", "feedback", "bbbbb"}, []string{"No word I know fits", "No five letters at all give this feedback"}, "Guess 4"},
		{"undo", nil, []string{"SLAIM bbybb\nGuess 3 of 6: DYING, your own choice."}, "No five letters"},
		{"change", []string{"line", "2", "feedback", "bbbbb"}, []string{"CRANE bbygb\nSLAIM bbbbb\n", "/solve change"}, "Guess 3"},
		{"undo", nil, []string{"CRANE bbygb\nGuess 2 of 6: SLAIM, your own choice"}, "SLAIM bbbbb"},
		{"words", nil, []string{"words fit, most likely first: "}, "CRANE"},
		{"top", nil, []string{"The best words to try for guess 2.", "groups  expected  worst"}, "CRANE"},
		{"hard", nil, []string{"Hard mode: every clue must be used."}, "SLAIM"},
		{"hard", []string{"off", "true"}, []string{"Guess 2 of 6"}, "Hard mode"},
		{"strategy", []string{"name", "entropy"}, []string{"Strategy: entropy. The feedback for ", " is worth ", " bits."}, "Hard mode"},
		{"top", nil, []string{"chance     bits\n", "Ranked by bits"}, "guesses\n"},
		{"strategy", []string{"name", "expected"}, []string{"Strategy: expected. ", " of all chances, on average."}, "Hard mode"},
		{"top", nil, []string{"chance  average\n", "Ranked by average"}, "guesses\n"},
		{"strategy", []string{"name", "parts"}, []string{"Strategy: parts. With "}, "Hard mode"},
		{"top", nil, []string{"chance   in two\n", "Ranked by in two"}, "guesses\n"},
		{"strategy", []string{"name", "minimax"}, []string{"Strategy: minimax. The likeliest feedback for "}, "Hard mode"},
		{"top", nil, []string{"chance   likely\n", "Ranked by likely"}, "guesses\n"},
		{"new", []string{"hard", "true"}, []string{"Guess 1 of 6", "Hard mode: every clue must be used. Strategy: minimax."}, "bbygb\n"},
		{"next", []string{"guess", "crane", "feedback", "bbbbb"}, []string{"CRANE bbbbb"}, "Solved"},
		{"next", []string{"guess", "ggggg"}, []string{"Solved in 2 of 6. Well done!", "Your record: solved 1 of 1 puzzle (100%), 2.00 guesses on average.", "/solve new"}, "Guess"},
		{"record", nil, []string{"Your record: solved 1 of 1 puzzle", "2 |████████████ 1"}, "CRANE"},
		{"words", nil, []string{"Solved in 2 of 6."}, "fit"},
		{"top", nil, []string{"Solved in 2 of 6."}, "best"},
		{"new", nil, []string{"Guess 1 of 6"}, "Hard mode"},
		{"show", nil, []string{"Guess 1 of 6"}, "Hard mode"},
	} {
		reply := b.Ask(server, "ana", "solve "+c.command, c.args...)
		mustShow(t, fmt.Sprintf("step %d, /solve %s %q", i, c.command, c.args), reply, c.want, c.not)
	}
	for _, word := range []string{"aaaaa", "ddddd", "eeeee", "fffff", "ggggg", "hhhhh"} {
		b.Ask(server, "ben", "solve next", "guess", word, "feedback", "bbbbb")
	}
	if reply := b.Ask(dm, "ben", "solve next").String(); !strings.Contains(reply, "Six guesses, and not found.") ||
		!strings.Contains(reply, "words would still fit") || !strings.Contains(reply, "Your record: solved 0 of 1 puzzle.") {
		t.Errorf("a puzzle lost is\n%s", reply)
	}
}

func TestSolveRefuses(t *testing.T) {
	b := newBot(t)
	b.Ask(dm, "ana", "solve new", "hard", "true")
	b.Ask(dm, "ana", "solve next", "guess", "crane", "feedback", "bbybg")
	b.Ask(dm, "ana", "solve next", "guess", "evade", "feedback", "bbybg")
	b.Ask(dm, "stuck", "solve next", "guess", "crane", "feedback", "ggggy")
	b.Ask(dm, "done", "solve next", "guess", "crane", "feedback", "ggggg")
	for _, c := range []struct {
		player, command string
		args            []string
		want            string
	}{
		{"ana", "next", []string{"guess", "cran"}, "“cran” has 4 letters. A guess has exactly five."},
		{"ana", "next", []string{"guess", "cr4ne", "feedback", "bbbbb"}, "One word of five letters, A to Z, please."},
		{"ana", "next", []string{"feedback", "bbyb"}, "“bbyb” has 4 marks. Feedback is five"},
		{"ana", "next", []string{"feedback", "bbybq"}, "“bbybq” has something other than a mark at position 5."},
		{"ana", "next", []string{"guess", "slice", "feedback", " "}, "Use A again: it was yellow at 3."},
		{"ana", "next", []string{"guess", "slate", "feedback", "\ufe0f"}, "has no mark in it"},
		{"ana", "next", []string{"guess", "crane", "feedback", "bbbbb"}, "You already have that word in line 1. If its feedback is wrong, take back the lines from there on with /solve undo."},
		{"ana", "next", []string{"guess", "crane"}, "You already have that word in line 1."},
		{"ana", "next", []string{"guess", "slush", "feedback", "bbbbb"}, "Keep E at 5: it is green. Choose another word, or leave hard mode with /solve hard off."},
		{"ana", "change", []string{"line", "3", "feedback", "bbbbb"}, "There is no such line; the last one is line 2."},
		{"ana", "change", []string{"line", "7", "feedback", "bbbbb"}, "line can be 1, 2, 3, 4, 5 or 6; “7” is none of them."},
		{"ana", "change", []string{"line", "1", "feedback", "nope"}, "“nope” has something other than a mark at position 1."},
		{"ana", "change", []string{"line", "1", "feedback", "ggggg"}, "All green ends the puzzle, but there are lines after that one."},
		{"ana", "strategy", []string{"name", "luck"}, "name can be optimal, "},
		{"new", "undo", nil, "There is no line yet."},
		{"new", "change", []string{"line", "1", "feedback", "bbbbb"}, "There is no line yet."},
		{"stuck", "next", []string{"feedback", "bbbbb"}, "No word is proposed, so please enter your guess too"},
		{"done", "next", []string{"feedback", "bbbbb"}, "This puzzle is over. Begin the next one with /solve new"},
		{"done", "next", []string{"guess", "slate"}, "This puzzle is over."},
	} {
		mustRefuse(t, fmt.Sprintf("%s %q", c.command, c.args), c.want, func() bot.Reply { return b.Ask(dm, c.player, "solve "+c.command, c.args...) },
			func() bot.Reply { return b.Ask(dm, c.player, "solve show") })
	}
}

// TestTileButtons presses tiles: the marks change, in the message alone, until
// they are entered.
func TestTileButtons(t *testing.T) {
	b := newBot(t)
	first := b.Ask(dm, "ana", "solve next", "guess", "crane")
	reply := b.mark(t, first, "Feedback for CRANE so far: ", "b", "2 bbybb", "0 ybybb", "2 ybgbb", "4 ybgby", "2 ybbby", "0 gbbby", "0 bbbby", "4 bbbbg")
	green := b.Press(dm, "ana", bot.Button{Command: "solve next", Args: map[string]string{"marks": "ggggg", "at": tileRow(reply)[0].Args["at"]}})
	if enter := bottest.MustFind(t, green, "Enter"); enter.Args["feedback"] != "ggggg" || len(green.Buttons[1]) != 3 {
		t.Errorf("with every tile green the buttons are %+v", green.Buttons[1])
	}
	entered := b.Press(dm, "ana", bottest.MustFind(t, reply, "Enter"))
	if !strings.HasPrefix(entered.String(), "CRANE bbbbg\n") || !entered.InPlace || looks(tileRow(entered)) != "bbbbb" {
		t.Errorf("what was entered is\n%s", entered)
	}
	// Buttons of older messages change nothing, and the reply says so.
	after := b.version(t)
	b.mustBeOld(t, "CRANE bbbbg\n", tileRow(first)[0], bottest.MustFind(t, first, "Enter"), bottest.MustFind(t, first, "All green"),
		bottest.MustFind(t, first, "Undo"), bottest.MustFind(t, reply, "Enter"))
	if b.version(t) != after {
		t.Error("an old button changed something")
	}
	// Nobody sent these.
	for _, args := range []map[string]string{
		{"marks": "crane", "at": "2"}, {"marks": "bbbbb"}, {"marks": "bbbbb", "at": "-1"}, {"marks": "bbbbb", "at": "0"}, {"guess": "slate", "at": "x"}, {"guess": "slate", "at": "0"},
	} {
		got := b.Press(dm, "ana", bot.Button{Command: "solve next", Args: args})
		if got.InPlace && !strings.HasPrefix(got.String(), "That button belonged") || b.version(t) != after {
			t.Errorf("%v is answered by\n%s", args, got)
		}
	}
}

// TestSolveByButtons plays a puzzle by pressing buttons only.
func TestSolveByButtons(t *testing.T) {
	b := newBot(t)
	reply := b.Ask(dm, "ana", "solve next")
	if undo := bottest.MustFind(t, reply, "Undo"); !undo.Disabled {
		t.Error("there is nothing to undo, but a button for it")
	}
	reply = b.Press(dm, "ana", bottest.MustFind(t, reply, "Other words"))
	word := reply.Buttons[1][2].Label
	back := b.Press(dm, "ana", bottest.MustFind(t, reply, "Back"))
	if !strings.Contains(back.String(), "Guess 1 of 6: try") {
		t.Errorf("back leads to\n%s", back)
	}
	reply = b.Press(dm, "ana", reply.Buttons[1][2])
	if !strings.Contains(reply.String(), "Guess 1 of 6: "+word+", your own choice") {
		t.Errorf("another word chosen is\n%s", reply)
	}
	b.Ask(dm, "ana", "solve next", "guess", "crane", "feedback", "bbygb")
	reply = b.Ask(dm, "ana", "solve next", "guess", "slain", "feedback", "bbybb")
	row := reply.Buttons[0]
	if row[0].Command != "solve change" || row[0].Args["line"] != "2" {
		t.Fatalf("a correction is %+v", row)
	}
	reply = b.Press(dm, "ana", row[0])
	if !strings.Contains(reply.String(), "SLAIN "+row[0].Args["feedback"]) || !strings.Contains(reply.String(), "Guess 3 of 6: try") {
		t.Errorf("corrected, it is\n%s", reply)
	}
	v, err := b.Words.Peek(t.Context(), "ana")
	if err != nil {
		t.Fatal(err)
	}
	reply = b.Ask(dm, "ana", "solve next", "guess", v.Possible[0].Word.String())
	won := b.Press(dm, "ana", bottest.MustFind(t, reply, "All green"))
	if !strings.Contains(won.String(), "Solved in 3 of 6.") || len(tileRow(won)) > 0 {
		t.Errorf("all green is\n%s", won)
	}
	if reply = b.Press(dm, "ana", bottest.MustFind(t, won, "Undo")); !strings.Contains(reply.String(), "Guess 3 of 6") {
		t.Errorf("undone, it is\n%s", reply)
	}
	won = b.Press(dm, "ana", bottest.MustFind(t, reply, "All green"))
	begun := b.Press(dm, "ana", bottest.MustFind(t, won, "New in hard mode"))
	if !strings.Contains(begun.String(), "Guess 1 of 6") || !strings.Contains(begun.String(), "Hard mode") {
		t.Errorf("a new puzzle is\n%s", begun)
	}
	b.Press(dm, "ana", bottest.MustFind(t, begun, "Enter"))
	if again := b.Press(dm, "ana", bottest.MustFind(t, won, "New puzzle")); !strings.Contains(again.String(), "Guess 2 of 6") {
		t.Errorf("an old button leaves the puzzle for\n%s", again)
	}
}

// TestSolveDoubtfulWin: a win that contradicts earlier lines is asked about.
func TestSolveDoubtfulWin(t *testing.T) {
	b := newBot(t)
	for _, turn := range []string{"slate bbybb", "crony byybb", "favor bgbgb"} {
		guess, tiles, _ := strings.Cut(turn, " ")
		b.Ask(dm, "ana", "solve next", "guess", guess, "feedback", tiles)
	}
	reply := b.Ask(dm, "ana", "solve next", "guess", "dwarf", "feedback", "ggggg")
	if got, want := reply.String(), "SLATE bbybb\nCRONY byybb\nFAVOR bgbgb\nDWARF ggggg\n"+
		"DWARF does not agree with lines 1, 2 and 3. If it is the word, lines 1, 2 and 3 must have been:\n"+
		"SLATE bbgbb\nCRONY bybbb\nFAVOR yybby\n"+
		"Then correct that with /solve change 1 bbgbb.\nIf DWARF is not the word, take it back with /solve undo. Nothing is counted yet.\n"; got != want {
		t.Errorf("the win is answered by\n%swant\n%s", got, want)
	}
	for _, args := range [][]string{{"guess", "major"}, {"feedback", "bbbbb"}, {"guess", "major", "feedback", "ggggg"}} {
		if refused := b.Ask(dm, "ana", "solve next", args...); !strings.HasPrefix(refused.String(), "Line 4 is all green, but it does not agree with the lines before it.") {
			t.Errorf("%q after it is answered by\n%s", args, refused)
		}
	}
	if record := b.Ask(dm, "ana", "solve record").String(); !strings.HasPrefix(record, "You have not finished a puzzle") {
		t.Errorf("the record is\n%s", record)
	}
	for _, label := range []string{"Line 2: bybbb", "Line 3: yybby", "Line 1: bbgbb"} {
		if text := reply.String(); strings.Contains(text, "Well done") {
			t.Errorf("before %s it is\n%s", label, text)
		}
		reply = b.Press(dm, "ana", bottest.MustFind(t, reply, label))
	}
	if got := reply.String(); !strings.Contains(got, "Solved in 4 of 6. Well done!\nYour record: solved 1 of 1 puzzle") {
		t.Errorf("corrected, it is\n%s", got)
	}
	b.Press(dm, "ana", bottest.MustFind(t, reply, "Undo"))
	reply = b.Ask(dm, "ana", "solve next", "guess", "draft", "feedback", "ggggg")
	if got := reply.String(); !strings.Contains(got, "DRAFT does not agree with lines 1 and 2. If it is the word, lines 1 and 2 must have been:\n") {
		t.Errorf("another win is answered by\n%s", got)
	}
	b.Press(dm, "ana", bottest.MustFind(t, reply, "Undo"))
	reply = b.Ask(dm, "ana", "solve next", "guess", "crank", "feedback", "ggggg")
	if got := reply.String(); !strings.Contains(got, "CRANK does not agree with lines 2 and 3.") {
		t.Errorf("a third one is answered by\n%s", got)
	}
}

func TestSolveButtonsWithinBounds(t *testing.T) {
	b := newBot(t)
	random := rand.New(rand.NewPCG(15, 16))
	words := b.Lists.Answers()
	b.walk(t, 250, random, "solve next", func() bot.Reply {
		guess := words[random.IntN(len(words))]
		tiles := wordle.Score(guess, words[random.IntN(len(words))])
		return b.Ask(dm, "ana", "solve next", "guess", guess.String(), "feedback", tiles.String())
	}, "solve next", "solve undo", "solve change", "solve top", "solve words", "solve hard", "solve new")
}

// TestNothingAllowed: if the solver has no word to propose, the reply still says how to
// go on.
func TestNothingAllowed(t *testing.T) {
	reply := wordReply(solve.WordView{Version: 1, Possible: []weighted.Possible{{Word: wordle.MustParse("crane"), Chance: 1}}}, blank)
	if !strings.Contains(reply.String(), "Guess 1 of 6: no word I know is allowed. Use a word of your own: /solve next crane bbygb.") || len(tileRow(reply)) > 0 {
		t.Errorf("got %+v under\n%s", reply.Buttons, reply)
	}
	bottest.MustFind(t, reply, "New puzzle")
}

func TestWordReason(t *testing.T) {
	for _, c := range []struct {
		a    weighted.Suggestion
		left int
		want string
	}{
		{weighted.Suggestion{Remaining: 1, Chance: 1, Groups: 1, Worst: 1, Guesses: 1, Proven: true}, 5, "It is the only word I know that fits."},
		{weighted.Suggestion{Remaining: 57, Groups: 23, Expected: 3.44, Worst: 9}, 5,
			"It leaves 3.4 words on average and 9 at worst, in 23 groups. It cannot be the word itself."},
		{weighted.Suggestion{Remaining: 3, Groups: 3, Expected: 1, Worst: 1, Chance: 0.5, Guesses: 1.5, Proven: true}, 3,
			"Best word, proven: 1.5 more guesses on average. Its feedback will show which word it is. It is the word itself with a chance of 50%."},
		{weighted.Suggestion{Remaining: 30, Groups: 20, Expected: 2, Worst: 4, Chance: 0.0004, Guesses: 2.5}, 4,
			"About 2.5 more guesses on average; not proven to be the best. It leaves 2.0 words on average and 4 at worst, in 20 groups. It is unlikely to be the word itself."},
		{weighted.Suggestion{Remaining: 4, Groups: 2, Expected: 3, Worst: 3, Guesses: 4.5, Proven: true}, 3,
			"Best word, proven: 4.5 more guesses on average. A word not found in time counts as 10 guesses more. It leaves 3.0 words on average and 3 at worst, in 2 groups. It cannot be the word itself."},
	} {
		if got := wordReason(c.a, c.left); got != c.want {
			t.Errorf("%+v: %s", c.a, got)
		}
	}
	for c, want := range map[float64]string{1: "100%", 0.125: "12%", 0.0996: "10%", 0.0994: "9.9%", 0.001: "0.1%", 0.0009: "less than 0.1%"} {
		if got := chance(c); got != want {
			t.Errorf("a chance of %v is written %s, want %s", c, got, want)
		}
	}
}

func TestCompleteGuess(t *testing.T) {
	b := newBot(t)
	b.Ask(dm, "ana", "solve next", "guess", "crane", "feedback", "bbbbb")
	v, err := b.Words.Peek(t.Context(), "ana")
	if err != nil {
		t.Fatal(err)
	}
	possible := v.Possible
	complete := func(player game.PlayerID, typed string) []bot.Choice {
		return b.Bot.Complete(t.Context(), bot.Request{Player: player, Command: "solve next"}, "guess", typed)
	}
	all := complete("ana", "")
	if len(all) != bot.MaxChoices {
		t.Fatalf("%d choices for nothing typed", len(all))
	}
	for i, proposed := range v.Puzzle.Proposed {
		if !strings.HasPrefix(all[i].Name, proposed.Word.String()+" — a best word, ") {
			t.Errorf("choice %d is %s, want %v", i, all[i].Name, proposed.Word)
		}
	}
	if last := all[bot.MaxChoices-1]; !strings.Contains(last.Name, " — fits, chance ") {
		t.Errorf("the last choice is %s", last.Name)
	}
	begin := strings.ToLower(possible[0].Word.String())
	for _, c := range []struct{ typed, first string }{
		{begin, possible[0].Word.String() + " — "},
		{strings.ToUpper(begin), possible[0].Word.String() + " — "},
		{"cran", "CRANK — "},
		{"crane", "CRANE — line 1 already"},
		{"bbygb", "bbygb — feedback for "},
		{"⬛⬛🟨 🟩0", "bbygb — feedback for "},
		{"qzx", "QZX — no word in the list begins like that"},
		{"cr4", "CR4 — only letters A–Z"},
		{"cranes", "CRANES — 6 letters, a guess has five"},
	} {
		if got := complete("ana", c.typed); len(got) == 0 || !strings.HasPrefix(got[0].Name, c.first) {
			t.Errorf("completing %s gives %v, want first %s", c.typed, got, c.first)
		}
	}
	if got := complete("ben", "crane"); len(got) != 1 || !strings.HasPrefix(got[0].Name, "CRANE — ") {
		t.Errorf("somebody else's puzzle proposes %v", got)
	}
}

func TestReadNext(t *testing.T) {
	lists, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	h := &Handlers{Lists: lists}
	for _, c := range []struct{ guess, tiles, wantGuess, wantTiles string }{
		{"", "", "", ""},
		{"slate", "", "slate", ""},
		{" slate ", " bbybb ", "slate", "bbybb"},
		{"slate:bbybb", "", "slate", "bbybb"},
		{"slate bbybb", "", "slate", "bbybb"},
		{"slate: b b y b b", "", "slate", "b b y b b"},
		{"slate:", "bbybb", "slate", "bbybb"},
		{"slate", ":bbybb", "slate", "bbybb"},
		{"slate", "bbq", "slate", "bbq"},
		{"slate:bbq", "", "slate", "bbq"},
		{"bbybb", "", "", "bbybb"},
		{"", "bbybb", "", "bbybb"},
		{"⬛⬛", "🟨⬛⬛", "", "⬛⬛ 🟨⬛⬛"},
		{"⬛⬛ 🟨⬛⬛", "", "", "⬛⬛ 🟨⬛⬛"},
		{"green", "", "green", ""},
		{"green", "bbybb", "green", "bbybb"},
		{"green", "yellow grey grey black", "", "green yellow grey grey black"},
		{"green yellow grey grey black", "", "", "green yellow grey grey black"},
		{"green: green green green green green", "", "green", "green green green green green"},
		{"qxzqx:21012", "", "qxzqx", "21012"},
		{"slate bbybb", "ggggg", "slate bbybb", "ggggg"}, // to be refused
	} {
		if guess, tiles := h.readNext(c.guess, c.tiles); guess != c.wantGuess || tiles != c.wantTiles {
			t.Errorf("%q, %q: got %q, %q, want %q, %q", c.guess, c.tiles, guess, tiles, c.wantGuess, c.wantTiles)
		}
	}
}

// FuzzReadNext: nothing that was typed is lost but colons and spaces.
func FuzzReadNext(f *testing.F) {
	for _, seed := range []string{"slate:bbybb", "green yellow grey grey black", ":", "⬛⬛ 🟨⬛⬛"} {
		f.Add(seed, "")
		f.Add("crane", seed)
	}
	lists, err := wordle.Embedded()
	if err != nil {
		f.Fatal(err)
	}
	h := &Handlers{Lists: lists}
	plain := func(guess, tiles string) string {
		return strings.Join(strings.Fields(strings.ReplaceAll(guess+" "+tiles, ":", " ")), " ")
	}
	f.Fuzz(func(t *testing.T, guess, tiles string) {
		gotGuess, gotTiles := h.readNext(guess, tiles)
		if got, want := plain(gotGuess, gotTiles), plain(guess, tiles); got != want {
			t.Errorf("%q, %q is read as %q, %q", guess, tiles, gotGuess, gotTiles)
		}
	})
}
