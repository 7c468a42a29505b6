package solve

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
)

// askPokle asks as in the fields of the command: nothing, "undo", "new", or name:value pairs with | between them.
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

func TestPokleRefuses(t *testing.T) {
	b := newBot(t)
	b.askPokle("ana", "deal:"+ExampleDeal)
	b.askPokle("ana", "guess:10C 10D JC QH 10S|feedback:ygygy")
	b.askPokle("done", "deal:"+ExampleDeal)
	b.askPokle("done", "guess:10C 10D JC QH 10S|feedback:ggggg")
	b.askPokle("first", "deal:"+ExampleDeal)
	for _, c := range []struct{ player, text, want string }{
		{"ana", "deal:QD QC 10H 2X 9H KH 213 132 213", "Player 2 holds “10H 2X”: card 2 has no suit"},
		{"ana", "deal:QD QC 10H 2H 9H KH 213 123 321", "No board leads to these places"}, // with a use for each of its cards
		{"ana", "feedback:gyey", "“gyey” has 4 marks. Feedback is five"},
		{"ana", "guess:4C 4H QD AC JC", "Player 1 holds the Q♦, so it cannot be on the board."},
		{"ana", "guess:JC 10C 10D QH 10S|feedback:gyeyg", "That board is guess 1 already."},
		{"ana", "guess:10D 10S JD QH 10C|feedback:eeeee", "No possible board gives 10♦ 10♠ J♦ Q♥ 10♣ the feedback eeeee, so guess 2 was not entered."},
		{"ana", "guess:10C 10D JH QH 10S|feedback:ggggg", "No possible board gives 10♣ 10♦ J♥ Q♥ 10♠ the feedback ggggg, so guess 2 was not entered. " +
			"Please check its marks, and the order of its cards. If they are right, those of guess 1 are wrong; /pokle solve undo takes back the last guess."},
		{"ana", "undo|feedback:gyeyg", "One thing at a time, please"},
		{"ana", "deal:" + ExampleDeal + "|guess:4C 4H QH AC JC", "One thing at a time, please"},
		{"ana", "undo:maybe", "undo can be true or false"},
		{"done", "feedback:gyeyg", "This puzzle is over. Begin the next one with /pokle solve new"},
		{"first", "undo", "There is no guess to take back yet."},
		{"nobody", "undo", "There is no deal yet. Enter it first"},
	} {
		mustRefuse(t, c.text, c.want, func() bot.Reply { return b.askPokle(c.player, c.text) }, func() bot.Reply { return b.askPokle(c.player, "") })
	}
}

// TestDealForm enters a deal in the form: first wrong, then corrected, and once more while there is a puzzle.
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
}

// TestMarksStay: pressed marks that no board gets are answered by the puzzle with these marks, to be corrected.
func TestMarksStay(t *testing.T) {
	b := newBot(t)
	b.askPokle("ana", "deal:"+ExampleDeal)
	reply := b.Press(dm, "ana", bot.Button{Command: "pokle solve", Args: map[string]string{"guess": "10C 10D JC QH 10S", "feedback": "eeeey"}})
	if !strings.HasPrefix(reply.String(), "No possible board gives") || !reply.InPlace || bottest.MustFind(t, reply, "Enter").Args["feedback"] != "eeeey" {
		t.Errorf("impossible marks are answered by\n%s %v", reply, reply.Buttons)
	}
}

func TestPokleButtonsWithinBounds(t *testing.T) {
	b := newBot(t)
	random := rand.New(rand.NewPCG(17, 18))
	d, err := readDeal(solve.SplitDeal(ExampleDeal))
	if err != nil {
		t.Fatal(err)
	}
	all, err := b.Boards.Solver.List(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	b.walk(t, 500, random, "pokle solve", func() bot.Reply {
		guess, hidden := all[random.IntN(len(all))], all[random.IntN(len(all))]
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
