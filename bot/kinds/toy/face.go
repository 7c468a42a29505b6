package toy

import (
	"fmt"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds"
	"fivefold/game"
	"fivefold/game/marks"
)

// Game returns the kind.
func Game() kinds.Kind { return kinds.Kind{Rules: Rules(), Codec: Codec, Face: Face()} }

// Face returns the face of the game.
func Face() face.Face {
	return face.Typed[State, string]{
		Words: face.Words{
			Kind: Kind, Title: "Toy", Noun: "letter", About: "The toy game: find a letter",
			Commands: face.Commands{
				Start: "toy start", Guess: "toy guess", Hint: "toy hint", Board: "toy board", Stop: "toy stop", Stats: "toy stats", Rules: "toy rules",
			},
			StartHelp: "Start", GuessHelp: "Guess", HintHelp: "Hint", BoardHelp: "Board", StopHelp: "Stop", StatsHelp: "Stats", RulesHelp: "Rules",
			Guess:     bot.Option{Name: "letter", Help: "A letter", Required: true},
			FormTitle: "Guess", FormLabel: "A letter", MostTyped: 10,
			Example: "m",
			Sample:  "m",
			Typing: face.Typing{
				Goal: "hidden letter", Begin: "Type a letter to begin.", What: "a letter", Help: "To guess, type a letter.",
				Fits: func(typed string) bool { return len(typed) < 2 }, Tiles: func(typed string) ([]string, bool) { return strings.Split(typed, ""), true },
			},
			Complete:   func(func() game.State, string) []bot.Choice { return nil },
			HintKinds:  []game.HintKind{game.HintSuggestion},
			Task:       func(string) bot.Line { return bot.Text("Find the letter.") },
			ShowsLeft:  func(game.Status) bool { return true },
			Hint:       func(h game.Hint) bot.Line { return bot.Text("Try ", h.Content.(Hint).Letter, ".") },
			Answer:     func(answer string) string { return "letter " + answer },
			SkillMeans: "Skill: how close the guess was.",
			Explain: func(err error) error {
				return bot.RefuseAs(err, map[error]bot.Line{errLetter: bot.Text("Try another letter. ", bot.NoAttempt)})
			},
			HowToPlay: func() []bot.Line { return []bot.Line{bot.Text("Find the letter.")} },
		},
		Read:  func(typed string) (string, error) { return typed, nil },
		Turns: State.Turns,
		Tiles: func(t marks.Turn[string]) bot.Line { return bot.Text(t.Guess) },
		Same:  func(a, b string) bool { return a == b },
		Write: func(letter string) string { return letter },
		Board: func(v face.View, s State) (board, below []bot.Line) { return guesses(v, s), nil },
		Aside: func(State) face.Aside { return face.Aside{} },
		Step:  guesses,
	}.Face()
}

func guesses(v face.View, s State) []bot.Line {
	made := ""
	for _, t := range s.Turns() {
		made += t.Guess
	}
	return []bot.Line{bot.Text(fmt.Sprintf("Guesses %q, %d left.", made, v.LeftAfter(s.Used())))}
}
