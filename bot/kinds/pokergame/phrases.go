package pokergame

import (
	"fmt"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/solver/boards"
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
		Sample: tiles(mustBoard("2c 10d ah 4s ks"), mustBoard("2c 10c 8c 9c ks")),
		Typing: face.Typing{
			Dealt:    true,
			Headings: "flop               turn   river",
		},
		HintKinds: []game.HintKind{game.HintSuggestion},
		Task:      "Which five cards are on the table? Guess them, the flop first",
		Guided:    true, LeftWhilePlaying: true, Pictured: true,
		SkillMeans: "Skill: guesses still needed on average, against the best board; " +
			fmt.Sprintf("among more than %d boards, the information in the feedback.", boards.ByBitsAbove),
		HowToPlay: []bot.Line{
			bot.Text(bot.Bold("Find the five cards on the table in six attempts."), " Three players hold two cards each, which you can see. The board is hidden: flop (three cards), turn and river. You also see who is 1st, 2nd and 3rd on each street, by the rules of Texas Hold'em. Equal hands share a place."),
			bot.Text("All eleven cards differ, and every card of the board counts: on some street it is part of somebody's hand, be it a pair, a straight, or just the highest card where there is nothing better. Kickers do not count, nor do the cards of a plain flush."),
			bot.Text("After each guess you see how close it was:"),
			tiles(mustBoard("4c 4h qh ac jc"), mustBoard("4h 6c 9c ad jc")),
			bot.Text("Green: the card is there (on the flop, in any of the three places). Yellow: the rank or the suit is right. Grey: neither. Flop, turn and river are compared separately. A board with the same flop whose turn and river have the right ranks wins too, if it leads to the same places."),
		},
	}
}
