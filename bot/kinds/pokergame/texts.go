package pokergame

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/poker"
)

// Read reads a guess as it is typed. The error is a refusal.
func Read(typed string) (pokle.Board, error) {
	b, err := pokle.ParseBoard(typed)
	if err == nil {
		return b, nil
	}
	what := " isn't a board. A board has five cards."
	if card, ok := errors.AsType[*pokle.CardError](err); ok {
		what = ": " + NotCard(card)
	} else if twice, ok := errors.AsType[*pokle.TwiceError](err); ok {
		what = fmt.Sprintf(" has the %v twice. There's only one in the deck, so change one.", twice.Card)
	} else if count, ok := errors.AsType[*pokle.CountError](err); ok {
		what = fmt.Sprintf(" has %s. A board has five: three of the flop, the turn and the river.", bot.Plural(count.Got, "card"))
	}
	return b, bot.Refuse(err, bot.Text(bot.Quote(typed), what))
}

// NotCard says what is wrong with a card.
func NotCard(err *pokle.CardError) string {
	if errors.Is(err, pokle.ErrRank) {
		return fmt.Sprintf("card %d has no rank that I know. Ranks are 2 to 10, J, Q, K and A, written before the suit.", err.Number)
	}
	return fmt.Sprintf("card %d has no suit that I know. Suits are C, D, H and S or ♣ ♦ ♥ ♠, written after the rank.", err.Number)
}

// BoardReason explains the suggestion of a board. Left is the number of guesses left.
func BoardReason(s poker.Suggestion, left int) string {
	if s.Remaining == 1 {
		return "It's the only possible board."
	}
	if s.Proven && s.Guesses == 1 { // the boards that are left win alike
		return "It wins, whichever board is hidden."
	}
	late := ""
	if s.Remaining > left && left <= 3 { // with more guesses, few boards are missed
		late = fmt.Sprintf(" Running out of guesses counts as %d.", left+1)
	}
	mix := ""
	if !s.Possible {
		mix = "It can't be the board, but it tells you more. "
	}
	average := bot.Figure(s.Guesses) + " more guesses on average"
	one := "%.1f"
	if s.Entropy > math.Log2(10) {
		one = "%.0f"
	}
	switch {
	case s.Guesses > 0 && s.Proven && s.Possible:
		return "It takes " + average + "; no possible board takes fewer." + late
	case s.Guesses > 0:
		return mix + "It takes about " + average + "." + late
	}
	return mix + "It should leave about 1 board in " + fmt.Sprintf(one, math.Exp2(s.Entropy)) + "."
}

func (*Game) ExplainRules(err error) error {
	if held, ok := errors.AsType[*pokle.HeldError](err); ok {
		return bot.Refuse(err, bot.Text(fmt.Sprintf("Player %d holds the %v, so it can't be on the table.", held.Player, held.Card)))
	}
	return bot.RefuseAs(err, map[error]bot.Line{
		game.ErrNothingFits: bot.Text("No board fits this game any more, so I can't suggest one."),
	})
}

// PokerTableLines returns a picture of the table as text, for fronts without pictures and for players who prefer text.
// The deal must be valid.
func PokerTableLines(t picture.PokerTable) (lines []bot.Line) {
	for i, hole := range t.Deal.Holes {
		var streets []bot.Line
		for s, places := range t.Deal.Places {
			medal := picture.Medals[int(places[i])]
			streets = append(streets, bot.Text(pokle.Street(s).String()+" ", bot.Emoji(medal.Emoji+" "), medal.Words))
		}
		lines = append(lines, bot.List(bot.Text(picture.PlayerName(i)+" ", bot.Bold(hole.String()), ": "), streets, ""))
	}
	for _, g := range t.Guesses {
		lines = append(lines, CardTiles(g))
	}
	if t.Hidden != nil {
		lines = append(lines, bot.Text("The board: ", bot.Bold(CardTiles(pokle.Step{Guess: *t.Hidden}).TileText()), "."))
		if t.WonAlike() {
			lines = append(lines, bot.Text(picture.Alike))
		}
	} else if t.State != "" {
		lines = append(lines, bot.Text(t.State+"."))
	}
	return lines
}

// ShowdownLines says for each street who was ahead on this board, and with which hand. No player may hold one of its
// cards.
func ShowdownLines(d pokle.Deal, b pokle.Board) (lines []bot.Line) {
	for s := range pokle.Street(pokle.Streets) {
		dealt := b[:pokle.Flop.Cards()]
		if s > pokle.Flop {
			dealt = b[s.Cards()-1 : s.Cards()]
		}
		cards := strings.Join(bot.Each(dealt, pokle.Card.String), " ")
		lines = append(lines, bot.Text(bot.Bold(picture.StreetName(s)+" "+cards), ": "+ranking(d.Hands(b.Cards(s)))+"."))
	}
	return lines
}

// ranking lists the players by place with their hands, best first, such as "1. player 2, pair of tens; 2. player 1 and
// player 3, high card ace".
func ranking(hands [pokle.Players]pokle.Cards) string {
	var worth [pokle.Players]pokle.Strength
	for i, hand := range hands {
		worth[i], _ = hand.Evaluate()
	}
	places := pokle.PlacesOf(worth)
	var parts []string
	for place := uint8(1); place <= pokle.Players; place++ {
		var names []string
		hand := ""
		for i := range worth {
			if places[i] == place {
				names = append(names, strings.ToLower(picture.PlayerName(i)))
				hand = handWords(worth[i], worth[:])
			}
		}
		if len(names) > 0 {
			who := strings.Join(names, " and ")
			if len(names) == pokle.Players {
				who = "all players"
			}
			parts = append(parts, fmt.Sprintf("%d. %s, %s", place, who, hand))
		}
	}
	return strings.Join(parts, "; ")
}

// handWords names a hand. It adds the kickers if only they decide between two hands of that name.
func handWords(hand pokle.Strength, all []pokle.Strength) string {
	words := hand.Describe()
	if !slices.ContainsFunc(all, func(o pokle.Strength) bool { return o != hand && o.Describe() == words }) {
		return words
	}
	return words + ", then " + strings.Join(bot.Each(hand.Kickers(), pokle.Rank.String), " ")
}
