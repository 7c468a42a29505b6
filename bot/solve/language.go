package solve

import (
	"errors"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/kinds/pokergame"
	"fivefold/game/marks"
	"fivefold/game/wordle"
)

// Language is how a person types who gets nothing but help with puzzles of a kind: its commands
// without their beginning, and guesses and feedback without any command.
type Language struct {
	Group string            // that may be typed in front of any command
	Words map[string]string // what can be typed, with what it is short for
	Entry string            // what guesses and feedback are for
	// IsEntry reports whether a line that begins with none of the words seems to be a guess,
	// feedback or a deal, perhaps with a mistake in it. Begins is as in [face.Typing].
	IsEntry func(line string) bool
	Begins  func(words []string) int
	About   string   // what all this is, in the help
	Notes   []string // how feedback and guesses are written
	Lines   []TypedLine
}

// TypedLine says what a line that can be typed does.
type TypedLine struct{ Typed, Does string }

// WordLanguage is that of word puzzles.
var WordLanguage = Language{
	Group: "solve",
	Words: map[string]string{
		"next": bot.NameSolveNext, "show": bot.NameSolveShow, "undo": bot.NameSolveUndo, "change": bot.NameSolveChange,
		"top": bot.NameSolveTop, "words": bot.NameSolveWords, "hard": bot.NameSolveHard, "strategy": bot.NameSolveStrategy,
		"new": bot.NameSolveNew, "record": bot.NameSolveRecord,
	},
	Entry:   bot.NameSolveNext,
	IsEntry: isWordEntry,
	About:   "Help with a word puzzle that you play elsewhere: I propose a word, you guess it there and type the feedback it got, and so on.",
	Notes: []string{
		"Feedback is b for black or grey, y for yellow and g for green, in the order of the letters. 0, 1 and 2, the squares of a shared result, and colours in words work too.",
	},
	Lines: []TypedLine{
		{"bbygb", "the feedback for the word proposed"},
		{"crane", "choose another word"},
		{"crane bbygb", "another word and its feedback; crane:bbygb too"},
		{"next, show", "see where you are"},
		{"undo", "take back the last line"},
		{"change 2 bbygb", "correct the feedback of line 2"},
		{"top", "the ten best words, with figures"},
		{"words", "the words that fit, most likely first"},
		{"hard, hard off", "keep to hard mode, or leave it"},
		{"strategy minimax", "how to choose; or optimal, expected, entropy, parts"},
		{"new, new hard", "begin another puzzle"},
		{"record", "how many puzzles you have solved"},
	},
}

// BoardLanguage is that of puzzles of the poker game.
var BoardLanguage = Language{
	Group:   "pokle",
	Words:   map[string]string{"next": pokergame.NameSolve, "show": pokergame.NameSolve, "undo": pokergame.NameSolve + " undo", "new": pokergame.NameSolve + " new"},
	Entry:   pokergame.NameSolve,
	IsEntry: isBoardEntry,
	Begins:  pokergame.Begins,
	About:   "Help with a poker puzzle that you play elsewhere: I propose a board, you guess it there and type the feedback it got, and so on.",
	Notes: []string{
		"A deal is two cards of player 1, 2 and 3, then their places on the flop, on the turn and on the river. Equal hands share a place, as in 112.",
		"Cards are 2 to 10, J, Q, K and A with C ♣, D ♦, H ♥ or S ♠.",
		"Feedback is g for green, y for yellow and e for grey, in the order of the cards. 0, 1 and 2, the squares of a shared result, and colours in words work too.",
	},
	Lines: []TypedLine{
		{ExampleDeal, "begin with a deal"},
		{"gyeyg", "the feedback for the board proposed"},
		{"4C 4H QH AC JC", "choose another board: the flop, then turn and river"},
		{ExampleStep, "another board and its feedback; a colon between them is fine"},
		{"next, show", "see where you are"},
		{"undo", "take back the last guess"},
		{"new", "begin with a new deal"},
	},
}

// onlyMarks reports whether a text consists of marks alone, however many.
func onlyMarks(text string) bool {
	_, err := marks.Parse(text)
	fault, ok := errors.AsType[*marks.Error](err)
	return err == nil || ok && fault.Unknown == 0 && fault.Marks > 0
}

// isWordEntry is [Language.IsEntry] for words.
func isWordEntry(line string) bool {
	guess, rest, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, ":", " ")), " ")
	_, err := wordle.ParseWord(guess)
	return err == nil || onlyMarks(line) || strings.TrimSpace(rest) != "" && (onlyMarks(rest) || slices.Contains([]string{"feedback", "guess"}, strings.ToLower(guess)))
}

// isBoardEntry is [Language.IsEntry] for boards.
func isBoardEntry(line string) bool {
	words := strings.Fields(strings.ReplaceAll(line, ":", " "))
	return onlyMarks(line) || len(words) > 0 && slices.Contains([]string{"feedback", "deal", "guess"}, strings.ToLower(words[0])) ||
		slices.ContainsFunc(words, func(word string) bool { return pokergame.Begins([]string{word}) > 0 })
}
