package solve

import (
	"errors"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/game/pokle"
	"fivefold/solver/solve"
)

func TestTypedDeal(t *testing.T) {
	good := pokle.Deal{
		Holes: [3]pokle.Hole{
			{pokle.NewCard(pokle.Queen, pokle.Diamonds), pokle.NewCard(pokle.Queen, pokle.Clubs)},
			{pokle.NewCard(pokle.Ten, pokle.Hearts), pokle.NewCard(pokle.Two, pokle.Hearts)},
			{pokle.NewCard(pokle.Nine, pokle.Hearts), pokle.NewCard(pokle.King, pokle.Hearts)},
		},
		Places: [3]pokle.Places{{2, 1, 3}, {1, 2, 2}, {1, 1, 1}},
	}
	for _, text := range []string{
		"QD QC 10H 2H 9H KH 213 122 111", "Q♦️,Q♣️ / 10♥ 2♥ / 9♥ K♥ / 2 1 3, 1 2 2, 1 1 1", "qdqc th2h 9hkh 213122111",
	} {
		if d, err := readDeal(solve.SplitDeal(text)); err != nil || d != good {
			t.Errorf("%q is %+v, %v, want %+v", text, d, err, good)
		}
	}
	if got := solve.WriteDeal(good); got != solve.SplitDeal("QD QC 10H 2H 9H KH 213 122 111") {
		t.Errorf("written again, the deal is %+v", got)
	}
	for _, c := range []struct{ text, want string }{
		{"", "Player 1 has 0 cards. Each player holds two, such as 10H 2H."},
		{"QD QC 10H 2X 9H KH 213 132 213", "Player 2 holds “10H 2X”: card 2 has no suit that I know."},
		{"QD QC 10H 2H 9H QD 213 132 213", "The deal has the Q♦ twice."},
		{"QD QC 10H 2H 9H KH 213 132 2131", "The deal has 10 places. It needs nine"},
		{"QD QC 10H 2H 9H KH 213 142 213", "142 on the turn can't be the places of three players."},
	} {
		_, err := readDeal(solve.SplitDeal(c.text))
		if refusal, ok := errors.AsType[bot.Refusal](err); !ok || !strings.HasPrefix(refusal.Reply.String(), c.want) || refusal.Audience != bot.Asker {
			t.Errorf("%q is %v, %v, want %q", c.text, refusal.Reply, err, c.want)
		}
	}
}
