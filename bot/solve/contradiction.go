package solve

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

// contradictionLines says which line is most likely wrong, and what it may have been. The player can enter words by own.
func contradictionLines(v solve.WordView, own bot.Span) (heading, subtext bot.Line, after []bot.Line) {
	c := v.Contradiction
	heading, subtext = bot.Text("No word I know fits"), bot.Text(fmt.Sprintf("Most likely one mark in line %d is wrong.", c.Turn))
	switch {
	case c.Turn == 0:
		subtext = bot.Text("More than one line is wrong.")
	case c.Alone:
		subtext = bot.Text(fmt.Sprintf("No word fits line %d, even on its own.", c.Turn))
	}
	if len(c.Nearest) > 0 {
		after = append(after, bot.Text(fmt.Sprintf("Line %d may have been:", c.Turn)))
		for _, near := range c.Nearest {
			some := shown(near.Possible)
			words := bot.Each(some[:min(likeliest, len(some))], func(w weighted.Possible) string { return w.Word.String() })
			if len(near.Possible) > len(words) {
				words = append(words, "…")
			}
			turn := wordle.Turn{Guess: v.Words.Turns[c.Turn-1].Guess, Feedback: near.Feedback}
			after = append(after, wordgame.LetterTiles(turn).With(" "+letterMarks.write(near.Feedback)+": "+strings.Join(words, ", ")))
		}
	}
	if c.Unlisted {
		return heading, subtext, append(after, bot.Text("If every mark is right, the word isn't in my list. Go on with words of your own: ", own, "."))
	}
	return heading, subtext, append(after, bot.Text("No five letters get these marks, so one of them is wrong."))
}

// corrections are the buttons that correct a line, as the version of the session is.
func corrections(v solve.WordView, where string, args map[string]string) []bot.Button {
	return bot.Each(v.Contradiction.Nearest, func(n solve.Correction) bot.Button {
		all := maps.Clone(args)
		all["line"], all["feedback"] = strconv.Itoa(v.Contradiction.Turn), letterMarks.write(n.Feedback)
		return bot.Button{Label: where + all["line"] + ": " + all["feedback"], Style: bot.ButtonPrimary, Command: bot.NameSolveChange, Args: all}
	})
}
