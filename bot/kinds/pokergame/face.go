package pokergame

import (
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/poker"
)

func (*Game) Read(typed string) (listed bool, err error) {
	_, err = Read(typed)
	return true, err
}

func (*Game) Attempt(s game.State, typed string) int {
	b, err := pokle.ParseBoard(typed)
	return 1 + slices.IndexFunc(s.(pokle.State).Turns(), func(g pokle.Step) bool { return err == nil && g.Guess.Compare(b) == 0 })
}

// Example returns a guess without the cards in players' hands.
func (*Game) Example(s game.State) string {
	if s == nil {
		return example
	}
	return strings.ToLower(Guessable(s.(pokle.State).Deal(), example))
}

func (*Game) Guesses(s game.State) []face.Guess {
	return face.Guesses(s.(pokle.State).Turns(), pokle.Board.String, CardTiles)
}

// Judge also says who was ahead on each street.
func (*Game) Judge(s game.State, r game.Review) face.Judgements {
	all := face.Judge(r.(poker.Review), pokle.Board.String, CardTiles)
	if s != nil {
		all.About = ShowdownLines(s.(pokle.State).Deal(), s.(pokle.State).Hidden())
	}
	return all
}

func (*Game) Draw(v face.View) face.Drawing {
	table := tableOf(v, v.State.(pokle.State))
	lines := tableLines(v, table)
	return face.Drawing{Board: append([]bot.Block{&bot.Picture{
		Name:    "table.png",
		Alt:     bot.Words(v.Names, lines...),
		Draw:    table.Draw,
		Instead: lines,
	}}, bot.Lines(guessers(v, table)...)...)}
}

func tableOf(v face.View, s pokle.State) picture.PokerTable {
	table := picture.PokerTable{Deal: s.Deal(), Guesses: s.Turns()}
	if left := v.LeftAfter(s.Used()); left >= 0 {
		table.State = bot.Plural(left, "possible board")
	}
	if v.Status() != game.Playing {
		hidden := s.Hidden()
		table.Hidden, table.State = &hidden, face.OutcomeWords(v.Match)
	}
	if v.Several() {
		for _, m := range v.Moves {
			table.Players = append(table.Players, v.Names[m.Player])
		}
	}
	return table
}

// tableLines are the lines of a match's table.
func tableLines(v face.View, table picture.PokerTable) []bot.Line {
	lines := PokerTableLines(table)
	guess := 0
	for i, line := range lines {
		if len(line.Tiles) > 0 {
			lines[i] = v.Signed(guess, line)
			guess++
		}
	}
	return lines
}

// guessers lists the players of the guesses if the picture can't write a name: a message can always mention them.
func guessers(v face.View, table picture.PokerTable) []bot.Line {
	if table.Names() {
		return nil
	}
	players := bot.Each(v.Moves, func(m game.Move) game.PlayerID { return m.Player })
	return []bot.Line{bot.List(bot.Text("Guesses by "), players, "")}
}

func (*Game) HintLine(h game.Hint) bot.Line {
	s := h.Content.(poker.Suggestion)
	return bot.Text("Try ", bot.Spoiler(s.Board.String()), ". ", bot.Spoiler(BoardReason(s, pokle.Attempts-h.After)))
}

// Guessable returns a typed board with each card that a player holds replaced by a free one.
func Guessable(d pokle.Deal, typed string) string {
	b := mustBoard(typed)
	var taken pokle.Cards
	for _, hole := range d.Holes {
		taken |= hole.Cards()
	}
	for i := range b {
		for taken.Has(b[i]) {
			b[i] = (b[i] + 1) % pokle.Deck
		}
		taken = taken.Add(b[i])
	}
	return b.Plain()
}

func mustBoard(text string) pokle.Board {
	b, err := pokle.ParseBoard(text)
	if err != nil {
		panic(err)
	}
	return b
}

// CardTiles is the row of one guess.
func CardTiles(g pokle.Step) bot.Line {
	var line bot.Line
	for i, card := range g.Guess {
		line.Tiles = append(line.Tiles, bot.Tile{Text: card.String(), Mark: g.Feedback.Mark(i), Apart: i >= pokle.Flop.Cards(), Ink: inkOf(card)})
	}
	return line
}

// inkOf is the colour of a card's suit in a four-colour deck.
func inkOf(c pokle.Card) bot.Ink {
	return [...]bot.Ink{pokle.Clubs: bot.GreenInk, pokle.Diamonds: bot.BlueInk, pokle.Hearts: bot.RedInk, pokle.Spades: bot.BlackInk}[c.Suit()]
}
