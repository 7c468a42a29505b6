package solve

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/solver"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

var back = []bot.Button{{Label: "Back", Style: bot.ButtonPrimary, Command: bot.NameSolveShow}}

// topReply lists the words proposed, each with a button that chooses it, and has buttons for all else
// that is rarely asked for. It shows the puzzle if no word is proposed.
func topReply(v solve.WordView) bot.Reply {
	p, by := v.Puzzle, rankedBy[v.Puzzle.Setup.Strategy]
	if len(p.Proposed) == 0 {
		return showWords(v)
	}
	last := strings.ToLower(p.Proposed[len(p.Proposed)-1].Word.String()) // as an example
	lines := []bot.Line{
		bot.Text(bot.Bold("The best words to try"), fmt.Sprintf(" for guess %d. Choose one with ", len(p.Turns)+1), bot.Slash(bot.NameSolveNext, "guess", last), "."),
		bot.Mono(fmt.Sprintf("       groups  expected  worst  chance  %7s", by.title)),
	}
	var rows [][]bot.Button
	for i, a := range p.Proposed {
		itself := "-"
		switch {
		case a.Chance >= slight:
			itself = fmt.Sprintf("%.1f%%", 100*a.Chance)
		case a.Chance > 0:
			itself = "<0.1%"
		}
		lines = append(lines, bot.Mono(fmt.Sprintf("%v  %6d  %8.1f  %5d  %6s  %7s", a.Word, a.Groups, a.Expected, a.Worst, itself, by.write(a))))
		if i%5 == 0 {
			rows = append(rows, nil)
		}
		row := &rows[len(rows)-1]
		*row = append(*row, bot.Button{
			Label: a.Word.String(), Command: bot.NameSolveNext,
			Args: map[string]string{"guess": strings.ToLower(a.Word.String()), argAt: strconv.FormatUint(v.Version, 10)},
		})
	}
	lines = append(lines, bot.Text("Groups: how many different kinds of feedback the word can get. Expected and worst: how many words are left then. ",
		"Chance: that it is the word. ", by.means))
	hard := bot.Button{Label: "Hard mode", Command: bot.NameSolveHard}
	if p.Setup.Hard {
		hard.Label, hard.Args = anyWord, map[string]string{"off": "true"}
	}
	var ways []bot.Button
	for _, name := range solver.StrategyNames() {
		ways = append(ways, bot.Button{
			Label: bot.Capital(name), Command: bot.NameSolveStrategy, Args: map[string]string{"name": name},
			Disabled: name == cmp.Or(p.Setup.Strategy, solver.Optimal),
		})
	}
	more := []bot.Button{back[0], {Label: "Words that fit", Command: bot.NameSolveWords}, hard, {Label: "My record", Command: bot.NameSolveRecord}}
	return bot.Reply{Lines: lines, Buttons: append(rows, more, ways), InPlace: true}
}

const anyWord = "Leave hard mode"

// column is the figure that a strategy ranks words by.
type column struct {
	title string // at most seven characters
	unit  string // of the figure, as a format
	means string // under the list
	about string // what the figure of a word is, as a format
}

func (c column) write(a weighted.Suggestion) string {
	switch {
	case c == guesses && a.Guesses == 0:
		return "-"
	case c == guesses:
		return fmt.Sprintf(c.unit, a.Guesses)
	case c.unit == percent:
		return fmt.Sprintf(c.unit, 100*a.Measure)
	}
	return fmt.Sprintf(c.unit, a.Measure)
}

const percent, decimals = "%.1f%%", "%.2f"

var guesses = column{title: "guesses", unit: decimals, means: "Ranked by guesses: how many more on average, where worked out."}

// rankedBy has the columns by strategy.
var rankedBy = map[string]column{
	"": guesses, solver.Optimal: guesses,
	"expected": {"average", percent, "Ranked by average: how likely the words left then are together, on average.",
		"%v leaves words that have %s of all chances, on average."},
	"entropy": {"bits", decimals, "Ranked by bits: how much the feedback says on average; finding the word at once is worth one more.",
		"The feedback for %v is worth %s bits."},
	"minimax": {"likely", percent, "Ranked by likely: the chance of the likeliest feedback.",
		"The likeliest feedback for %v has a chance of %s."},
	strategyParts: {"in two", percent, "Ranked by in two: the chance to find the word by the guess after; finding it at once counts twice.",
		"With %v, the word is found by the guess after with a chance of %s."},
}

const strategyParts = "parts"

// mostWords is how many words a reply lists: what Discord has room for.
const mostWords = 100

// wordsReply lists the words that fit, or shows the puzzle if there are none.
func wordsReply(v solve.WordView) bot.Reply {
	n := len(v.Possible)
	if n == 0 {
		return showWords(v)
	}
	all := slices.SortedStableFunc(slices.Values(v.Possible), func(a, b weighted.Possible) int { return cmp.Compare(b.Chance, a.Chance) })
	shown := all[:min(n, mostWords)]
	text := chances(shown)
	if n > len(shown) {
		text += fmt.Sprintf(", and %d more", n-len(shown))
	}
	text += "."
	if shown[len(shown)-1].Chance < slight {
		text += " Those without a figure have a chance of less than 0.1% each."
	}
	fit := bot.Plural(n, "word") + " fit"
	if n == 1 {
		fit = "1 word fits"
	}
	return bot.Reply{Lines: []bot.Line{bot.Text(bot.Bold(fit), ", most likely first: "+text)}, Buttons: [][]bot.Button{back}, InPlace: true}
}
