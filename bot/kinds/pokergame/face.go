package pokergame

import (
	"context"
	"fmt"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
)

// Face is the face of the poker game.
func Face() face.Face {
	return face.Typed[pokle.State, pokle.Board]{
		Words:      texts(),
		Read:       Read,
		Turns:      pokle.State.Guesses,
		Tiles:      CardTiles,
		Same:       func(a, b pokle.Board) bool { return a.Compare(b) == 0 },
		Write:      pokle.Board.String,
		ExampleFor: func(s pokle.State) string { return strings.ToLower(Guessable(s.Deal(), example)) },
		Board: func(v face.View, s pokle.State) (board, below []bot.Line) {
			table := tableOf(v, s)
			return append(tableLines(v, table), guessers(v, table)...), nil
		},
		InReview: func(s pokle.State) []bot.Line { return ShowdownLines(s.Deal(), s.Hidden()) },
		Aside:    hands,
		Picture: func(v face.View, s pokle.State) *bot.Picture {
			table := tableOf(v, s)
			table.Title = face.OwnTitle(v)
			return &bot.Picture{
				Name: "table.png",
				Alt:  picture.Alt(table),
				Draw: func(_ context.Context, c bot.Colours) ([]byte, error) {
					table := table
					table.Contrast = c == bot.ContrastColours
					return picture.Draw(table), nil
				},
			}
		},
		Step: func(v face.View, then pokle.State) []bot.Line {
			used := then.Used()
			lines := PokerTableLines(picture.PokerTable{Deal: then.Deal(), Guesses: then.Guesses(), Attempts: pokle.Attempts, Left: v.LeftAfter(used)})
			if used > 0 {
				lines = append(lines, bot.Text(v.Moves[used-1].Player, " guessed ", bot.Bold(then.Guesses()[used-1].Guess.String()), "."))
			}
			return lines
		},
		Note: equalBoard,
	}.Face()
}

// example is a guess where nobody holds any of its cards.
const example = "2c 3d 10h 4s ks"

// Commands are the names of its commands.
var Commands = face.Commands{
	Start: "pokle start", Guess: "pokle guess", Hint: "pokle hint", Board: "pokle board", Stop: "pokle stop", Stats: "pokle stats", Rules: "pokle rules",
}

// NameSolve is the command that helps with puzzles played elsewhere.
const NameSolve = "pokle solve"

func texts() face.Words {
	return face.Words{
		Kind:      Kind,
		Title:     "Pokle",
		Noun:      "board",
		About:     "The poker game: find the five cards on the table",
		Commands:  Commands,
		StartHelp: "Start a game of Pokle: find the five cards on the table",
		GuessHelp: "Guess the five cards on the table",
		HintHelp:  "The best board, and why; in a daily puzzle it counts as one guess more",
		BoardHelp: "Show the table again: hands, places, guesses",
		StopHelp:  "Stop a game you started or moderate, and show the board",
		StatsHelp: "Pokle's leaderboard here, or a player's card",
		RulesHelp: "How to play Pokle, and its commands",
		Guess: bot.Option{
			Name: "cards", Help: "Five cards: the flop in any order, turn, river, such as 2c 3d 10h 4s ks",
			Prompt: "Type five cards, first the three of the flop, such as 2c 3d 10h 4s ks",
		},
		FormTitle: "Guess the five cards", FormLabel: "Flop in any order, turn, river", MostTyped: 100,
		Example: example,
		Sample:  "2c 10d ah 4s ks",
		Typing: face.Typing{
			Goal: "five cards on the table", Begin: "Type /" + Commands.Start + " to see the hands.",
			What:     "five cards, first the three of the flop",
			Help:     "To guess, type five cards: the flop, the turn, the river. T or 10 is a ten, and c, d, h, s are ♣ ♦ ♥ ♠.",
			Headings: []string{pokle.Flop.String(), pokle.Turn.String(), pokle.River.String()},
			Fits:     typedCards.MatchString,
			Tiles:    typedTiles,
		},
		Complete:  completeGuess,
		HintKinds: []game.HintKind{game.HintSuggestion},
		Task: func(example string) bot.Line {
			return bot.Text("Which five cards are on the table? Guess them, the flop first: ",
				bot.Slash(Commands.Guess, "cards", example), ". How to play: ", bot.Slash(Commands.Rules), ".")
		},
		ShowsLeft: func(s game.Status) bool { return s == game.Playing },
		Hint:      hint,
		Answer: func(answer string) string {
			b, err := pokle.ParseBoard(answer)
			if err != nil {
				return answer
			}
			return b.String()
		},
		SkillMeans: "Skill: guesses still needed on average, against the best board; " +
			fmt.Sprintf("among more than %d boards, the information in the feedback.", boards.ByBitsAbove),
		Explain:   explain,
		HowToPlay: howToPlay,
	}
}

func tableOf(v face.View, s pokle.State) picture.PokerTable {
	table := picture.PokerTable{Deal: s.Deal(), Guesses: s.Guesses(), Attempts: pokle.Attempts, Left: v.LeftAfter(s.Used())}
	if v.Status() != game.Playing {
		hidden := s.Hidden()
		table.Hidden, table.Outcome = &hidden, face.OutcomeWords(v.Match)
	}
	if !v.Mode.Personal() {
		for _, m := range v.Moves {
			table.Players = append(table.Players, m.Name)
		}
	}
	return table
}

// tableLines are the lines of a match's table, with the players who made the guesses of one that is played together.
func tableLines(v face.View, table picture.PokerTable) []bot.Line {
	lines := PokerTableLines(table)
	guess := 0
	for i, line := range lines {
		if len(line.Tiles) > 0 {
			if !v.Mode.Personal() {
				line = line.With(" ", v.Moves[guess].Player)
			}
			guess++
		}
		line.Pictured = true
		lines[i] = line
	}
	return lines
}

// guessers is a line with the players who made the guesses, for a picture that lacks a name: a message can always
// mention them.
func guessers(v face.View, table picture.PokerTable) []bot.Line {
	if table.Names() {
		return nil
	}
	players := bot.Each(v.Moves, func(m game.Move) game.PlayerID { return m.Player })
	return []bot.Line{bot.List(bot.Text("Guesses by "), players, "").With(".")}
}

func hint(h game.Hint) bot.Line {
	s := h.Content.(boards.Suggestion)
	return bot.Text("Try ", bot.Spoiler(s.Board.String()), ". ", bot.Spoiler(BoardReason(s, pokle.Attempts-h.After)))
}

// equalBoard says why a board won that is not quite the hidden one.
func equalBoard(s pokle.State) string {
	guesses := s.Guesses()
	last := guesses[len(guesses)-1].Guess
	if last.Compare(s.Hidden()) == 0 {
		return ""
	}
	return fmt.Sprintf(" %v wins too: the same flop, the same ranks on turn and river, and the same places for everybody.", last)
}

func howToPlay() []bot.Line {
	guess, hidden := mustBoard("4c 4h qh ac jc"), mustBoard("4h 6c 9c ad jc")
	return []bot.Line{
		bot.Text(bot.Bold("Find the five cards on the table in six attempts."), " Three players hold two cards each, which you can see. The board is hidden: flop (three cards), turn and river. You also see who is 1st, 2nd and 3rd on each street, by the rules of Texas Hold'em. Equal hands share a place."),
		bot.Text("All eleven cards differ, and every card of the board counts: on some street it is part of somebody's hand, be it a pair, a straight, or just the highest card where there is nothing better. Kickers do not count, nor do the cards of a plain flush."),
		bot.Text("After each guess you see how close it was:"),
		CardTiles(pokle.Step{Guess: guess, Feedback: pokle.Score(guess, hidden)}),
		bot.Text("Green: the card is there (on the flop, in any of the three places). Yellow: the rank or the suit is right. Grey: neither. Flop, turn and river are compared separately. A board with the same flop whose turn and river have the right ranks wins too, if it leads to the same places."),
	}
}

// Guessable returns a board that may be guessed with the deal, as it is typed: this one, but with other cards in
// place of those that a player holds.
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

// CardTiles is the row of one guess of the poker game.
func CardTiles(g pokle.Step) bot.Line {
	line := bot.Line{Wide: true}
	for i, card := range g.Guess {
		line.Tiles = append(line.Tiles, bot.Tile{Text: card.String(), Mark: g.Feedback.Mark(i), Apart: i >= pokle.Flop.Cards(), Ink: inkOf(card)})
	}
	return line
}

// inkOf is the colour of a card's suit in a pack of four colours.
func inkOf(c pokle.Card) bot.Ink {
	return [...]bot.Ink{pokle.Clubs: bot.GreenInk, pokle.Diamonds: bot.BlueInk, pokle.Hearts: bot.RedInk, pokle.Spades: bot.BlackInk}[c.Suit()]
}
