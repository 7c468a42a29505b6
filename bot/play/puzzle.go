package play

import (
	"fivefold/bot"
	"fivefold/bot/face"
	"fmt"
	"strings"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver"
	"fivefold/solver/weighted"
)

// likeliest is how many of the words that fit are named beside a proposal.
const likeliest = 5

// puzzleReply draws a player's puzzle: its lines, what to try next and why, and how
// to go on. Marks are those that the tile buttons show.
func puzzleReply(help game.Help, marks wordle.Feedback) bot.Reply {
	p := help.Puzzle
	var lines []bot.Line
	for _, t := range p.Turns {
		lines = append(lines, turnLine(t))
	}
	switch {
	case p.Status() != game.Playing:
		lines = append(lines, puzzleEnding(help)...)
	case help.Trouble != nil:
		lines = append(lines, troubleLines(help)...)
	default:
		lines = append(lines, proposal(help)...)
	}
	return bot.Reply{Lines: lines, Buttons: puzzleButtons(help, marks), InPlace: true}
}

// turnLine is a row of tiles with the same in letters, as they are typed.
func turnLine(t wordle.Turn) bot.Line {
	line := face.LetterTiles(t)
	line = line.With(" " + letters5(t.Feedback))
	return line
}

// letters5 writes tiles as players do: bbygb.
func letters5(f wordle.Feedback) string { return strings.ToLower(f.String()) }

// proposal tells what to try next.
func proposal(help game.Help) []bot.Line {
	p := help.Puzzle
	turn := fmt.Sprintf("Guess %d of %d: ", len(p.Turns)+1, wordle.Attempts)
	var lines []bot.Line
	switch {
	case len(p.Advice) == 0:
		lines = append(lines, bot.Text(turn, "no word I know is allowed. Use a word of your own: ", bot.Slash(bot.NameNext+" crane bbygb"), "."))
	case p.Chosen != 0:
		lines = append(lines, bot.Text(turn, bot.Bold(p.Chosen.String()), ", your own choice. I would try ", bot.Bold(p.Advice[0].Word.String()), "."))
	default:
		lines = append(lines, bot.Text(turn, "try ", bot.Bold(p.Advice[0].Word.String()), "."), bot.Text(adviceReason(p.Advice[0], wordle.Attempts-len(p.Turns))))
	}
	if n := len(help.Possible); n > 1 {
		lines = append(lines, bot.Text(bot.Plural(n, "word")+" fit"+named(help.Possible)+"."))
	}
	if way := wayLine(p); way != "" {
		lines = append(lines, bot.Text(way))
	}
	if p.Next() != 0 {
		lines = append(lines, bot.Text("Then tell me its tiles, b for black or grey, y for yellow, g for green: ", bot.Slash(bot.NameNext+" bbygb"), "."))
	}
	if len(p.Turns) == 0 {
		lines = append(lines, bot.Text("Another word: ", bot.Slash(bot.NameNext+" crane bbygb"), ". All you can do: ", bot.Slash(bot.NameSolving), "."))
	}
	return lines
}

// named lists the words that fit or, of many, those that are likely at all.
func named(possible []weighted.Possible) string {
	if len(possible) <= likeliest {
		return ": " + chances(possible)
	}
	some := possible[:likeliest]
	for len(some) > 0 && some[len(some)-1].Chance < 0.01 {
		some = some[:len(some)-1]
	}
	if len(some) == 0 {
		return ""
	}
	return "; the likeliest: " + chances(some)
}

// wayLine tells in which way words are proposed, where it is not the usual one.
func wayLine(p game.Puzzle) string {
	var way []string
	if p.Hard {
		way = append(way, "Hard mode: every clue must be used.")
	}
	if p.Strategy != "" && p.Strategy != solver.Optimal {
		way = append(way, "Strategy: "+p.Strategy+".")
	}
	return strings.Join(way, " ")
}

// adviceReason tells why a word is proposed, without the word, when so many guesses
// are left.
func adviceReason(a weighted.Advice, left int) string {
	if a.Remaining == 1 {
		return "It is the only word I know that fits."
	}
	split := fmt.Sprintf("Its tiles split the words that fit into %d groups: %.1f words are expected to stay, at worst %d.", a.Groups, a.Expected, a.Worst)
	if a.Groups == a.Remaining {
		split = "Its tiles tell all words that fit apart."
	}
	itself := "It cannot be the word itself."
	if a.Chance > 0 {
		itself = "It is the word itself with a chance of " + chance(a.Chance) + "."
	}
	parts := []string{split, itself}
	switch {
	case a.Guesses > 0 && a.Proven:
		parts = append(parts, fmt.Sprintf("It is proven best: from here it takes %.2f guesses on average.", a.Guesses))
	case a.Guesses > 0:
		parts = append(parts, fmt.Sprintf("With it, %.2f guesses are expected from here; that none is better is not proven.", a.Guesses))
	}
	if a.Guesses > 0 && a.Remaining > left && left <= fewGuesses {
		parts = append(parts, fmt.Sprintf("A word not found in time counts there as %d guesses more.", weighted.LossCost))
	}
	return strings.Join(parts, " ")
}

// fewGuesses is with how many left a word that is not found in time matters for
// the guesses that are expected.
const fewGuesses = 3

// slight is the chance below which no figure is worth its room.
const slight = 0.001

// chance writes a probability that is not 0, and never as if it were.
func chance(c float64) string {
	switch {
	case c >= 0.0995:
		return fmt.Sprintf("%.0f%%", 100*c)
	case c >= slight:
		return fmt.Sprintf("%.1f%%", 100*c)
	}
	return "less than 0.1%"
}

// chances lists words with the chance of each, unless it is slight.
func chances(possible []weighted.Possible) string {
	all := make([]string, len(possible))
	for i, p := range possible {
		all[i] = p.Word.String()
		if p.Chance >= slight {
			all[i] += " " + chance(p.Chance)
		}
	}
	return strings.Join(all, ", ")
}

// puzzleEnding tells how a puzzle ended, and how to go on.
func puzzleEnding(help game.Help) []bot.Line {
	p := help.Puzzle
	var lines []bot.Line
	if p.Status() == game.Won {
		lines = append(lines, bot.Text(bot.Bold(fmt.Sprintf("Solved in %d of %d. Well done!", len(p.Turns), wordle.Attempts))))
	} else {
		lines = append(lines, bot.Text(bot.Bold("Six guesses, and not found. Better luck next time!")))
		if n := len(help.Possible); n > 0 {
			lines = append(lines, bot.Text(bot.Plural(n, "word")+" would still fit"+named(help.Possible)+"."))
		} else {
			lines = append(lines, bot.Text("No word I know fits: a tile may be wrong, or the word is not in my list."))
		}
	}
	return append(lines,
		recordLine(help.Record),
		bot.Text("Begin the next one with ", bot.Slash(bot.NameNew), ". A wrong tile? ", bot.Slash(bot.NameUndo), " takes the last line back."))
}

func recordLine(r game.PuzzleRecord) bot.Line {
	switch {
	case r.Played() == 0:
		return bot.Text("You have not finished a puzzle with my help yet. Begin with ", bot.Slash(bot.NameNext), ".")
	case r.Won() == 0:
		return bot.Text(bot.Bold("Your record"), fmt.Sprintf(": solved 0 of %s.", bot.Plural(r.Played(), "puzzle")))
	}
	return bot.Text(bot.Bold("Your record"), fmt.Sprintf(": solved %d of %s (%s), %.2f guesses on average.",
		r.Won(), bot.Plural(r.Played(), "puzzle"), bot.Percent(r.Share()), r.Average()))
}

// troubleLines tell what may be wrong where no word fits.
func troubleLines(help game.Help) []bot.Line {
	c, p := help.Trouble, help.Puzzle
	var lines []bot.Line
	switch {
	case c.Line == 0:
		lines = append(lines, bot.Text(bot.Bold("No word I know fits these tiles,"), " and correcting one line is not enough."))
	case c.Alone:
		lines = append(lines, bot.Text(bot.Bold("No word I know fits these tiles."), fmt.Sprintf(" None could have got line %d, whatever the others say.", c.Line)))
	default:
		lines = append(lines, bot.Text(bot.Bold("No word I know fits these tiles."), fmt.Sprintf(" Most likely line %d has a wrong one.", c.Line)))
	}
	if len(c.Nearest) > 0 {
		lines = append(lines, bot.Text(fmt.Sprintf("Line %d may have been:", c.Line)))
		for _, near := range c.Nearest {
			line := turnLine(wordle.Turn{Guess: p.Turns[c.Line-1].Guess, Feedback: near.Feedback})
			words := make([]string, 0, likeliest)
			for _, w := range near.Possible[:min(likeliest, len(near.Possible))] {
				words = append(words, w.Word.String())
			}
			more := ""
			if len(near.Possible) > likeliest {
				more = ", …"
			}
			line = line.With(": " + bot.Plural(len(near.Possible), "word") + " would fit, " + strings.Join(words, ", ") + more)
			lines = append(lines, line)
		}
		lines = append(lines, bot.Text("Correct it with ", bot.Slash(fmt.Sprintf("%s %d %s", bot.NameChange, c.Line, letters5(c.Nearest[0].Feedback))),
			", or take the last line back with ", bot.Slash(bot.NameUndo), "."))
	} else {
		lines = append(lines, bot.Text("Correct the lines one by one with ", bot.Slash(bot.NameChange+" line tiles"),
			", or take the last one back with ", bot.Slash(bot.NameUndo), "."))
	}
	if c.Unlisted {
		return append(lines, bot.Text("If every tile is right, the word is just not in my list. Then go on with words of your own: ",
			bot.Slash(bot.NameNext+" crane bbygb"), "."))
	}
	return append(lines, bot.Text("No five letters at all could get these tiles, so one of them must be wrong."))
}
