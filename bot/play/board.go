package play

import (
	"fmt"
	"slices"
	"strings"

	"fivefold/bot"
	"fivefold/bot/face"

	"fivefold/game"
	"fivefold/game/wordle"
)

// board draws a match: the guesses, then what is known of the letters, or how
// it ended.
func (b *Handlers) board(m game.Match) []bot.Line {
	turns := m.Wordle.Turns()
	var lines []bot.Line
	for _, t := range turns {
		lines = append(lines, face.LetterTiles(t))
	}
	if m.Status() != game.Playing {
		return append(lines, b.ending(m, turns)...)
	}
	lines = append(lines, letters(turns)...)
	left := bot.Text(bot.Bold(bot.Plural(m.Wordle.Left(), "attempt") + " left."))
	if m.Wordle.Hard() {
		left = bot.Text(bot.Bold(bot.Plural(m.Wordle.Left(), "attempt")+" left."), " Hard mode: every clue must be used.")
	}
	return append(lines, left)
}

// letters tells what is known of each letter that is not ruled out: what the
// tiles say, for who does not see them.
func letters(turns []wordle.Turn) []bot.Line {
	tried := map[byte]bool{}
	copies := map[byte]int{}                      // that the word is known to have
	marked := map[byte]map[wordle.Mark][]string{} // where a letter got which mark, from 1
	for _, t := range turns {
		coloured := map[byte]int{}
		for i := range wordle.Length {
			letter, mark := t.Guess.Letter(i), t.Feedback.Mark(i)
			tried[letter] = true
			if mark != wordle.Black {
				coloured[letter]++
				copies[letter] = max(copies[letter], coloured[letter])
			}
			if marked[letter] == nil {
				marked[letter] = map[wordle.Mark][]string{}
			}
			if place := fmt.Sprint(i + 1); !slices.Contains(marked[letter][mark], place) {
				marked[letter][mark] = append(marked[letter][mark], place)
			}
		}
	}
	var placed [wordle.Length]string
	var yellow, untried []string
	for letter := byte('A'); letter <= 'Z'; letter++ {
		if !tried[letter] {
			untried = append(untried, string(letter))
			continue
		}
		green := marked[letter][wordle.Green]
		for _, place := range green {
			placed[place[0]-'1'] = fmt.Sprintf("%c (%s)", letter, place)
		}
		if copies[letter] > len(green) { // there is one more, elsewhere
			elsewhere := append(marked[letter][wordle.Yellow], marked[letter][wordle.Black]...)
			slices.Sort(elsewhere)
			yellow = append(yellow, fmt.Sprintf("%c (not %s)", letter, strings.Join(slices.Compact(elsewhere), ",")))
		}
	}
	var lines []bot.Line
	if green := slices.DeleteFunc(placed[:], func(s string) bool { return s == "" }); len(green) > 0 {
		lines = append(lines, bot.Text("In place: ", strings.Join(green, ", ")))
	}
	if len(yellow) > 0 {
		lines = append(lines, bot.Text("In the word: ", strings.Join(yellow, ", ")))
	}
	if len(untried) > 0 {
		lines = append(lines, bot.Text("Not tried: ", strings.Join(untried, " ")))
	}
	return lines
}

// outcome tells how an ended match ended.
func outcome(m game.Match) bot.Line {
	was, hidden := " The word was ", bot.Bold(m.Wordle.Hidden().String())
	if m.Kind() == game.Pokle {
		was, hidden = " The board was ", bot.Bold(m.Pokle.Hidden().String())
	}
	switch m.Status() {
	case game.Won:
		return bot.Text(bot.Bold(fmt.Sprintf("Won in %d of %d!", m.Used(), wordle.Attempts)), was, hidden, ", found by ", m.Solver(), ".")
	case game.Lost:
		return bot.Text(bot.Bold("Lost."), was, hidden, ".")
	}
	return bot.Text(bot.Bold("Stopped"), " by ", m.Stop.Player, "."+was, hidden, ".")
}

// ending tells how a match ended, and what to do next.
func (b *Handlers) ending(m game.Match, turns []wordle.Turn) []bot.Line {
	lines := []bot.Line{outcome(m)}
	if len(turns) > 0 {
		counts := make([]string, len(turns))
		for i := range turns {
			counts[i] = fmt.Sprint(len(b.Games.Solver.Remaining(turns[:i+1])))
		}
		lines = append(lines, bot.Text("Words left after each guess: ", strings.Join(counts, ", "), "."))
	}
	if len(m.Hints) > 0 {
		lines = append(lines, hintsTaken(m.Hints))
	}
	if len(turns) > 0 {
		return append(lines, bot.Text("How good was each guess? ", bot.Slash(bot.NameReview), " tells. Play again with ", bot.Slash(bot.NameStart), "."))
	}
	return append(lines, bot.Text("Play again with ", bot.Slash(bot.NameStart), "."))
}

// hintsTaken tells who took how many hints of which kind.
func hintsTaken(hints []game.Hint) bot.Line {
	var players []game.PlayerID
	count := map[game.PlayerID]map[game.HintKind]int{}
	for _, h := range hints {
		if count[h.Player] == nil {
			players = append(players, h.Player)
			count[h.Player] = map[game.HintKind]int{}
		}
		count[h.Player][h.Kind]++
	}
	parts := []any{"Hints: "}
	for i, p := range players {
		if i > 0 {
			parts = append(parts, "; ")
		}
		var kinds []string
		for _, k := range []game.HintKind{game.HintSuggestion, game.HintLetter, game.HintPosition} {
			if n := count[p][k]; n > 0 {
				kinds = append(kinds, bot.Plural(n, string(k)))
			}
		}
		parts = append(parts, p, " "+strings.Join(kinds, ", "))
	}
	return bot.Text(append(parts, ".")...)
}
