package pokle

import "fivefold/game/marks"

// Score returns the feedback that the guess gets when hidden is the hidden board. It goes by the cards alone. A game uses
// [Deal.Score], which has one case more:
//
//  1. a card of the guess's flop is green when it is in the hidden flop, in
//     whichever of the three places;
//  2. any other is yellow when it shares rank or suit with a card of the hidden
//     flop that rule 1 did not match; several may be yellow for the same card;
//  3. turn and river are green for the same card, yellow for the same rank or
//     suit;
//  4. everything else is grey.
//
// The marks are in the written order of the guess. The order of the hidden flop does not matter. The cards of each board must
// differ. Score allocates nothing and takes some nanoseconds.
//
// Flop, turn and river do not affect each other, so each can be scored alone: the feedback is ScoreFlop + 27·ScoreCard of the
// turns + 81·ScoreCard of the rivers.
func Score(guess, hidden Board) Feedback {
	return scoreFlop(guess[0], guess[1], guess[2], hidden[0], hidden[1], hidden[2]) +
		27*Feedback(ScoreCard(guess[3], hidden[3])) + 81*Feedback(ScoreCard(guess[4], hidden[4]))
}

// ScoreFlop returns the feedback for the two flops alone, 0 to 26.
func ScoreFlop(guess, hidden Board) Feedback {
	return scoreFlop(guess[0], guess[1], guess[2], hidden[0], hidden[1], hidden[2])
}

func scoreFlop(a, b, c, x, y, z Card) Feedback {
	green := (a.bit() | b.bit() | c.bit()) & (x.bit() | y.bit() | z.bit())
	// near are the cards that rule 2 makes yellow, and some green ones.
	near := x.unless(green) | y.unless(green) | z.unless(green)
	// A card's mark is the number of the two sets that have it, so green ones go into both.
	near |= green
	mark := func(c Card) Feedback { return Feedback(near>>(c&63)&1 + green>>(c&63)&1) }
	return mark(a) + 3*mark(b) + 9*mark(c)
}

// unless returns the cards that share rank or suit with c, or none if c is in matched. It does not branch, since matches cannot
// be foreseen.
func (c Card) unless(matched Cards) Cards {
	return c.alike() &^ -(matched >> (c & 63) & 1)
}

// ScoreCard returns the mark of the turn or the river.
func ScoreCard(guess, hidden Card) marks.Mark {
	differ := guess ^ hidden // the suit's bits below the rank's
	return marks.Mark((oneIf(differ < 4) | oneIf(differ&3 == 0)) + oneIf(differ == 0))
}

// Score returns the feedback that the guess gets in a game with this deal: that of [Score], or all green if the guess fits the
// deal and is [Board.Alike] to the hidden board.
func (d Deal) Score(guess, hidden Board) Feedback {
	if guess.Alike(hidden) && d.Fits(guess) == nil {
		return AllGreen
	}
	return Score(guess, hidden)
}

// Alike reports whether both boards have the same [Likeness].
func (b Board) Alike(c Board) bool { return b.Likeness() == c.Likeness() }

// Likeness is the flop of a board and the ranks of its turn and river. A guess that fits the deal and has the hidden board's
// likeness (==) wins.
type Likeness struct {
	flop        Cards
	turn, river Rank
}

// Likeness returns the board's likeness.
func (b Board) Likeness() Likeness { return Likeness{b.Cards(Flop), b[3].Rank(), b[4].Rank()} }
