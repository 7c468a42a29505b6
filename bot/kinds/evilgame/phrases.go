package evilgame

import (
	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/wordle"
)

// Commands are the names of the game's commands.
var Commands = face.Commands{
	Start: "evil start", Guess: "evil guess", Hint: "evil hint", Board: "evil board", Stop: "evil stop", Stats: "evil stats", Rules: "evil rules",
	Race: "evil race",
}

func phrases() face.Phrases {
	crane := wordle.Turn{Guess: wordle.MustParse("crane"), Feedback: wordle.Score(wordle.MustParse("crane"), wordle.MustParse("carve"))}
	return face.Phrases{
		Kind:      Kind,
		Title:     "Evil",
		Noun:      "word",
		About:     "The word that dodges: corner it",
		Commands:  Commands,
		StartHelp: "Start Evil: corner a word that dodges your guesses",
		GuessHelp: "Guess the word that dodges",
		HintHelp:  "Get a hint (in a daily it counts as a guess)",
		BoardHelp: "Show the board again",
		StopHelp:  "Give up a game and see a word that was left",
		StatsHelp: "This server's Evil leaderboard, or a player's card",
		RulesHelp: "How to play Evil",
		Guess:     bot.Option{Name: "word", Help: "Five letters", Prompt: "Type a word of five letters"},
		FormTitle: "Guess the word", FormLabel: "Five letters", MostTyped: 30,
		Sample:    wordgame.LetterTiles(crane),
		HintKinds: []game.HintKind{game.HintSuggestion},
		Task:      "Corner the dodging word",
		NotFound:  "It could still have been ",

		LeftWhilePlaying: true,
		HowToPlay: []bot.Line{
			bot.Text("No word is hidden. The word dodges: each guess gets the marks that keep the most words possible, ",
				"until your guess is the only one left. You have 13 guesses; fewest win."),
			wordgame.LetterTiles(crane),
			bot.Text("Green (C, E): in its place. Yellow (R, A): elsewhere in the word. Grey (N): no more of it in the word."),
			bot.Text("Of marks that keep as many, those with the fewest greens come, then those with the fewest yellows. ",
				"Else the first place that differs decides: grey before yellow before green."),
			bot.Text("The daily puzzle begins with a word that's already guessed, the same for everyone. It doesn't count as a guess."),
		},
	}
}
