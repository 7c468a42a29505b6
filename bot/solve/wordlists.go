package solve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

func (h *Handlers) top(ctx context.Context, r bot.Request) (bot.Reply, error) {
	v, err := h.Words.Show(ctx, r.Origin())
	if err != nil || len(v.Puzzle.Proposed) == 0 {
		return showWords(v), err
	}
	return topReply(v), nil
}

// back is the button from a list of words to the puzzle.
var back = []bot.Button{{Label: "Back", Style: bot.ButtonPrimary, Command: bot.NameSolveNext}}

// topReply lists the words proposed, each with a button that chooses it.
func topReply(v solve.WordView) bot.Reply {
	p := v.Puzzle
	last := strings.ToLower(p.Proposed[len(p.Proposed)-1].Word.String()) // as an example
	lines := []bot.Line{
		bot.Text(bot.Bold("The best words to try"), fmt.Sprintf(" for guess %d. Choose one with ", len(p.Turns)+1), bot.Slash(bot.NameSolveNext, "guess", last), "."),
		bot.Mono(fmt.Sprintf("       groups  expected  worst  chance  %7s", rankedBy(p.Setup.Strategy).title)),
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
		lines = append(lines, bot.Mono(fmt.Sprintf("%v  %6d  %8.1f  %5d  %6s  %7s", a.Word, a.Groups, a.Expected, a.Worst, itself, rankedBy(p.Setup.Strategy).write(a))))
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
		"Chance: that it is the word. ", rankedBy(p.Setup.Strategy).means))
	return bot.Reply{Lines: lines, Buttons: append(rows, back), InPlace: true}
}

// column is the figure that a strategy ranks words by.
type column struct {
	title string // at most seven characters
	write func(weighted.Suggestion) string
	means string // under the list
	// about says what the figure of a word is, unless the reason for the word does.
	about func(weighted.Suggestion) string
}

// rankedBy returns the column of a strategy.
func rankedBy(strategy string) column {
	share := func(a weighted.Suggestion) string { return fmt.Sprintf("%.1f%%", 100*a.Measure) }
	bits := func(a weighted.Suggestion) string { return fmt.Sprintf("%.2f", a.Measure) }
	switch strategy {
	case "expected":
		return column{"average", share, "Ranked by average: how likely the words left then are together, on average.",
			func(a weighted.Suggestion) string {
				return fmt.Sprintf("%v leaves words that have %s of all chances, on average.", a.Word, share(a))
			}}
	case "entropy":
		return column{"bits", bits, "Ranked by bits: how much the feedback says on average; finding the word at once is worth one more.",
			func(a weighted.Suggestion) string {
				return fmt.Sprintf("The feedback for %v is worth %s bits.", a.Word, bits(a))
			}}
	case "minimax":
		return column{"likely", share, "Ranked by likely: the chance of the likeliest feedback.",
			func(a weighted.Suggestion) string {
				return fmt.Sprintf("The likeliest feedback for %v has a chance of %s.", a.Word, share(a))
			}}
	case "parts":
		return column{"in two", share, "Ranked by in two: the chance to find the word by the guess after; finding it at once counts twice.",
			func(a weighted.Suggestion) string {
				return fmt.Sprintf("With %v, the word is found by the guess after with a chance of %.1f%%.", a.Word, 100*(a.Measure-a.Chance))
			}}
	}
	return column{title: "guesses", means: "Ranked by guesses: how many more on average, where worked out.", write: func(a weighted.Suggestion) string {
		if a.Guesses == 0 {
			return "-"
		}
		return fmt.Sprintf("%.2f", a.Guesses)
	}}
}

// mostWords is how many words a reply lists: what Discord has room for.
const mostWords = 100

func (h *Handlers) words(ctx context.Context, r bot.Request) (bot.Reply, error) {
	v, err := h.Words.Show(ctx, r.Origin())
	n := len(v.Possible)
	if err != nil || n == 0 {
		return showWords(v), err
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
	return bot.Reply{Lines: []bot.Line{bot.Text(bot.Bold(fit), ", most likely first: "+text)}, Buttons: [][]bot.Button{back}, InPlace: true}, nil
}
