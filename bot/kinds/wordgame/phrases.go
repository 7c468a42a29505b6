package wordgame

import (
	"context"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
)

// Commands are the names of the game's commands.
var Commands = face.Commands{
	Start: "wordle start", Guess: "guess", Hint: "hint", Board: "wordle board", Stop: "wordle stop", Stats: "stats", Rules: bot.NameHelp,
	Race: "wordle race", Challenge: "wordle challenge",
}

// HardOption chooses hard mode.
var HardOption = bot.Option{Name: "hard", Help: "hard: use every clue; ultra: only words that can still be the answer", Choices: marks.HardnessNames}

func (g *Game) phrases() face.Phrases {
	crane := wordle.MustParse("crane")
	return face.Phrases{
		Kind:         Kind,
		Noun:         "word",
		About:        "The five-letter word game",
		Commands:     Commands,
		StartHelp:    "Start a game with everyone here, or alone",
		GuessHelp:    "Guess the hidden word",
		HintHelp:     "Get a hint (in a daily it counts as a guess)",
		BoardHelp:    "Show the board again",
		StopHelp:     "Give up a game and see the word",
		StatsHelp:    "This server's leaderboard, or a player's card",
		RulesHelp:    "How to play, and what there is to play",
		StartOptions: []bot.Option{HardOption},
		Guess:        bot.Option{Name: "word", Help: "Five letters", Required: true, Prompt: "Type a word of five letters"},
		FormTitle:    "Guess the word", FormLabel: "Five letters", MostTyped: 30,
		Sample:        LetterTiles(wordle.Turn{Guess: crane, Feedback: wordle.Score(crane, wordle.MustParse("chore"))}),
		HintKinds:     []game.HintKind{game.HintSuggestion, game.HintLetter, game.HintPosition},
		HintKindsHelp: "suggestion: the best word to try; letter: one in the word; position: a letter in its place",
		Task:          "Find the five-letter word",
		Search: &bot.Option{
			Name: "word", Help: "Only games with this word", Prompt: "Type a word of five letters",
			Complete: func(_ context.Context, _ bot.Request, typed string) []bot.Choice {
				return CompleteWord(g.lists, typed, NoGame)
			},
		},
		PlaysOn: true,
		HowToPlay: []bot.Line{
			bot.Text("Find the five-letter word in six guesses. Each guess shows how close you are:"),
			LetterTiles(wordle.Turn{Guess: crane, Feedback: wordle.Score(crane, wordle.MustParse("carve"))}),
			bot.Text("Green (C, E): in its place. Yellow (R, A): elsewhere in the word. Grey (N): no more of it in the word."),
			bot.Text("In hard mode, green letters stay and yellow ones must be used again. In ultra-hard mode, yellow ones also move and grey ones stay out."),
		},
	}
}
