package pokergame

import (
	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/pokle"
)

// example is a guess of five different cards.
const example = "2c 3d 10h 4s ks"

// Commands are the names of the game's commands.
var Commands = face.Commands{
	Start: "pokle start", Guess: "pokle guess", Hint: "pokle hint", Board: "pokle board", Stop: "pokle stop", Stats: "pokle stats", Rules: "pokle rules",
}

// NameSolve is the command that helps with puzzles from elsewhere.
const NameSolve = "pokle solve"

func phrases() face.Phrases {
	tiles := func(guess, hidden pokle.Board) bot.Line {
		return CardTiles(pokle.Step{Guess: guess, Feedback: pokle.Score(guess, hidden)})
	}
	return face.Phrases{
		Kind:      Kind,
		Title:     "Pokle",
		Noun:      "board",
		About:     "The poker game: find the five cards on the table",
		Commands:  Commands,
		StartHelp: "Start Pokle: find the five cards on the table",
		GuessHelp: "Guess the five cards on the table",
		HintHelp:  "Get a hint (in a daily it counts as a guess)",
		BoardHelp: "Show the table again",
		StopHelp:  "Give up a game and see the board",
		StatsHelp: "This server's Pokle leaderboard, or a player's card",
		RulesHelp: "How to play Pokle",
		Guess: bot.Option{
			Name: "cards", Help: "Five cards: the flop in any order, turn, river, such as 2c 3d 10h 4s ks",
			Prompt: "Type five cards, first the three of the flop, such as 2c 3d 10h 4s ks",
		},
		FormTitle: "Guess the five cards", FormLabel: "Flop in any order, turn, river", MostTyped: 100,
		Sample: tiles(mustBoard("2c 10d ah 4s ks"), mustBoard("2c 10c 8c 9c ks")),
		Dealt:  true, Headings: "flop               turn   river",
		HintKinds: []game.HintKind{game.HintSuggestion},
		Task:      "Find the five cards on the table",

		LeftWhilePlaying: true, ShowsAnswer: true,
		HowToPlay: []bot.Line{
			bot.Text("Find the five cards on the table in six guesses: the flop (three cards), the turn and the river. You see the hands of three players, and who is 1st, 2nd and 3rd on each street of Texas Hold'em. Equal hands share a place."),
			bot.Text("All eleven cards differ. Every card on the table counts in somebody's hand on some street: in a pair, in a straight, or as the highest card where there's nothing better. Kickers don't count, nor do the cards of a plain flush."),
			bot.Text("Each guess shows how close you are:"),
			tiles(mustBoard("4c 4h qh ac jc"), mustBoard("4h 6c 9c ad jc")),
			bot.Text("Green: the right card (on the flop, in any of the three places). Yellow: the right rank or suit. Grey: neither. Flop, turn and river are compared separately."),
			bot.Text("The right flop with the right ranks on turn and river wins too, if the places are the same."),
		},
	}
}
