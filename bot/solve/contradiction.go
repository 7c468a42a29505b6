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

// contradictionLines says which line is most likely wrong, and what it may have been, with buttons that add to args. The player can
// enter words by own.
func contradictionLines(v solve.WordView, own bot.Span, where string, args map[string]string) (heading, subtext bot.Line, after []bot.Line, correct []bot.Button) {
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
			all, written := maps.Clone(args), letterMarks.write(near.Feedback)
			all["line"], all["feedback"] = strconv.Itoa(c.Turn), written
			after = append(after, wordgame.LetterTiles(turn).With(" "+written+": "+strings.Join(words, ", ")))
			correct = append(correct, bot.Button{Label: where + all["line"] + ": " + written, Style: bot.ButtonPrimary, Command: bot.NameSolveChange, Args: all})
		}
	}
	if c.Unlisted {
		return heading, subtext, append(after, bot.Text("If every mark is right, the word isn't in my list. Go on with words of your own: ", own, ".")), correct
	}
	return heading, subtext, append(after, bot.Text("No five letters get these marks, so one of them is wrong.")), correct
}
