package solve

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/bot/kinds/pokergame"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
)

// askPokle asks as in the fields of the command: nothing, "undo", "new", or
// name:value pairs with | between them.
func (b *testBot) askPokle(player, text string) bot.Reply {
	var args []string
	for field := range strings.SplitSeq(text, "|") {
		switch name, value, named := strings.Cut(field, ":"); {
		case named:
			args = append(args, name, value)
		case name != "":
			args = append(args, name, "true")
		}
	}
	return b.Ask(dm, player, "pokle solve", args...)
}

// submit fills in the form of a reply and sends it.
func (b *testBot) submit(t *testing.T, player string, r bot.Reply, values ...string) bot.Reply {
	t.Helper()
	if r.Form == nil || len(r.Form.Fields) != len(values) {
		t.Fatalf("the form is %+v, want %d fields", r.Form, len(values))
	}
	args := map[string]string{}
	maps.Copy(args, r.Form.Args)
	for i, f := range r.Form.Fields {
		args[f.Name] = values[i]
	}
	return b.Press(dm, player, bot.Button{Command: r.Form.Command, Args: args})
}

// TestPokleSolve asks for all that /pokle solve can do; each step follows the one
// before.
func TestPokleSolve(t *testing.T) {
	b := newBot(t)
	for i, c := range []struct {
		text string
		want []string // in the reply
		not  string   // and what is not
	}{
		{"", []string{"Begin with the deal", "/pokle solve QD QC 10H 2H 9H KH 213 132 213"}, "Guess"},
		{"deal:QD QC 10H 2H 9H KH 213 132 213", []string{"Player 1 Q♦ Q♣", "Guess 1 of 6: try ", "32 boards are possible.", "/pokle solve gyeyg"}, "; "},
		{"guess:4C 4H QH AC JC", []string{"Guess 1 of 6: 4♣ 4♥ Q♥ A♣ J♣, your own choice. I would try "}, "on average"},
		{"guess:jc 10d 10c qh 10s|feedback:ggygy", []string{"J♣ 10♦ 10♣ | Q♥ | 10♠ ggygy\n", "Guess 2 of 6: try "}, "your own choice"},
		{"undo", []string{"J♣ 10♦ 10♣ Q♥ 10♠", "Guess 1 of 6", "32 boards"}, "ggygy"},
		{"feedback:🟨🟩🟨 🟩🟨", []string{"J♣ 10♦ 10♣ | Q♥ | 10♠ ygygy\n", "boards are possible: 10♦"}, "32 boards"},
		{"feedback:eeeee", []string{"No possible board gives ", " the feedback eeeee, so guess 2 was not entered.", "If they are right, the deal is mistyped"}, "Guess 2"},
		{"", []string{"J♣ 10♦ 10♣ | Q♥ | 10♠ ygygy\n", "Guess 2 of 6"}, "eeeee"},
		{"undo", []string{"J♣ 10♦ 10♣ Q♥ 10♠", "Guess 1 of 6"}, "ygygy"},
		{"guess:10C 10D JC QH 10S ygygy", []string{"10♣ 10♦ J♣ | Q♥ | 10♠ ygygy\n", "3 boards are possible: 10♦ 10♠ J♦ Q♥ 10♣; 10♦ 10♠ J♥ Q♥ 10♣; 10♦ 10♠ J♠ Q♥ 10♣.", "Guess 2 of 6"}, "Another board"},
		{"new", []string{"Begin with the deal", "A puzzle that you already have stays until the new deal is right"}, "Guess"},
		{"feedback:ggggg", []string{"10♣ ggggg\n", "Solved in 2 of 6. Well done!\nFlop ", "/pokle solve new"}, "Guess"},
		{"", []string{"Solved in 2 of 6."}, "Guess"},
		{"feedback:ggggg", []string{"This puzzle is over."}, "ggggg"},
		{"undo", []string{"10♣ 10♦ J♣ | Q♥ | 10♠ ygygy\n", "Guess 2 of 6"}, "ggggg"},
		{"deal:QD QC 10H 2H 9H KH 213 132 213", []string{"10♣ 10♦ J♣ | Q♥ | 10♠ ygygy\n", "Guess 2 of 6"}, "32 boards"}, // the same deal loses no guess
	} {
		reply := b.askPokle("ana", c.text)
		mustShow(t, fmt.Sprintf("step %d, %q", i, c.text), reply, c.want, c.not)
	}
	b.askPokle("ben", "deal:"+ExampleDeal)
	d, err := splitDeal(ExampleDeal).deal()
	if err != nil {
		t.Fatal(err)
	}
	hidden, err := pokle.ParseBoard("10D 10S JD QH 10C")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		guess := pokle.Board{pokle.NewCard(pokle.Rank(i), pokle.Clubs), pokle.NewCard(pokle.Rank(i+1), pokle.Spades), pokle.NewCard(pokle.Rank(i+2), pokle.Diamonds),
			pokle.NewCard(pokle.King, pokle.Spades), pokle.NewCard(pokle.Ace, pokle.Clubs)}
		b.askPokle("ben", "guess:"+guess.Plain()+"|feedback:"+pokle.WriteFeedback(d.Score(guess, hidden)))
	}
	if reply := b.askPokle("ben", "").String(); !strings.Contains(reply, "Six guesses, and not found.") || !strings.Contains(reply, "possible: ") || strings.Contains(reply, "Guess") {
		t.Errorf("a puzzle lost is\n%s", reply)
	}
}

// TestPokleLoose: if no board has a use for all of its cards, the reply says so, and the
// player goes on, whatever was guessed before.
func TestPokleLoose(t *testing.T) {
	b := newBot(t)
	b.Boards = &solve.Boards{Store: b.Boards.Store, Solver: &boards.Solver{Time: time.Millisecond}}
	b.askPokle("ana", "deal:"+ExampleDeal)
	b.askPokle("ana", "guess:10C 10D JC QH 10S|feedback:ygygy")
	reply := b.askPokle("ana", "deal:QD QC 10H 2H 9H KH 213 123 321").String()
	for _, want := range []string{"Guess 1 of 6: try ", "441 boards are possible.\n", "With this deal no board has a use for each of its cards"} {
		if !strings.Contains(reply, want) {
			t.Errorf("want %q in\n%s", want, reply)
		}
	}
	if strings.Contains(reply, "ygygy") {
		t.Errorf("there is a guess of the old puzzle in\n%s", reply)
	}
}

func TestPokleRefuses(t *testing.T) {
	b := newBot(t)
	b.askPokle("ana", "deal:"+ExampleDeal)
	b.askPokle("ana", "guess:10C 10D JC QH 10S|feedback:ygygy")
	b.askPokle("done", "deal:"+ExampleDeal)
	b.askPokle("done", "feedback:ggggg")
	b.askPokle("first", "deal:"+ExampleDeal)
	for _, c := range []struct{ player, text, want string }{
		{"ana", "deal:QD QC 10H 2X 9H KH 213 132 213", "Player 2 holds “10H 2X”: card 2 has no suit"},
		{"ana", "deal:QD QC 10H 2H 9H KH 111 111 111", "No board leads to these places, so a card or a place of this deal must be mistyped."},
		{"ana", "feedback:gyey", "“gyey” has 4 marks. Feedback is five"},
		{"ana", "feedback:gyeyq", "“gyeyq” has something other than a mark at position 5."},
		{"ana", "guess:4C 4H QH AC JC|feedback:\ufe0f", "“\ufe0f” has no mark in it."},
		{"ana", "guess:4C 4H QH AC", "“4C 4H QH AC” has 4 cards. A board has five"},
		{"ana", "guess:4C 4H QH AC JX", "“4C 4H QH AC JX”: card 5 has no suit that I know."},
		{"ana", "guess:4C 4H 1H AC JC", "“4C 4H 1H AC JC”: card 3 has no rank that I know."},
		{"ana", "guess:4C 4H QH AC 4C", "“4C 4H QH AC 4C” has the 4♣ twice."},
		{"ana", "guess:4C 4H QD AC JC", "Player 1 holds the Q♦, so it cannot be on the board."},
		{"ana", "guess:4C 4H QH AC KH|feedback:gyeyg", "Player 3 holds the K♥"},
		{"ana", "guess:JC 10C 10D QH 10S|feedback:gyeyg", "That board is guess 1 already."},
		{"ana", "guess:10D 10S JD QH 10C|feedback:eeeee", "No possible board gives 10♦ 10♠ J♦ Q♥ 10♣ the feedback eeeee, so guess 2 was not entered."},
		{"ana", "guess:10C 10D JH QH 10S|feedback:ggggg", "No possible board gives 10♣ 10♦ J♥ Q♥ 10♠ the feedback ggggg, so guess 2 was not entered. " +
			"Please check its marks, and the order of its cards. If they are right, those of guess 1 are wrong; /pokle solve undo takes back the last guess."},
		{"ana", "undo|feedback:gyeyg", "Please one thing at a time"},
		{"ana", "new|feedback:gyeyg", "Please one thing at a time"},
		{"ana", "deal:" + ExampleDeal + "|guess:4C 4H QH AC JC", "Please one thing at a time"},
		{"ana", "undo|new", "Please one thing at a time"},
		{"ana", "undo:maybe", "undo can be true or false"},
		{"done", "feedback:gyeyg", "This puzzle is over. Begin the next one with /pokle solve new"},
		{"done", "guess:4C 4H QH AC JC", "This puzzle is over."},
		{"first", "undo", "There is no guess to take back yet."},
		{"nobody", "undo", "There is no deal yet. Enter it first"},
		{"nobody", "feedback:gyeyg", "There is no deal yet."},
		{"nobody", "guess:4C 4H QH AC JC", "There is no deal yet."},
	} {
		mustRefuse(t, c.text, c.want, func() bot.Reply { return b.askPokle(c.player, c.text) }, func() bot.Reply { return b.askPokle(c.player, "") })
	}
}

// TestDealForm enters a deal in the form: first wrong, then corrected, and once more
// while there is a puzzle.
func TestDealForm(t *testing.T) {
	b := newBot(t)
	values := func(f *bot.Form) string {
		var all []string
		for _, field := range f.Fields {
			all = append(all, field.Value)
		}
		return strings.Join(all, "|")
	}
	reply := b.askPokle("ana", "")
	if reply.Form == nil || values(reply.Form) != "|||" || reply.Form.Fields[3].Label != "Places" || !strings.Contains(reply.String(), "Begin with the deal") {
		t.Fatalf("without a deal the form is %+v under\n%s", reply.Form, reply)
	}
	opened := b.Press(dm, "ana", bottest.MustFind(t, reply, "Enter the deal"))
	wrong := b.submit(t, "ana", opened, "QD QC", "10H 2X", " 9♥, K♥ ", "2 1 3, 1 3 2, 2 1 3")
	if !strings.HasPrefix(wrong.String(), "Player 2 holds “10H 2X”") || wrong.Form != nil || !wrong.InPlace || wrong.Audience != bot.Asker {
		t.Errorf("a wrong deal is answered by %+v\n%s", wrong.Form, wrong)
	}
	again := b.Press(dm, "ana", bottest.MustFind(t, wrong, "Correct it"))
	if got, want := values(again.Form), "QD QC|10H 2X|9H KH|2 1 3 1 3 2 2 1 3"; got != want {
		t.Errorf("the form again has %s, want %s", got, want)
	}
	right := b.submit(t, "ana", again, "QD QC", "10H 2H", "9H KH", "2 1 3, 1 3 2, 2 1 3")
	if !strings.Contains(right.String(), "32 boards are possible.") || !right.InPlace || right.Audience != bot.Asker || right.Form != nil {
		t.Errorf("the deal corrected is\n%s", right)
	}
	// Until a guess is entered the deal can be corrected, with every field filled in.
	if got := values(b.Press(dm, "ana", bottest.MustFind(t, right, "Correct the deal")).Form); got != "QD QC|10H 2H|9H KH|213 132 213" {
		t.Errorf("to correct the deal, the form has %s", got)
	}
	played := b.askPokle("ana", "guess:10C 10D JC QH 10S|feedback:ygygy")
	opened = b.Press(dm, "ana", bottest.MustFind(t, played, "New deal"))
	if values(opened.Form) != "|||" {
		t.Errorf("for a new deal the form has %s", values(opened.Form))
	}
	// A wrong new deal leaves the old puzzle, to which a button leads back.
	for _, c := range []struct{ three, places, want string }{
		{"9H QD", "213 132 213", "The Q♦ is there twice: player 1 and player 3 have it."},
		{"9H KH", "213 133 213", "133 on the turn cannot be the places"},
		{"9H KH", "111 111 111", "No board leads to these places, so a card or a place of this deal must be mistyped. Please check QD QC 10H 2H 9H KH 111 111 111;"},
	} {
		wrong = b.submit(t, "ana", opened, "QD QC", "10H 2H", c.three, c.places)
		if !strings.HasPrefix(wrong.String(), c.want) || strings.Contains(wrong.String(), "Guess 2 of 6") || len(wrong.Lines) != 1 || !wrong.InPlace {
			t.Errorf("%s %s is answered by\n%s", c.three, c.places, wrong)
		}
		again = b.Press(dm, "ana", bottest.MustFind(t, wrong, "Correct it"))
		if got, want := values(again.Form), "QD QC|10H 2H|"+c.three+"|"+c.places; got != want {
			t.Errorf("the form again has %s, want %s", got, want)
		}
		back := b.Press(dm, "ana", bottest.MustFind(t, wrong, "Back to my puzzle"))
		if !strings.Contains(back.String(), "ygygy\nGuess 2 of 6") || !back.InPlace {
			t.Errorf("the puzzle again is\n%s", back)
		}
	}
	// A typed deal that is wrong can be corrected in the form too.
	typed := b.askPokle("zoe", "deal:QD QC 10H 2H 9H 213 132 213")
	if got := values(b.Press(dm, "zoe", bottest.MustFind(t, typed, "Correct it")).Form); got != "QD QC|10H 2H|9H|213 132 213" {
		t.Errorf("after a typed deal the form has %s", got)
	}
	// A field that has no room in the button is left out; the others are there.
	long := b.submit(t, "zoe", opened, "QD QC", strings.Repeat("ß", 20), "9H KH", "213 132 213")
	if got := values(b.Press(dm, "zoe", bottest.MustFind(t, long, "Correct it")).Form); got != "QD QC||9H KH|213 132 213" {
		t.Errorf("after a long field the form has %s", got)
	}
	// Without any field it would open the same empty form as "New deal": one is enough.
	opened = b.Press(dm, "ana", bottest.MustFind(t, played, "New deal"))
	wide := strings.Repeat("ß", 20)
	long = b.submit(t, "ana", opened, wide, wide, wide, wide)
	empty := 0
	for _, row := range long.Buttons {
		for _, button := range row {
			if len(button.Args) == 1 && button.Args["new"] == "true" {
				empty++
			}
		}
	}
	if empty != 1 {
		t.Errorf("%d buttons open the empty form: %+v", empty, long.Buttons)
	}
}

// TestCardButtons presses cards: the marks change, in the message alone, until they
// are entered; a guess that contradicts the others stays to be corrected.
func TestCardButtons(t *testing.T) {
	b := newBot(t)
	b.askPokle("ana", "deal:"+ExampleDeal)
	first := b.askPokle("ana", "guess:10C 10D JC QH 10S")
	before := b.version(t)
	reply := b.mark(t, first, "Feedback for 10♣ 10♦ J♣ Q♥ 10♠ so far: ", "e", "0 ybbbb", "1 yybbb", "1 ygbbb", "2 ygybb", "3 ygyyb", "4 ygyyy", "3 ygygy", "0 ggygy", "0 bgygy", "0 ygygy")
	entered := b.Press(dm, "ana", bottest.MustFind(t, reply, "Enter"))
	if !strings.Contains(entered.String(), "10♣ 10♦ J♣ | Q♥ | 10♠ ygygy\nGuess 2 of 6") || !entered.InPlace || looks(tileRow(entered)) != "bbbbb" {
		t.Errorf("what was entered is\n%s", entered)
	}
	if got := b.Press(dm, "ana", tileRow(first)[0]); !strings.HasPrefix(got.String(), "That button belonged to an earlier state") || looks(tileRow(got)) != "bbbbb" {
		t.Errorf("a card of the guess before is answered by\n%s", got)
	}
	// Nothing is grey in what fits now, so this contradicts it.
	entered = b.askPokle("ana", "guess:10D 10S JD QH 10C")
	refused := b.Press(dm, "ana", tileRow(entered)[0])
	refused = b.Press(dm, "ana", bottest.MustFind(t, refused, "Enter"))
	if !strings.HasPrefix(refused.String(), "No possible board gives 10♦ 10♠ J♦ Q♥ 10♣ the feedback yeeee, so guess 2 was not entered.") ||
		looks(tileRow(refused)) != "ybbbb" || !refused.InPlace || b.version(t) != before+2 {
		t.Errorf("a contradiction is\n%s with the cards %s", refused, looks(tileRow(refused)))
	}
	// A refused board of the player's own stays to be corrected, too.
	own := b.Press(dm, "ana", bot.Button{Command: pokergame.NameSolve, Args: map[string]string{"guess": "4C 4H QH AC JC", "feedback": "eeeyg", "at": fmt.Sprint(b.version(t))}})
	if row := tileRow(own); row[0].Label != "4♣" || looks(row) != "bbbyg" {
		t.Errorf("a refused board has the cards %+v", row)
	}
	corrected := b.Press(dm, "ana", tileRow(own)[0])
	if row := tileRow(corrected); row[0].Label != "4♣" || looks(row) != "ybbyg" || !strings.Contains(corrected.String(), "Feedback for 4♣ 4♥ Q♥ A♣ J♣ so far: yeeyg") {
		t.Errorf("corrected, it has the cards %+v under\n%s", row, corrected)
	}
	won := b.Press(dm, "ana", bottest.MustFind(t, refused, "All green"))
	if !strings.Contains(won.String(), "Solved in 2 of 6.") || len(tileRow(won)) > 0 {
		t.Errorf("all green is\n%s", won)
	}
	// Buttons of older messages change nothing, and the reply says so.
	after := b.version(t)
	b.mustBeOld(t, "Solved in 2 of 6.", tileRow(first)[0], bottest.MustFind(t, first, "Enter"), bottest.MustFind(t, first, "All green"),
		bottest.MustFind(t, entered, "Undo"), bottest.MustFind(t, reply, "Enter"))
	// Nobody sent these.
	for _, args := range []map[string]string{
		{"marks": "crane", "guess": "4C 4H QH AC JC", "at": "3"}, {"marks": "gyeyg", "at": "3"}, {"marks": "gyeyg", "guess": "4C"},
		{"marks": "gyeyg", "guess": "4C 4H QH AC JC", "at": "x"}, {"feedback": "gyeyg", "at": "x"}, {"feedback": "gyeyg", "at": "0"}, {"undo": "true", "at": "-1"},
	} {
		if got := b.Press(dm, "ana", bot.Button{Command: pokergame.NameSolve, Args: args}); got.String() != bot.Outdated(pokergame.NameSolve).String() {
			t.Errorf("%v is answered by\n%s", args, got)
		}
	}
	if b.version(t) != after {
		t.Error("an old button changed something")
	}
	undone := b.Press(dm, "ana", bottest.MustFind(t, won, "Undo"))
	if !strings.Contains(undone.String(), "Guess 2 of 6") {
		t.Errorf("undone, it is\n%s", undone)
	}
}

func TestPokleButtonsWithinBounds(t *testing.T) {
	b := newBot(t)
	random := rand.New(rand.NewPCG(17, 18))
	d, err := splitDeal(ExampleDeal).deal()
	if err != nil {
		t.Fatal(err)
	}
	all, err := b.Boards.Solver.List(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	b.walk(t, 500, random, "pokle solve", func() bot.Reply {
		guess, hidden := all.Boards[random.IntN(len(all.Boards))], all.Boards[random.IntN(len(all.Boards))]
		return b.askPokle("ana", "guess:"+guess.Plain()+"|feedback:"+pokle.WriteFeedback(d.Score(guess, hidden)))
	}, "Enter", "All green", "Undo", "New deal", "Correct it", "Back to my puzzle")
}

// TestBoardProposal: a board is the player's own if it differs from the one proposed in
// more than the order of its flop, which it keeps.
func TestBoardProposal(t *testing.T) {
	var b [3]pokle.Board
	for i, text := range []string{"10C 10D JC QH 10S", "JC 10D 10C QH 10S", "10C 10D JC 10S QH"} {
		var err error
		if b[i], err = pokle.ParseBoard(text); err != nil {
			t.Fatal(err)
		}
	}
	proposed := []boards.Suggestion{{Board: b[0], Remaining: 1}}
	for _, c := range []struct {
		chosen pokle.Board
		want   string
	}{
		{pokle.Board{}, "Guess 1 of 6: try 10♣ 10♦ J♣ Q♥ 10♠.\nIt is the only possible board.\n"},
		{b[1], "Guess 1 of 6: try J♣ 10♦ 10♣ Q♥ 10♠.\nIt is the only possible board.\n"},
		{b[2], "Guess 1 of 6: 10♣ 10♦ J♣ 10♠ Q♥, your own choice. I would try 10♣ 10♦ J♣ Q♥ 10♠.\n"},
	} {
		if got := (bot.Reply{Lines: boardProposal(solve.BoardPuzzle{Proposed: proposed, Chosen: c.chosen})}).String(); got != c.want {
			t.Errorf("with %v chosen: %q, want %q", c.chosen, got, c.want)
		}
	}
}

// TestPokleMisfit: a puzzle that no board fits, stored by another release, can be left or
// corrected.
func TestPokleMisfit(t *testing.T) {
	b := newBot(t)
	d, err := splitDeal("QD QC 10H 2H 9H KH 111 111 111").deal()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Boards.Store.CommitSession(t.Context(), solve.Session{Player: "ana", Version: 1, Board: solve.BoardPuzzle{Setup: solve.BoardSetup{Deal: d}}}); err != nil {
		t.Fatal(err)
	}
	reply := b.askPokle("ana", "")
	if !strings.Contains(reply.String(), "No board fits any more, so something here must be wrong.") || len(tileRow(reply)) > 0 {
		t.Errorf("got %+v under\n%s", reply.Buttons, reply)
	}
	bottest.MustFind(t, reply, "New deal")
	bottest.MustFind(t, reply, "Correct the deal")
	if reply = b.askPokle("ana", "feedback:gyeyg"); !strings.HasPrefix(reply.String(), "No board is proposed, so please enter your guess too") {
		t.Errorf("bare feedback is answered by\n%s", reply)
	}
}

// TestPokleLeavesTheWords: the two puzzles of a player do not touch each other.
func TestPokleLeavesTheWords(t *testing.T) {
	b := newBot(t)
	word := b.Ask(dm, "ana", "solve next", "guess", "crane", "feedback", "bbygb").String()
	board := b.askPokle("ana", "deal:"+ExampleDeal).String()
	if again := b.Ask(dm, "ana", "solve next").String(); again != word {
		t.Errorf("the words are\n%s after\n%s", again, word)
	}
	b.Ask(dm, "ana", "solve undo")
	if again := b.askPokle("ana", "").String(); again != board {
		t.Errorf("the boards are\n%s after\n%s", again, board)
	}
	v, err := b.Words.Peek(t.Context(), "ana")
	if err != nil || v.Puzzle.Next() == wordle.Word(0) || v.Record.Played() != 0 {
		t.Errorf("the v are %+v, %v", v, err)
	}
}
