package toy

import (
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/solver/grade"
)

// Face returns the face of the toy.
func (Game) Face() face.Face {
	return face.Face{Display: Game{}, Phrases: face.Phrases{
		Kind: Kind, Title: "Toy", Noun: "letter", About: "The toy game: find a letter",
		Commands: face.Commands{
			Start: "toy start", Guess: "toy guess", Hint: "toy hint", Board: "toy board", Stop: "toy stop", Stats: "toy stats", Rules: "toy rules",
		},
		StartHelp: "Start", GuessHelp: "Guess", HintHelp: "Hint", BoardHelp: "Board", StopHelp: "Stop", StatsHelp: "Stats", RulesHelp: "Rules",
		Guess:     bot.Option{Name: "letter", Help: "A letter", Required: true},
		FormTitle: "Guess", FormLabel: "A letter", MostTyped: 10,
		Sample:    bot.Text("m"),
		HintKinds: []game.HintKind{game.HintSuggestion},
		Task:      "Find the letter", LeftWhilePlaying: true,
		HowToPlay: []bot.Line{bot.Text("Find the letter.")},
	}}
}

func (Game) Read(string) (listed bool, err error) { return true, nil }

func (Game) Attempt(s game.State, typed string) int {
	return 1 + slices.IndexFunc(s.(State).Turns(), func(t marks.Turn[string]) bool { return t.Guess == typed })
}

func (Game) Tiles(typed string) face.TypedTiles {
	return face.TypedTiles{Texts: strings.Split(typed, ""), Whole: true, Fits: len(typed) < 2}
}
func (Game) Example(game.State) string { return "m" }
func (Game) Guesses(s game.State) []face.Guess {
	return face.Guesses(s.(State).Turns(), write, tile)
}
func (Game) Draw(v face.View) face.Drawing {
	made := ""
	for _, t := range v.State.(State).Turns() {
		made += t.Guess
	}
	return face.Drawing{Board: []bot.Block{bot.Text(fmt.Sprintf("Guesses %q, %d left.", made, v.LeftAfter(v.Used())))}}
}
func (Game) HintLine(h game.Hint) bot.Line { return bot.Text("Try ", h.Content.(Hint).Letter, ".") }
func (Game) Judge(_ game.State, r game.Review) face.Judgements {
	return face.Judge(r.(grade.Review[string]), write, tile)
}
func (Game) ExplainRules(err error) error {
	return bot.RefuseAs(err, map[error]bot.Line{errLetter: bot.Text("Try another letter. ", bot.NoAttempt)})
}

func write(letter string) string         { return letter }
func tile(t marks.Turn[string]) bot.Line { return bot.Text(t.Guess) }
