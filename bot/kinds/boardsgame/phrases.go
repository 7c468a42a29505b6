package boardsgame

import (
	"fmt"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/wordle"
)

func (g *Game) phrases() face.Phrases {
	title := bot.Capital(string(g.kind))
	command := func(what string) string { return string(g.kind) + " " + what }
	row := func(hidden string) bot.Line {
		crane := wordle.MustParse("crane")
		return wordgame.LetterTiles(wordle.Turn{Guess: crane, Feedback: wordle.Score(crane, wordle.MustParse(hidden))})
	}
	return face.Phrases{
		Kind:  g.kind,
		Title: title,
		Noun:  "word",
		About: fmt.Sprintf("Several words at once: each guess goes on %s boards", g.all),
		Commands: face.Commands{
			Start: command("start"), Guess: command("guess"), Hint: command("hint"), Board: command("board"), Stop: command("stop"),
			Stats: command("stats"), Rules: command("rules"), Race: command("race"),
		},
		StartHelp: fmt.Sprintf("Start %s: find the words on %s boards", title, g.all),
		GuessHelp: fmt.Sprintf("Guess a word on %s boards", g.all),
		HintHelp:  "Get a hint (in a daily it counts as a guess)",
		BoardHelp: "Show the boards again",
		StopHelp:  "Give up a game and see the words",
		StatsHelp: fmt.Sprintf("This server's %s leaderboard, or a player's card", title),
		RulesHelp: "How to play " + title,
		Guess:     bot.Option{Name: "word", Help: "Five letters", Required: true, Prompt: "Type a word of five letters"},
		FormTitle: "Guess a word", FormLabel: "Five letters", MostTyped: 30,
		Sample:        row("chore"),
		HintKinds:     []game.HintKind{game.HintSuggestion, game.HintLetter},
		HintKindsHelp: "suggestion: the best word to try; letter: one on a board that is open",
		Task:          fmt.Sprintf("Find the words on %s boards", g.all),
		ShowsAnswer:   true,
		NotFound:      "The words were ",
		HowToPlay: []bot.Line{
			bot.Text(fmt.Sprintf("Find the five-letter words on %s boards in %d guesses. ", g.all, g.Attempts()),
				"Each guess goes on every board, and shows how close you are there:"),
			row("carve").With(" on one board"),
			row("ocean").With(" on another"),
			bot.Text("Green: in its place. Yellow: elsewhere in the word. Grey: no more of it in the word. A board is done once its word is found."),
		},
	}
}
