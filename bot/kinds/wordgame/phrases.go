package wordgame

import (
	"context"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/wordle"
)

// Commands are the names of the game's commands.
var Commands = face.Commands{
	Start: "wordle start", Guess: "guess", Hint: "hint", Board: "wordle board", Stop: "wordle stop", Stats: "stats", Rules: bot.NameHelp,
	Race: "wordle race", Challenge: "wordle challenge",
}

func (g *Game) phrases() face.Phrases {
	crane := wordle.MustParse("crane")
	return face.Phrases{
		Kind:         Kind,
		Noun:         "word",
		About:        "The five-letter word game",
		Commands:     Commands,
		StartHelp:    "Start a game, with everybody here or solo",
		GuessHelp:    "Guess the hidden word",
		HintHelp:     "A hint; the end of the game shows who took which, and in a daily puzzle it counts as one guess more",
		BoardHelp:    "Show the board again",
		StopHelp:     "Stop a game you started or moderate, and show the word",
		StatsHelp:    "The leaderboard here, or a player's card",
		RulesHelp:    "How to play, and every command",
		StartOptions: []bot.Option{{Name: "hard", Help: "Hard mode: later guesses must use every clue", Kind: bot.FlagOption}},
		Guess:        bot.Option{Name: "word", Help: "Five letters", Required: true, Prompt: "Type a word of five letters"},
		FormTitle:    "Guess the word", FormLabel: "Five letters", MostTyped: 30,
		Sample:        LetterTiles(wordle.Turn{Guess: crane, Feedback: wordle.Score(crane, wordle.MustParse("chore"))}),
		Typing:        face.Typing{},
		HintKinds:     []game.HintKind{game.HintSuggestion, game.HintLetter, game.HintPosition},
		HintKindsHelp: "suggestion: the best word to try; letter: one of the word; position: one letter in its place",
		Task:          "Find the five-letter word",
		Search: &bot.Option{
			Name: "word", Help: "Only games with this hidden word", Prompt: "Type a word of five letters",
			Complete: func(_ context.Context, _ bot.Request, typed string) []bot.Choice {
				return CompleteWord(g.lists, typed, NoGame)
			},
		},
		PlaysOn:    true,
		SkillMeans: "Skill: guesses still needed on average, against the best guess.",
		HowToPlay: []bot.Line{
			bot.Text(bot.Bold("Find the hidden five-letter word in six attempts."), " Everybody here may guess. After each guess you see how close it was:"),
			LetterTiles(wordle.Turn{Guess: crane, Feedback: wordle.Score(crane, wordle.MustParse("carve"))}),
			bot.Text("Green (here C and E): the letter is in its place. Yellow (R and A): the word has it elsewhere. Black (N): the word has no more of it."),
			bot.Text("In hard mode green letters must stay, and every coloured letter must be used again."),
			bot.Text("In a challenge whose word is in no list, any five letters are a guess."),
		},
	}
}
