package solve

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

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
	b, log := newBot(t)
	a := newAsker(b)
	for i, c := range []struct {
		command string
		args    []string
		want    []string // in the reply
		not     string   // and what is not
	}{
		{"record", nil, []string{"You have not finished a puzzle"}, "|"},
		{"next", nil, []string{"Guess 1 of 6: try ", "words fit", "/solve next bbygb", "/solve help"}, "Hard mode"},
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
		{"help", nil, []string{"/solve next [guess] [feedback] — ", "/solve change line feedback — ", "b for black or grey"}, "/wordle"},
	} {
		reply := a.Ask(server, "ana", "solve "+c.command, c.args...)
		text := reply.String()
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("step %d, /solve %s %q: want %q in\n%s", i, c.command, c.args, want, text)
			}
		}
		if strings.Contains(text, c.not) {
			t.Errorf("step %d, /solve %s %q: there is %q in\n%s", i, c.command, c.args, c.not, text)
		}
		if reply.Audience != bot.Asker {
			t.Errorf("step %d, /solve %s is there for all to see", i, c.command)
		}
	}
	for _, word := range []string{"aaaaa", "ddddd", "eeeee", "fffff", "ggggg", "hhhhh"} {
		a.Ask(server, "ben", "solve next", "guess", word, "feedback", "bbbbb")
	}
	if reply := a.Ask(dm, "ben", "solve next").String(); !strings.Contains(reply, "Six guesses, and not found.") ||
		!strings.Contains(reply, "words would still fit") || !strings.Contains(reply, "Your record: solved 0 of 1 puzzle.") {
		t.Errorf("a puzzle lost is\n%s", reply)
	}
	if log.Len() > 0 {
		t.Errorf("the log has %s", log)
	}
}

func TestSolveRefuses(t *testing.T) {
	b, log := newBot(t)
	a := newAsker(b)
	a.Ask(dm, "ana", "solve new", "hard", "true")
	a.Ask(dm, "ana", "solve next", "guess", "crane", "feedback", "bbybg")
	a.Ask(dm, "ana", "solve next", "guess", "evade", "feedback", "bbybg")
	a.Ask(dm, "stuck", "solve next", "guess", "crane", "feedback", "ggggy")
	a.Ask(dm, "done", "solve next", "guess", "crane", "feedback", "ggggg")
	for _, c := range []struct {
		player, command string
		args            []string
		want            string
	}{
		{"ana", "next", []string{"guess", "cran"}, "“cran” has 4 letters. A guess has exactly five."},
		{"ana", "next", []string{"guess", "cr4ne", "feedback", "bbbbb"}, "“cr4ne” has a character outside A–Z."},
		{"ana", "next", []string{"feedback", "bbyb"}, "“bbyb” has 4 marks. Feedback is five"},
		{"ana", "next", []string{"feedback", "bbybq"}, "“bbybq” has something other than a mark at position 5."},
		{"ana", "next", []string{"guess", "slice", "feedback", " "}, "Hard mode: A, yellow at position 3, must be used again."},
		{"ana", "next", []string{"guess", "slate", "feedback", "\ufe0f"}, "has no mark in it"},
		{"ana", "next", []string{"guess", "crane", "feedback", "bbbbb"}, "You already have that word in line 1. If its feedback is wrong: /solve change 1 feedback."},
		{"ana", "next", []string{"guess", "crane"}, "You already have that word in line 1."},
		{"ana", "next", []string{"guess", "slush", "feedback", "bbbbb"}, "Hard mode: E is green at position 5 and must stay there. Choose another word, or leave hard mode with /solve hard off."},
		{"ana", "change", []string{"line", "3", "feedback", "bbbbb"}, "There is no such line; the last one is line 2."},
		{"ana", "change", []string{"line", "7", "feedback", "bbbbb"}, "line can be 1, 2, 3, 4, 5 or 6; “7” is none of them."},
		{"ana", "change", []string{"line", "1", "feedback", "nope"}, "“nope” has something other than a mark at position 1."},
		{"ana", "change", []string{"line", "1", "feedback", "ggggg"}, "All green ends the puzzle, but there are lines after that one."},
		{"ana", "change", []string{"line", "1"}, "Please add the feedback"},
		{"ana", "strategy", []string{"name", "luck"}, "name can be optimal, "},
		{"ana", "strategy", nil, "Please add the name"},
		{"new", "undo", nil, "There is no line yet."},
		{"new", "change", []string{"line", "1", "feedback", "bbbbb"}, "There is no line yet."},
		{"stuck", "next", []string{"feedback", "bbbbb"}, "No word is proposed, so please enter your guess too"},
		{"done", "next", []string{"feedback", "bbbbb"}, "This puzzle is over. Begin the next one with /solve new"},
		{"done", "next", []string{"guess", "slate"}, "This puzzle is over."},
	} {
		before := a.Ask(dm, c.player, "solve next").String()
		reply := a.Ask(dm, c.player, "solve "+c.command, c.args...)
		if !strings.HasPrefix(reply.String(), c.want) && !strings.Contains(reply.String(), c.want) || reply.Audience != bot.Asker || reply.InPlace {
			t.Errorf("%s %q is answered by %q, want %q", c.command, c.args, reply, c.want)
		}
		if after := a.Ask(dm, c.player, "solve next").String(); after != before {
			t.Errorf("%s %q is refused, and changes\n%s to\n%s", c.command, c.args, before, after)
		}
	}
	if log.Len() > 0 {
		t.Errorf("a player's mistake is logged: %s", log)
	}
}

// TestTileButtons presses tiles: the marks change, in the message alone, until
// they are entered.
func TestTileButtons(t *testing.T) {
	b, _ := newBot(t)
	a := newAsker(b)
	reply := a.Ask(dm, "ana", "solve next", "guess", "crane")
	first := reply
	version := func() uint64 {
		v, err := b.Words.Peek(t.Context(), "ana")
		if err != nil {
			t.Fatal(err)
		}
		return v.Version
	}
	before := version()
	for i, step := range []struct {
		tile int
		want string
	}{{2, "bbybb"}, {0, "ybybb"}, {2, "ybgbb"}, {4, "ybgby"}, {2, "ybbby"}, {0, "gbbby"}, {0, "bbbby"}, {4, "bbbbg"}} {
		row := tileRow(reply)
		if len(row) != wordle.Length {
			t.Fatalf("step %d: the tiles are %+v", i, row)
		}
		reply = a.Press(dm, "ana", row[step.tile])
		if got := looks(tileRow(reply)); got != step.want || !reply.InPlace || reply.Audience != bot.Asker || !strings.Contains(reply.String(), "Feedback for CRANE so far: "+step.want) {
			t.Errorf("step %d: the tiles are %s, want %s under\n%s", i, got, step.want, reply)
		}
	}
	if got := version(); got != before {
		t.Errorf("pressing tiles stored version %d after %d", got, before)
	}
	green := a.Press(dm, "ana", bot.Button{Command: "solve next", Args: map[string]string{"marks": "ggggg", "at": tileRow(reply)[0].Args["at"]}})
	if enter := bottest.MustFind(t, green, "Enter"); enter.Args["feedback"] != "ggggg" || len(green.Buttons[1]) != 3 {
		t.Errorf("with every tile green the buttons are %+v", green.Buttons[1])
	}
	entered := a.Press(dm, "ana", bottest.MustFind(t, reply, "Enter"))
	if !strings.HasPrefix(entered.String(), "CRANE bbbbg\n") || !entered.InPlace || looks(tileRow(entered)) != "bbbbb" {
		t.Errorf("what was entered is\n%s", entered)
	}
	// Buttons of older messages change nothing, and the reply says so.
	after := version()
	for _, old := range []bot.Button{
		tileRow(first)[0], bottest.MustFind(t, first, "Enter"), bottest.MustFind(t, first, "All green"), bottest.MustFind(t, first, "Undo"), bottest.MustFind(t, reply, "Enter"),
	} {
		got := a.Press(dm, "ana", old)
		if !strings.HasPrefix(got.String(), "That button belonged to an earlier state") || !strings.Contains(got.String(), "CRANE bbbbg\n") || !got.InPlace {
			t.Errorf("the old button %s %v is answered by\n%s", old.Label, old.Args, got)
		}
	}
	if version() != after {
		t.Error("an old button changed something")
	}
	// Nobody sent these.
	for _, args := range []map[string]string{
		{"marks": "crane", "at": "2"}, {"marks": "bbbbb"}, {"marks": "bbbbb", "at": "-1"}, {"marks": "bbbbb", "at": "0"}, {"guess": "slate", "at": "x"}, {"guess": "slate", "at": "0"},
	} {
		got := a.Press(dm, "ana", bot.Button{Command: "solve next", Args: args})
		if got.InPlace && !strings.HasPrefix(got.String(), "That button belonged") || version() != after {
			t.Errorf("%v is answered by\n%s", args, got)
		}
	}
}

// TestSolveByButtons plays a puzzle by pressing buttons only.
func TestSolveByButtons(t *testing.T) {
	b, _ := newBot(t)
	a := newAsker(b)
	reply := a.Ask(dm, "ana", "solve next")
	if undo := bottest.MustFind(t, reply, "Undo"); !undo.Disabled {
		t.Error("there is nothing to undo, but a button for it")
	}
	reply = a.Press(dm, "ana", bottest.MustFind(t, reply, "Other words"))
	word := reply.Buttons[1][2].Label
	back := a.Press(dm, "ana", bottest.MustFind(t, reply, "Back"))
	if !strings.Contains(back.String(), "Guess 1 of 6: try") {
		t.Errorf("back leads to\n%s", back)
	}
	reply = a.Press(dm, "ana", reply.Buttons[1][2])
	if !strings.Contains(reply.String(), "Guess 1 of 6: "+word+", your own choice") {
		t.Errorf("another word chosen is\n%s", reply)
	}
	a.Ask(dm, "ana", "solve next", "guess", "crane", "feedback", "bbygb")
	reply = a.Ask(dm, "ana", "solve next", "guess", "slain", "feedback", "bbybb")
	row := reply.Buttons[0]
	if row[0].Command != "solve change" || row[0].Args["line"] != "2" {
		t.Fatalf("a correction is %+v", row)
	}
	reply = a.Press(dm, "ana", row[0])
	if !strings.Contains(reply.String(), "SLAIN "+row[0].Args["feedback"]) || !strings.Contains(reply.String(), "Guess 3 of 6: try") {
		t.Errorf("corrected, it is\n%s", reply)
	}
	v, err := b.Words.Peek(t.Context(), "ana")
	if err != nil {
		t.Fatal(err)
	}
	reply = a.Ask(dm, "ana", "solve next", "guess", v.Possible[0].Word.String())
	won := a.Press(dm, "ana", bottest.MustFind(t, reply, "All green"))
	if !strings.Contains(won.String(), "Solved in 3 of 6.") || len(tileRow(won)) > 0 {
		t.Errorf("all green is\n%s", won)
	}
	if reply = a.Press(dm, "ana", bottest.MustFind(t, won, "Undo")); !strings.Contains(reply.String(), "Guess 3 of 6") {
		t.Errorf("undone, it is\n%s", reply)
	}
	won = a.Press(dm, "ana", bottest.MustFind(t, reply, "All green"))
	begun := a.Press(dm, "ana", bottest.MustFind(t, won, "New in hard mode"))
	if !strings.Contains(begun.String(), "Guess 1 of 6") || !strings.Contains(begun.String(), "Hard mode") {
		t.Errorf("a new puzzle is\n%s", begun)
	}
	a.Press(dm, "ana", bottest.MustFind(t, begun, "Enter"))
	if again := a.Press(dm, "ana", bottest.MustFind(t, won, "New puzzle")); !strings.Contains(again.String(), "Guess 2 of 6") {
		t.Errorf("an old button leaves the puzzle for\n%s", again)
	}
}

// TestSolveDoubtfulWin: a win that contradicts earlier lines is asked about.
func TestSolveDoubtfulWin(t *testing.T) {
	b, log := newBot(t)
	a := newAsker(b)
	for _, turn := range []string{"slate bbybb", "crony byybb", "favor bgbgb"} {
		guess, tiles, _ := strings.Cut(turn, " ")
		a.Ask(dm, "ana", "solve next", "guess", guess, "feedback", tiles)
	}
	reply := a.Ask(dm, "ana", "solve next", "guess", "dwarf", "feedback", "ggggg")
	if got, want := reply.String(), "SLATE bbybb\nCRONY byybb\nFAVOR bgbgb\nDWARF ggggg\n"+
		"DWARF does not agree with lines 1, 2 and 3. If it is the word, lines 1, 2 and 3 must have been:\n"+
		"SLATE bbgbb\nCRONY bybbb\nFAVOR yybby\n"+
		"Then correct that with /solve change 1 bbgbb. If DWARF is not the word, take it back with /solve undo. Nothing is counted yet.\n"; got != want {
		t.Errorf("the win is answered by\n%swant\n%s", got, want)
	}
	for _, args := range [][]string{{"guess", "major"}, {"feedback", "bbbbb"}, {"guess", "major", "feedback", "ggggg"}} {
		if refused := a.Ask(dm, "ana", "solve next", args...); !strings.HasPrefix(refused.String(), "Line 4 is all green, but it does not agree with the lines before it.") {
			t.Errorf("%q after it is answered by\n%s", args, refused)
		}
	}
	if record := a.Ask(dm, "ana", "solve record").String(); !strings.HasPrefix(record, "You have not finished a puzzle") {
		t.Errorf("the record is\n%s", record)
	}
	for _, label := range []string{"Line 2: bybbb", "Line 3: yybby", "Line 1: bbgbb"} {
		if text := reply.String(); strings.Contains(text, "Well done") {
			t.Errorf("before %s it is\n%s", label, text)
		}
		reply = a.Press(dm, "ana", bottest.MustFind(t, reply, label))
	}
	if got := reply.String(); !strings.Contains(got, "Solved in 4 of 6. Well done!\nYour record: solved 1 of 1 puzzle") {
		t.Errorf("corrected, it is\n%s", got)
	}
	a.Press(dm, "ana", bottest.MustFind(t, reply, "Undo"))
	reply = a.Ask(dm, "ana", "solve next", "guess", "draft", "feedback", "ggggg")
	if got := reply.String(); !strings.Contains(got, "DRAFT does not agree with lines 1 and 2. If it is the word, lines 1 and 2 must have been:\n") {
		t.Errorf("another win is answered by\n%s", got)
	}
	a.Press(dm, "ana", bottest.MustFind(t, reply, "Undo"))
	reply = a.Ask(dm, "ana", "solve next", "guess", "crank", "feedback", "ggggg")
	if got := reply.String(); !strings.Contains(got, "CRANK does not agree with lines 2 and 3.") {
		t.Errorf("a third one is answered by\n%s", got)
	}
	if log.Len() > 0 {
		t.Errorf("the log has %s", log)
	}
}

// TestSolveRepeated delivers a press and a command twice.
func TestSolveRepeated(t *testing.T) {
	b, _ := newBot(t)
	a := newAsker(b)
	enter := bottest.MustFind(t, a.Ask(dm, "ana", "solve next"), "Enter")
	for _, r := range []bot.Request{
		{ID: "twice-1", Location: dm, Player: "ana", Command: enter.Command, Args: enter.Args, FromComponent: true},
		{ID: "twice-2", Location: dm, Player: "ana", Command: "solve undo"},
	} {
		first := b.Handle(t.Context(), r)
		if again := b.Handle(t.Context(), r); again.String() != first.String() {
			t.Errorf("%s is answered by\n%s and then\n%s", r.ID, first, again)
		}
	}
}

// meeting is a store whose second commits wait for each other.
type meeting struct {
	solve.Store
	met sync.WaitGroup
}

func (s *meeting) CommitSession(ctx context.Context, n solve.Session) error {
	if n.Version == 2 {
		s.met.Done()
		s.met.Wait()
	}
	return s.Store.CommitSession(ctx, n)
}

// TestTilesAreForTheWordShown enters the same tiles twice at the same time: the
// second ones are not for the word that is proposed after the first.
func TestTilesAreForTheWordShown(t *testing.T) {
	b, _ := newBot(t)
	store := &meeting{Store: b.Words.Store}
	b.Words = &solve.Words{Store: store, Solver: b.Words.Solver}
	a := newAsker(b)
	a.Ask(dm, "ana", "solve next")
	store.met.Add(2)
	var wg sync.WaitGroup
	replies := make([]string, 2)
	for i := range replies {
		wg.Go(func() {
			replies[i] = b.Handle(t.Context(), bot.Request{
				ID: game.RequestID(fmt.Sprint("at-once-", i)), Location: dm, Player: "ana", Command: "solve next", Args: map[string]string{"feedback": "bbbbb"},
			}).String()
		})
	}
	wg.Wait()
	slices.SortFunc(replies, func(a, b string) int { return len(b) - len(a) })
	if !strings.Contains(replies[0], " bbbbb\n") || !strings.HasPrefix(replies[1], "You already have that word in line 1.") {
		t.Errorf("the answers are\n%s\n%s", replies[0], replies[1])
	}
}

// TestSolveButtonsWithinBounds makes random requests and presses, and checks
// that Discord would accept each reply.
func TestSolveButtonsWithinBounds(t *testing.T) {
	b, log := newBot(t)
	a := newAsker(b)
	random := rand.New(rand.NewPCG(15, 16))
	words := b.Lists.Answers()
	reply := a.Ask(dm, "ana", "solve next")
	commands := map[string]int{}
	for range 250 {
		var all []bot.Button
		for _, row := range reply.Buttons {
			all = append(all, row...)
		}
		if len(all) == 0 {
			reply = a.Ask(dm, "ana", "solve next") // from a bot.Refusal
			continue
		}
		if random.IntN(4) > 0 {
			pressed := all[random.IntN(len(all))]
			commands[pressed.Command]++
			reply = a.Press(dm, "ana", pressed)
		} else {
			guess := words[random.IntN(len(words))]
			tiles := wordle.Score(guess, words[random.IntN(len(words))])
			reply = a.Ask(dm, "ana", "solve next", "guess", guess.String(), "feedback", tiles.String())
		}
		if len(reply.Buttons) > 5 {
			t.Errorf("%d rows of buttons", len(reply.Buttons))
		}
		seen := map[string]bool{}
		for _, row := range reply.Buttons {
			if len(row) < 1 || len(row) > 5 {
				t.Errorf("a row of %d buttons", len(row))
			}
			for _, button := range row {
				values := url.Values{}
				for name, value := range button.Args {
					values.Set(name, value)
				}
				id := button.Command + "?" + values.Encode()
				if seen[id] {
					t.Errorf("two buttons are %s under\n%s", id, reply)
				}
				seen[id] = true
				if _, ok := b.Table.Find(button.Command); !ok || len(id) > 100 || button.Label == "" || utf8.RuneCountInString(button.Label) > 80 {
					t.Errorf("%s cannot be a button: %+v", id, button)
				}
			}
		}
		if n := utf8.RuneCountInString(reply.String()); n > 1800 { // Discord takes 2000, with the marks for styles
			t.Errorf("a reply of %d characters:\n%s", n, reply)
		}
	}
	for _, name := range []string{"solve next", "solve undo", "solve change", "solve top", "solve new"} {
		if commands[name] == 0 {
			t.Errorf("no button for /%s was pressed: %v", name, commands)
		}
	}
	if log.Len() > 0 {
		t.Errorf("the log has %s", log)
	}
}

// TestLongReplies: the longest lists fit into a message.
func TestLongReplies(t *testing.T) {
	b, _ := newBot(t)
	a := newAsker(b)
	for _, command := range []string{"solve help", "solve words", "solve top"} {
		reply := a.Ask(dm, "ana", command)
		if n := utf8.RuneCountInString(reply.String()) + 4*len(reply.Lines); n > 1900 {
			t.Errorf("/%s is answered by %d characters", command, n)
		}
	}
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

// FuzzSolve: whatever is typed or pressed is answered in bounds, and nothing goes
// wrong on our side.
func FuzzSolve(f *testing.F) {
	b, log := newBot(f)
	a := newAsker(b)
	for _, seed := range [][4]string{
		{"crane", "bbygb", "", ""}, {"", "⬛⬜🟨 🟩0", "", ""}, {"bbygb", "", "", ""}, {"cr4ne", "bbq", "", ""}, {"", "", "bbygb", "1"},
		{"\xff", "\x00", "crane", "-1"}, {"ßßßßß", "b b", "", "99999999999999999999"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, guess, tiles, marks, at string) {
		args := map[string]string{"guess": guess, "feedback": tiles, "marks": marks}
		if at != "" {
			args["at"] = at
		}
		reply := a.Press(dm, "ana", bot.Button{Command: "solve next", Args: args})
		if n := utf8.RuneCountInString(reply.String()); n == 0 || n > 1900 || reply.Audience != bot.Asker {
			t.Errorf("%q is answered by %d characters:\n%s", args, n, reply)
		}
		for _, c := range b.Complete(t.Context(), bot.Request{Player: "ana", Command: "solve next"}, "guess", guess) {
			// Discord's limits for both.
			if n, m := utf8.RuneCountInString(c.Name), utf8.RuneCountInString(c.Value); n < 1 || n > 100 || m < 1 || m > 100 {
				t.Errorf("%q is completed by %+v", guess, c)
			}
		}
		if strings.Contains(reply.String(), "puzzle is over") {
			a.Ask(dm, "ana", "solve new")
		}
		if log.Len() > 0 {
			t.Errorf("%q: the log has %s", args, log)
		}
	})
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
	b, log := newBot(t)
	a := newAsker(b)
	a.Ask(dm, "ana", "solve next", "guess", "crane", "feedback", "bbbbb")
	v, err := b.Words.Peek(t.Context(), "ana")
	if err != nil {
		t.Fatal(err)
	}
	possible := v.Possible
	complete := func(player game.PlayerID, typed string) []bot.Choice {
		return b.Complete(t.Context(), bot.Request{Player: player, Command: "solve next"}, "guess", typed)
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
	if log.Len() > 0 {
		t.Errorf("the log has %s", log)
	}
}

// brokenStore is a store that cannot be read.
type brokenStore struct{ solve.Store }

func (brokenStore) Session(context.Context, game.PlayerID) (solve.Session, error) {
	return solve.Session{}, errors.New("disk on fire at sector 7")
}

func TestSolveWithoutStore(t *testing.T) {
	b, log := newBot(t)
	store := b.Words.Store
	b.Words = &solve.Words{Store: brokenStore{store}, Solver: b.Words.Solver}
	a := newAsker(b)
	for _, c := range [][]string{
		{"next"}, {"next", "feedback", "bbbbb"}, {"next", "guess", "crane"}, {"undo"}, {"new"}, {"top"}, {"words"}, {"record"}, {"hard"},
		{"change", "line", "1", "feedback", "bbbbb"}, {"strategy", "name", "parts"}, {"next", "marks", "bbbbb", "at", "1"},
	} {
		log.Reset()
		reply := a.Ask(dm, "ana", "solve "+c[0], c[1:]...)
		if !strings.Contains(reply.String(), "Something went wrong on our side") || !strings.Contains(log.String(), "sector 7") {
			t.Errorf("%v is answered by %s and logged as %s", c, reply, log)
		}
	}
	log.Reset()
	if got := b.Complete(t.Context(), bot.Request{Player: "ana", Command: "solve next"}, "guess", "cran"); len(got) == 0 || !strings.Contains(log.String(), "sector 7") {
		t.Errorf("the list proposes %v, and the log has %s", got, log)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b.Words = &solve.Words{Store: store, Solver: b.Words.Solver}
	if reply := b.Handle(ctx, bot.Request{ID: "r", Location: dm, Player: "zoe", Command: "solve next"}); !strings.Contains(reply.String(), "Please look at /solve next") {
		t.Errorf("out of time: %s", reply)
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
