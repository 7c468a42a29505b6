package solve

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/bottest"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/poker"
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
		{"ana", "deal:QD QC 10H 2H 9H KH 213 123 321", "No board gives these places"}, // with a use for each of its cards
		{"ana", "feedback:gyey", "“gyey” has 4 marks. It takes five"},
		{"ana", "guess:4C 4H QD AC JC", "Player 1 holds the Q♦, so it can't be on the board."},
		{"ana", "guess:JC 10C 10D QH 10S|feedback:gyeyg", "That board is guess 1 already."},
		{"ana", "guess:10D 10S JD QH 10C|feedback:eeeee", "No board gives 10♦ 10♠ J♦ Q♥ 10♣ the colours eeeee, so I left guess 2 out."},
		{"ana", "undo|feedback:gyeyg", "One thing at a time: "},
		{"ana", "deal:" + ExampleDeal + "|guess:4C 4H QH AC JC", "One thing at a time: "},
		{"ana", "undo:maybe", "undo can be true or false"},
		{"done", "feedback:gyeyg", "This puzzle is over. Begin the next one: /pokle solve new"},
		{"first", "undo", "There's no guess to take back yet."},
		{"nobody", "feedback:gyeyg", "There's no deal yet. Enter it first"},
		{"nobody", "guess:4C 4H QD AC JC", "There's no deal yet. Enter it first"},
	} {
		mustRefuse(t, c.text, c.want, func() bot.Reply { return b.askPokle(c.player, c.text) }, func() bot.Reply { return b.askPokle(c.player, "") })
	}
}

// TestCorrectDeal: the form has what was typed before, whether it was right or wrong.
func TestCorrectDeal(t *testing.T) {
	b := newBot(t)
	for typed, c := range map[string]struct{ button, want string }{
		"QD QC 10H 2H 9H 213 132 213":     {"Correct it", "QD QC|10H 2H|9H|213 132 213"},
		"QD QC / 10H / 9H KH,2X/ 2 1 3 1": {"Correct it", "QD QC|10H|9H KH 2X|2 1 3 1"},
		ExampleDeal:                       {"Correct the deal", "QD QC|10H 2H|9H KH|213 132 213"},
	} {
		form := b.Press(dm, "ana", bottest.MustFind(t, b.askPokle("ana", "deal:"+typed), c.button)).Form
		if got := strings.Join(bot.Each(form.Fields, func(f bot.Field) string { return f.Value }), "|"); got != c.want {
			t.Errorf("after %s, the form has %s, want %s", typed, got, c.want)
		}
	}
}

// TestButtonsWithinBounds presses random buttons: each is pressed, and the asker checks each reply.
func TestButtonsWithinBounds(t *testing.T) {
	b := newBot(t)
	random := rand.New(rand.NewPCG(15, 16))
	words := b.Lists.Answers()
	b.walk(t, 250, random, "solve next", func() bot.Reply {
		guess, hidden := words[random.IntN(len(words))], words[random.IntN(len(words))]
		return b.Ask(dm, "ana", "solve next", "guess", guess.String(), "feedback", wordle.Score(guess, hidden).String())
	}, "solve next", "solve undo", "solve change", "solve top", "solve words", "solve new")
	b.Ask(dm, "ana", "solve boards", "new", "8")
	b.walk(t, 70, random, "solve boards", func() bot.Reply {
		v, err := b.Words.UpdateBoards(t.Context(), game.Origin{Request: game.RequestID(fmt.Sprint("look", random.Int())), Location: dm, Player: "ana"}, 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		guess, feedback := words[random.IntN(len(words))], ""
		for range v.Boards.Open() {
			feedback += wordle.Score(guess, words[random.IntN(len(words))]).String() + " "
		}
		return b.Ask(dm, "ana", "solve boards", "guess", guess.String(), "feedback", feedback)
	}, "Next board", "All green", "Back", "Undo", "solve change")
	d, err := readDeal(solve.SplitDeal(ExampleDeal))
	if err != nil {
		t.Fatal(err)
	}
	all, err := b.Cards.Solver.List(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	b.walk(t, 500, random, "pokle solve", func() bot.Reply {
		guess, hidden := all[random.IntN(len(all))], all[random.IntN(len(all))]
		return b.askPokle("ana", "guess:"+guess.Plain()+"|feedback:"+pokle.WriteFeedback(d.Score(guess, hidden)))
	}, "Enter", "All green", "Undo", "New deal", "Correct it", "Back")
}

// TestCardProposal: a board is the player's own if it differs from the one proposed in more than the order of its flop.
func TestCardProposal(t *testing.T) {
	board := pokle.Board{0, 4, 8, 12, 16}
	p := solve.CardPuzzle{Proposed: []poker.Suggestion{{Board: board, Remaining: 1}}}
	for chosen, own := range map[pokle.Board]bool{{}: false, {8, 4, 0, 12, 16}: false, {0, 4, 8, 16, 12}: true} {
		p.Chosen = chosen
		_, why := cardProposal(p)
		if got := bot.Ephemeral(why).String(); strings.Contains(got, "Your own choice") != own {
			t.Errorf("with %v chosen, it is %s", chosen, got)
		}
	}
}
