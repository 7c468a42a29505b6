package solve

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/kinds/wordgame"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

const likeliest = 5

func showWords(v solve.WordView) bot.Reply { return wordReply(v, blank) }

// wordReply shows a player's puzzle: what to try next and why, its lines, and how to go on. Its buttons for marks have the
// marks shown.
func wordReply(v solve.WordView, shown marks.Feedback) bot.Reply {
	reply := bot.Reply{InPlace: true}
	var after []bot.Line
	var correct []bot.Button
	switch p := v.Words; {
	case p.Status() != game.Playing:
		reply, after = ended(p.Status(), len(p.Turns)), wordEnding(v)
	case v.Contradiction != nil:
		reply.Heading, reply.Subtext, after, correct = contradictionLines(v, slashOwn, "Line ", map[string]string{argAt: strconv.FormatUint(v.Version, 10)})
	default:
		reply.Heading, reply.Subtext, after = nextWord(v, slashOwn)
		if p.Next() != 0 {
			after = append(after, bot.Text("What colours did it get? ", bot.Slash(bot.NameSolveNext, "feedback", "bbygb").On(tapThem)))
		}
		if len(p.Turns) == 0 {
			after = append(after, bot.Text("Guessed another word? ", slashOwn))
		}
	}
	return reply.Say(bot.Each(v.Words.Turns, wordgame.LetterTiles)...).Say(after...).Add(bot.Rows(correct...)...).Add(wordButtons(v, shown)...)
}

// Advice says what to guess next, and compares the words proposed.
func Advice(v solve.WordView) []bot.Line {
	heading, subtext, after := nextWord(v, slashOwn)
	return slices.Concat([]bot.Line{heading, subtext}, after, figures(v.Words))
}

// nextWord says what to guess next, why, and which words fit. The player can enter words by own.
func nextWord(v solve.WordView, own bot.Span) (heading, subtext bot.Line, after []bot.Line) {
	p := v.Words
	turn := fmt.Sprintf("Guess %d of %d: ", len(p.Turns)+1, p.Setup.Limit())
	switch {
	case len(p.Proposed) == 0:
		heading, subtext = bot.Text(turn, "your turn"), bot.Text("No word I know is allowed. Use your own: ", own)
		if p.Setup.Hard != marks.Off {
			subtext = subtext.With(", or leave "+p.Setup.Hard.Mode()+": ", slashEasy)
		}
	case p.Chosen != 0 && p.Chosen != p.Proposed[0].Word:
		heading, subtext = bot.Text(turn, bot.Bold(p.Chosen.String())), bot.Text("Your own choice. I'd try ", bot.Bold(p.Proposed[0].Word.String()), ".")
	default:
		heading, subtext = bot.Text(turn, "try ", bot.Bold(p.Proposed[0].Word.String())), bot.Text(wordReason(p.Proposed[0]))
	}
	if n := len(v.Left); n > 1 {
		after = append(after, bot.Text(bot.Plural(n, "word")+" fit"+listed(v.Left)+"."))
	}
	switch p.Setup.Hard {
	case marks.Hard:
		after = append(after, bot.Text("Hard mode: you must use every clue."))
	case marks.Ultra:
		after = append(after, bot.Text("Ultra-hard mode: only words that fit are allowed."))
	}
	if s := p.Setup.Strategy; s != "" && s != optimal.Optimal {
		after = append(after, bot.Text("Strategy: "+s+"."))
	}
	return heading, subtext, after
}

func listed(possible []weighted.Possible) string {
	some := shown(possible)
	if len(possible) <= likeliest {
		text := ": " + chances(some)
		if n := len(possible) - len(some); n > 0 {
			text += fmt.Sprintf(", and %d I only name when asked", n)
		}
		return text
	}
	some = slices.DeleteFunc(slices.Clone(some[:min(likeliest, len(some))]), func(p weighted.Possible) bool { return p.Chance < 0.01 })
	if len(some) == 0 {
		return ""
	}
	return "; the likeliest: " + chances(some)
}

// shown returns the words before the withheld ones, or all if there are only withheld ones.
func shown(possible []weighted.Possible) []weighted.Possible {
	if n := slices.IndexFunc(possible, func(p weighted.Possible) bool { return p.Withheld }); n > 0 {
		return possible[:n]
	}
	return possible
}

func wordReason(a weighted.Suggestion) string {
	switch {
	case a.Remaining == 1:
		return "It's the only word I know that fits."
	case a.Groups == a.Remaining:
		return "Its colours will show which word it is."
	case a.Chance == 0:
		return "It can't be the word, but it narrows down the others."
	case a.Chance < worthTelling:
		return "It narrows down the words best."
	}
	return "There's a " + chance(a.Chance) + " chance that it's the word."
}

// worthTelling is the least chance that a sentence tells, and slight the least that has a figure in a list.
const (
	worthTelling = 0.01
	slight       = 0.001
)

// chance writes a probability above 0.
func chance(c float64) string {
	switch {
	case c >= 0.0995:
		return fmt.Sprintf("%.0f%%", 100*c)
	case c >= slight:
		return fmt.Sprintf("%.1f%%", 100*c)
	}
	return "less than 0.1%"
}

func chances(possible []weighted.Possible) string {
	return strings.Join(bot.Each(possible, func(p weighted.Possible) string {
		if p.Chance < slight {
			return p.Word.String()
		}
		return p.Word.String() + " " + chance(p.Chance)
	}), ", ")
}

func wordEnding(v solve.WordView) (lines []bot.Line) {
	turns := v.Words.Turns
	switch n := len(v.Left); {
	case v.Words.Status() == game.Won:
		word := turns[len(turns)-1].Guess
		if i := slices.IndexFunc(turns, func(t wordle.Turn) bool { return wordle.Score(t.Guess, word) != t.Feedback }); i >= 0 {
			lines = append(lines, bot.Text(fmt.Sprintf("Line %d doesn't fit %v. Not the word? Take it back: ", i+1, word), slashUndo, "."))
		}
	case n > 0:
		lines = append(lines, bot.Text(bot.Plural(n, "word")+" would fit"+listed(v.Left)+"."))
	default:
		lines = append(lines, bot.Text("No word I know fits: a mark may be wrong, or the word isn't in my list."))
	}
	return append(lines, recordLine(v.Finished()))
}

func recordLine(r solve.Record) bot.Line {
	won, guesses := r.Solved()
	played := won + r.Lost
	switch {
	case played == 0:
		return bot.Text("You haven't finished a puzzle with my help yet. Begin: ", bot.Slash(bot.NameSolveNext))
	case won == 0:
		return bot.Text(bot.Bold("Your record"), fmt.Sprintf(": 0 of %s solved", bot.Plural(played, "puzzle")))
	}
	return bot.Text(bot.Bold("Your record"), fmt.Sprintf(": %d of %s solved, in %.2f guesses on average", won, bot.Plural(played, "puzzle"), float64(guesses)/float64(won)))
}

func recordReply(r solve.Record) bot.Reply {
	reply := bot.Reply{InPlace: true}.Say(recordLine(r))
	if won, _ := r.Solved(); won > 0 {
		reply = reply.Say(bot.Text(strings.TrimPrefix(picture.Card{Won: r.Distribution[:]}.Alt(), ". ")))
	}
	return reply.Add(back)
}

func wordButtons(v solve.WordView, shown marks.Feedback) []bot.Block {
	p := v.Words
	at := strconv.FormatUint(v.Version, 10)
	undo := bot.Button{Label: "Undo", Command: bot.NameSolveUndo, Args: map[string]string{argAt: at}, Disabled: len(p.Turns) == 0}
	begin := bot.Button{Label: "New puzzle", Command: bot.NameSolveNew, Args: map[string]string{argAt: at}}
	if p.Status() != game.Playing {
		begin.Style = bot.ButtonPrimary
		mode := cmp.Or(p.Setup.Hard, marks.Hard)
		hard := bot.Button{Label: "New in " + mode.Mode(), Command: bot.NameSolveNew, Args: map[string]string{"hard": mode.String(), argAt: at}}
		return bot.Rows(begin, hard, undo)
	}
	var rows []bot.Block
	var last []bot.Button
	if w := p.Next(); w != 0 {
		row, enter := letterMarks.entryButtons(strings.Split(w.String(), ""), shown, bot.NameSolveNext, map[string]string{"guess": strings.ToLower(w.String()), argAt: at})
		rows, last = append(rows, bot.Row(row)), enter
	}
	last = append(last, undo)
	if len(p.Proposed) > 0 {
		last = append(last, bot.Button{Label: "More", Command: bot.NameSolveTop})
	} else {
		last = append(last, begin)
	}
	return append(rows, bot.Row(last))
}

var back = bot.Row{{Label: "Back", Style: bot.ButtonPrimary, Command: bot.NameSolveShow}}

// topReply lists the words proposed, to choose from, and has what is rarely needed.
func topReply(v solve.WordView) bot.Reply {
	p := v.Words
	reply := bot.Reply{InPlace: true, Heading: bot.Text(fmt.Sprintf("The best words for guess %d", len(p.Turns)+1))}
	words := bot.Menu{Label: "Guess another word", Command: bot.NameSolveNext, Args: map[string]string{argAt: strconv.FormatUint(v.Version, 10)}, Option: "guess"}
	words.Choices = bot.Each(p.Proposed, func(a weighted.Suggestion) bot.MenuChoice {
		return bot.MenuChoice{Label: a.Word.String(), Value: strings.ToLower(a.Word.String())}
	})
	hard := bot.Menu{Label: "Hard mode: " + p.Setup.Hard.String(), Command: bot.NameSolveHard, Option: "hard"}
	hard.Choices = choicesOf(marks.HardnessNames)
	strategies := bot.Menu{Label: "Strategy: " + cmp.Or(p.Setup.Strategy, optimal.Optimal), Command: bot.NameSolveStrategy, Option: "name"}
	strategies.Choices = choicesOf(optimal.StrategyNames())
	more := []bot.Button{back[0], {Label: "Words that fit", Command: bot.NameSolveWords}, {Label: "My record", Command: bot.NameSolveRecord}}
	return reply.Say(figures(p)...).Add(&words, &strategies, &hard).Row(more...)
}

func choicesOf(names []string) []bot.MenuChoice {
	return bot.Each(names, func(name string) bot.MenuChoice { return bot.MenuChoice{Label: bot.Capital(name), Value: name} })
}

// figures returns a table of the words proposed.
func figures(p solve.WordPuzzle) []bot.Line {
	strategy := cmp.Or(p.Setup.Strategy, optimal.Optimal)
	column := rankedBy[strategy]
	lines := []bot.Line{bot.Mono(fmt.Sprintf("       left worst chance %6s", column.title))} // a phone has room for 30 characters
	for _, a := range p.Proposed {
		itself, figure, rank := "-", a.Measure, "-"
		switch {
		case a.Chance >= slight:
			itself = fmt.Sprintf("%.1f%%", 100*a.Chance)
		case a.Chance > 0:
			itself = "<0.1%"
		}
		if strategy == optimal.Optimal {
			figure = a.Guesses
		}
		if figure > 0 {
			rank = fmt.Sprintf(column.format, figure)
		}
		lines = append(lines, bot.Mono(fmt.Sprintf("%v %5.1f %5d %6s %6s", a.Word, a.Expected, a.Worst, itself, rank)))
	}
	if best := p.Proposed[0]; best.Guesses > 0 {
		how := "looks best, but isn't proven"
		if best.Proven {
			how = "is proven best"
		}
		lines = append(lines, bot.Text(bot.Bold(best.Word.String()), " "+how+": "+bot.Figure(best.Guesses)+" more guesses on average."))
	}
	return append(lines, bot.Text("Left and worst: how many words remain, on average and at most. Chance: that it's the word. ", bot.Capital(column.title)+": "+column.means))
}

// rankedBy explains the figures by which strategies rank words.
var rankedBy = map[string]struct{ title, format, means string }{
	optimal.Optimal: {"more", "%.2f", "how many more guesses on average, where worked out."},
	"expected":      {"odds", "%.4f", "the chances of the words that remain, added up, on average."},
	"entropy":       {"bits", "%.2f", "how much the colours say on average; finding the word at once is worth one more."},
	"minimax":       {"likely", "%.4f", "the chance of the likeliest colours."},
	"parts":         {"in two", "%.4f", "the chance to find the word with this guess or the next; finding it with this one counts twice."},
}

// mostWords is how many words a reply lists. Discord has room for no more.
const mostWords = 100

// wordsReply lists the words that fit.
func wordsReply(v solve.WordView) bot.Reply {
	n := len(v.Left)
	all := slices.SortedStableFunc(slices.Values(v.Left), func(a, b weighted.Possible) int { return cmp.Compare(b.Chance, a.Chance) })
	shown := all[:min(n, mostWords)]
	text := chances(shown)
	if n > len(shown) {
		text += fmt.Sprintf(", and %d more", n-len(shown))
	}
	if shown[len(shown)-1].Chance < slight {
		text += ". Those without a figure have a chance of less than 0.1% each"
	}
	fit := bot.Plural(n, "word") + " fit"
	if n == 1 {
		fit = "1 word fits"
	}
	return bot.Reply{Heading: bot.Text(fit), Subtext: bot.Text("Most likely first"), Blocks: []bot.Block{bot.Text(text + "."), back}, InPlace: true}
}
