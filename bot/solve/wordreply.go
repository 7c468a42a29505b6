package solve

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/optimal"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

const likeliest = 5

func showWords(v solve.WordView) bot.Reply { return wordReply(v, blank) }

// wordReply draws a player's puzzle: its lines, what to try next and why, and how to go on. Its
// buttons for marks have the marks shown.
func wordReply(v solve.WordView, shown marks.Feedback) bot.Reply {
	lines := bot.Each(v.Words.Turns, turnLine)
	switch {
	case v.Words.Status() != game.Playing:
		lines = append(lines, wordEnding(v)...)
	case v.Contradiction != nil:
		lines = append(lines, contradictionLines(v)...)
	default:
		lines = append(lines, wordProposal(v)...)
	}
	return bot.Reply{Blocks: append(bot.Lines(lines...), wordButtons(v, shown)...), InPlace: true}
}

func turnLine(t wordle.Turn) bot.Line {
	return wordgame.LetterTiles(t).With(" " + letterMarks.write(t.Feedback))
}

// Advice says what to guess next, and compares the words proposed.
func Advice(v solve.WordView) []bot.Line { return append(nextWord(v), figures(v.Words)...) }

// nextWord says what to guess next and why.
func nextWord(v solve.WordView) []bot.Line {
	p := v.Words
	turn := fmt.Sprintf("Guess %d of %d: ", len(p.Turns)+1, wordle.Attempts)
	var lines []bot.Line
	switch {
	case len(p.Proposed) == 0 && p.Setup.Hard:
		lines = append(lines, bot.Text(turn, "hard mode leaves no word I know. Use a word of your own: ", slashOwn, "; or leave hard mode: ",
			bot.Slash(bot.NameSolveHard, "off", "true"), "."))
	case len(p.Proposed) == 0:
		lines = append(lines, bot.Text(turn, "no word I know is allowed. Use a word of your own: ", slashOwn, "."))
	case p.Chosen != 0 && p.Chosen != p.Proposed[0].Word:
		lines = append(lines, bot.Text(turn, bot.Bold(p.Chosen.String()), ", your own choice. I would try ", bot.Bold(p.Proposed[0].Word.String()), "."))
	default:
		lines = append(lines, bot.Text(turn, "try ", bot.Bold(p.Proposed[0].Word.String()), "."),
			bot.Text(wordReason(p.Proposed[0], wordle.Attempts-len(p.Turns))))
	}
	if n := len(v.Left); n > 1 {
		lines = append(lines, bot.Text(bot.Plural(n, "word")+" fit"+listed(v.Left)+"."))
	}
	if p.Setup.Hard {
		lines = append(lines, bot.Text("Hard mode: every clue must be used."))
	}
	if s := p.Setup.Strategy; s != "" && s != optimal.Optimal {
		lines = append(lines, bot.Text("Strategy: "+s+"."))
	}
	return lines
}

func wordProposal(v solve.WordView) []bot.Line {
	p, lines := v.Words, nextWord(v)
	if p.Next() != 0 {
		lines = append(lines, bot.Text("Then enter its feedback (b black or grey, y yellow, g green): ", bot.Slash(bot.NameSolveNext, "feedback", "bbygb"), "."))
	}
	if len(p.Turns) == 0 {
		lines = append(lines, bot.Text("Another word: ", slashOwn, "."))
	}
	return lines
}

func listed(possible []weighted.Possible) string {
	some := shown(possible)
	if len(possible) <= likeliest {
		text := ": " + chances(some)
		if n := len(possible) - len(some); n > 0 {
			text += fmt.Sprintf(", and %d that I name only when asked", n)
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

func wordReason(a weighted.Suggestion, left int) string {
	if a.Remaining == 1 {
		return "It is the only word I know that fits."
	}
	var parts []string
	average := bot.Figure(a.Guesses) + " more guesses on average"
	switch {
	case a.Guesses > 0 && a.Proven:
		parts = append(parts, "Best word, proven: "+average+".")
	case a.Guesses > 0:
		parts = append(parts, "About "+average+"; not proven to be the best.")
	}
	if a.Guesses > 0 && a.Remaining > left && left <= face.FewGuesses {
		parts = append(parts, fmt.Sprintf("A word not found in time counts as %d guesses more.", weighted.LossCost))
	}
	if a.Groups == a.Remaining {
		parts = append(parts, "Its feedback will show which word it is.")
	} else {
		parts = append(parts, fmt.Sprintf("It leaves %.1f words on average and %d at worst, in %d groups.", a.Expected, a.Worst, a.Groups))
	}
	switch {
	case a.Chance >= worthTelling:
		parts = append(parts, "There's a "+chance(a.Chance)+" chance that it's the word.")
	case a.Chance == 0:
		parts = append(parts, "It can't be the word; it narrows down the others.")
	}
	return strings.Join(parts, " ")
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

func wordEnding(v solve.WordView) []bot.Line {
	won := v.Words.Status() == game.Won
	lines := []bot.Line{endLine(won, len(v.Words.Turns))}
	turns := v.Words.Turns
	switch n := len(v.Left); {
	case won:
		word := turns[len(turns)-1].Guess
		if i := slices.IndexFunc(turns, func(t wordle.Turn) bool { return wordle.Score(t.Guess, word) != t.Feedback }); i >= 0 {
			lines = append(lines, bot.Text(fmt.Sprintf("Line %d doesn't agree with %v: if that isn't the word, take it back with ", i+1, word), slashUndo, "."))
		}
	case n > 0:
		lines = append(lines, bot.Text(bot.Plural(n, "word")+" would still fit"+listed(v.Left)+"."))
	default:
		lines = append(lines, bot.Text("No word I know fits: a mark may be wrong, or the word is not in my list."))
	}
	return append(lines,
		recordLine(v.Finished()),
		bot.Text("Begin the next one with ", bot.Slash(bot.NameSolveNew), ". A wrong mark? ", slashUndo, " takes back the last line."))
}

func recordLine(r solve.Record) bot.Line {
	won, guesses := r.Solved()
	played := won + r.Lost
	switch {
	case played == 0:
		return bot.Text("You have not finished a puzzle with my help yet. Begin with ", bot.Slash(bot.NameSolveNext), ".")
	case won == 0:
		return bot.Text(bot.Bold("Your record"), fmt.Sprintf(": solved 0 of %s.", bot.Plural(played, "puzzle")))
	}
	return bot.Text(bot.Bold("Your record"), fmt.Sprintf(": solved %d of %s (%s), %.2f guesses on average.",
		won, bot.Plural(played, "puzzle"), bot.Percent(float64(won)/float64(played)), float64(guesses)/float64(won)))
}

func recordReply(r solve.Record) bot.Reply {
	lines := []bot.Line{recordLine(r)}
	if won, _ := r.Solved(); won > 0 {
		lines = append(lines, face.Chart(r.Distribution)...)
	}
	return bot.Reply{Blocks: append(bot.Lines(lines...), back), InPlace: true}
}

func wordButtons(v solve.WordView, shown marks.Feedback) []bot.Block {
	p := v.Words
	at := strconv.FormatUint(v.Version, 10)
	undo := bot.Button{Label: "Undo", Command: bot.NameSolveUndo, Args: map[string]string{argAt: at}, Disabled: len(p.Turns) == 0}
	begin := bot.Button{Label: "New puzzle", Command: bot.NameSolveNew, Args: map[string]string{argAt: at}}
	if p.Status() != game.Playing {
		begin.Style = bot.ButtonPrimary
		hard := bot.Button{Label: "New in hard mode", Command: bot.NameSolveNew, Args: map[string]string{"hard": "true", argAt: at}}
		return bot.Rows(begin, hard, undo)
	}
	var correct []bot.Button
	if c := v.Contradiction; c != nil {
		correct = bot.Each(c.Nearest, func(n solve.Correction) bot.Button {
			line, written := strconv.Itoa(c.Turn), letterMarks.write(n.Feedback)
			args := map[string]string{"line": line, "feedback": written, argAt: at}
			return bot.Button{Label: "Line " + line + ": " + written, Style: bot.ButtonPrimary, Command: bot.NameSolveChange, Args: args}
		})
	}
	rows := bot.Rows(correct...)
	var last []bot.Button
	if w := p.Next(); w != 0 {
		row, enter := letterMarks.entryButtons(strings.Split(w.String(), ""), shown, bot.NameSolveNext, map[string]string{"guess": strings.ToLower(w.String()), argAt: at})
		rows, last = append(rows, bot.Row(row)), enter
	}
	last = append(last, undo)
	if len(p.Proposed) > 0 {
		last = append(last, bot.Button{Label: "Other words", Command: bot.NameSolveTop})
	} else {
		last = append(last, begin)
	}
	return append(rows, bot.Row(last))
}

var back = bot.Row{{Label: "Back", Style: bot.ButtonPrimary, Command: bot.NameSolveShow}}

// topReply lists the words proposed, each with a button that chooses it, and has the buttons that are
// rarely needed.
func topReply(v solve.WordView) bot.Reply {
	p := v.Words
	other := strings.ToLower(p.Proposed[min(1, len(p.Proposed)-1)].Word.String()) // not the first, which needs no choice
	lines := append([]bot.Line{
		bot.Text(bot.Bold("The best words to try"), fmt.Sprintf(" for guess %d. Choose one with ", len(p.Turns)+1), bot.Slash(bot.NameSolveNext, "guess", other), "."),
	}, figures(p)...)
	choose := bot.Each(p.Proposed, func(a weighted.Suggestion) bot.Button {
		args := map[string]string{"guess": strings.ToLower(a.Word.String()), argAt: strconv.FormatUint(v.Version, 10)}
		return bot.Button{Label: a.Word.String(), Command: bot.NameSolveNext, Args: args}
	})
	hard := bot.Button{Label: "Hard mode", Command: bot.NameSolveHard}
	if p.Setup.Hard {
		hard.Label, hard.Args = anyWord, map[string]string{"off": "true"}
	}
	strategies := bot.Each(optimal.StrategyNames(), func(name string) bot.Button {
		b := bot.Button{Label: bot.Capital(name), Command: bot.NameSolveStrategy, Args: map[string]string{"name": name}}
		b.Disabled = name == cmp.Or(p.Setup.Strategy, optimal.Optimal)
		return b
	})
	more := []bot.Button{back[0], {Label: "Words that fit", Command: bot.NameSolveWords}, hard, {Label: "My record", Command: bot.NameSolveRecord}}
	return bot.Reply{Blocks: append(bot.Lines(lines...), bot.Rows(choose...)...), InPlace: true}.Row(more...).Row(strategies...)
}

// figures returns a table of the words proposed.
func figures(p solve.WordPuzzle) []bot.Line {
	strategy := cmp.Or(p.Setup.Strategy, optimal.Optimal)
	column := rankedBy[strategy]
	lines := []bot.Line{bot.Mono(fmt.Sprintf("       groups  expected  worst  chance  %7s", column.title))}
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
		lines = append(lines, bot.Mono(fmt.Sprintf("%v  %6d  %8.1f  %5d  %6s  %7s", a.Word, a.Groups, a.Expected, a.Worst, itself, rank)))
	}
	return append(lines, bot.Text("Groups: how many different kinds of feedback the word can get. Expected and worst: how many words are left then. ",
		"Chance: that it is the word. Ranked by "+column.title+": "+column.means))
}

const anyWord = "Leave hard mode"

// rankedBy explains the figures by which strategies rank words.
var rankedBy = map[string]struct{ title, format, means string }{
	optimal.Optimal: {"guesses", "%.2f", "how many more on average, where worked out."},
	"expected":      {"average", "%.4f", "the chances of the words left then, added up, on average."},
	"entropy":       {"bits", "%.2f", "how much the feedback says on average; finding the word at once is worth one more."},
	"minimax":       {"likely", "%.4f", "the chance of the likeliest feedback."},
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
	text += "."
	if shown[len(shown)-1].Chance < slight {
		text += " Those without a figure have a chance of less than 0.1% each."
	}
	fit := bot.Plural(n, "word") + " fit"
	if n == 1 {
		fit = "1 word fits"
	}
	return bot.Reply{Blocks: []bot.Block{bot.Text(bot.Bold(fit), ", most likely first: "+text), back}, InPlace: true}
}
