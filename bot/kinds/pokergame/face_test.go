package pokergame

import (
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/poker"
)

// TestBoardJudgements: the review of a board has its quality and a better board.
func TestBoardJudgements(t *testing.T) {
	guess := mustBoard("4c 2s 5s 6d 3h")
	g := poker.Judged{Turn: poker.Step{Guess: guess, Feedback: 5}, Before: 34, After: 2, Expected: 4.1, Best: guess, BestExpected: 4.1, Skill: 99, Luck: 90, Proven: true}
	text := func() string {
		line := New(nil).Judge(nil, poker.Review{Guesses: []poker.Judged{g}}).Guesses[0].Line(false)
		return strings.TrimSpace(bot.Ephemeral(line).String())
	}
	if got, want := text(), "Best guess! 2 left · luck 90"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	g.Best, g.BestExpected, g.Proven = mustBoard("2s 4c 5s 6c 3d"), 3.5, false
	if got, want := text(), "2 left · skill about 99 · luck 90 · better: 2♠ 4♣ 5♠ 6♣ 3♦"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestGuessers: the line appears if the picture can't write a player's name.
func TestGuessers(t *testing.T) {
	v := face.View{Match: game.Match{Moves: []game.Move{{Player: "1"}, {Player: "2"}, {Player: "1"}}}}
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"ana", "Zoë🎲", "ana"}, ""},
		{[]string{"小明", "Zoë🎲", "小明"}, "Guesses by 1, 2, 1\n"},
		{[]string{"ana", "", "ana"}, "Guesses by 1, 2, 1\n"},
	} {
		if got := (bot.Reply{Blocks: bot.Lines(guessers(v, picture.PokerTable{Players: c.names})...)}).String(); got != c.want {
			t.Errorf("%q: %q, want %q", c.names, got, c.want)
		}
	}
}

// TestGuessable: only cards in players' hands are replaced in the example.
func TestGuessable(t *testing.T) {
	for hands, want := range map[string]string{
		"AC AD AH AS QC QD":  "2C 3D 10H 4S KS",
		"2C 3D 10H 4S KS 2D": "2H 3H 10S 5C AC",
		"KS AC AD AH AS 2C":  "2D 3D 10H 4S 2H", // the card after K♠ is the first of the deck
		"2C 2D 2H 2S 3C 3D":  "3H 3S 10H 4S KS",
	} {
		cards, err := pokle.ParseCards(hands)
		if err != nil {
			t.Fatal(err)
		}
		var d pokle.Deal
		for i := range d.Holes {
			d.Holes[i] = pokle.Hole(cards[2*i:])
		}
		if got := Guessable(d, example); got != want {
			t.Errorf("%s: %s, want %s", hands, got, want)
		}
	}
}
