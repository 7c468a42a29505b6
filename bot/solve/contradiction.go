package solve

import (
	"fmt"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

func contradictionLines(v solve.WordView) []bot.Line {
	c := v.Contradiction
	why := fmt.Sprintf(" Most likely one mark in line %d is wrong.", c.Turn)
	switch {
	case c.Turn == 0:
		why = " Correcting a single line is not enough."
	case c.Alone:
		why = fmt.Sprintf(" No word fits line %d, even on its own.", c.Turn)
	}
	lines := []bot.Line{bot.Text(bot.Bold("No word I know fits this feedback."), why)}
	if len(c.Nearest) > 0 {
		lines = append(lines, bot.Text(fmt.Sprintf("Line %d may have been:", c.Turn)))
		for _, near := range c.Nearest {
			some := shown(near.Possible)
			words := bot.Each(some[:min(likeliest, len(some))], func(w weighted.Possible) string { return w.Word.String() })
			if len(near.Possible) > len(words) {
				words = append(words, "…")
			}
			turn := wordle.Turn{Guess: v.Words.Turns[c.Turn-1].Guess, Feedback: near.Feedback}
			lines = append(lines, turnLine(turn).With(": "+bot.Plural(len(near.Possible), "word")+" would fit, "+strings.Join(words, ", ")))
		}
	}
	if c.Unlisted {
		return append(lines, bot.Text("If every mark is right, the word is just not in my list. Then go on with words of your own: ",
			slashOwn, "."))
	}
	return append(lines, bot.Text("No five letters at all give this feedback, so one mark must be wrong."))
}

func slashChange(line int, to marks.Feedback) bot.Span {
	return bot.Slash(bot.NameSolveChange, "line", strconv.Itoa(line), "feedback", letterMarks.write(to))
}
