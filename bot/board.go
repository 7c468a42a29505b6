package bot

import (
	"fmt"
	"slices"
	"strings"

	"fivefold/game"
	"fivefold/game/wordle"
)

// board draws a match: the guesses, then what is known of the letters, or how
// it ended.
func (b *Bot) board(m game.Match) []Line {
	turns := m.Wordle.Turns()
	var lines []Line
	for _, t := range turns {
		lines = append(lines, tiles(t))
	}
	if m.Status() != game.Playing {
		return append(lines, b.ending(m, turns)...)
	}
	lines = append(lines, letters(turns)...)
	left := say(bold(plural(m.Wordle.Left(), "attempt") + " left."))
	if m.Wordle.Hard() {
		left = say(bold(plural(m.Wordle.Left(), "attempt")+" left."), " Hard mode: every clue must be used.")
	}
	return append(lines, left)
}

// letters tells what is known of each letter that is not ruled out.
func letters(turns []wordle.Turn) []Line {
	tried := map[byte]bool{}
	copies := map[byte]int{} // that the word is known to have
	for _, t := range turns {
		coloured := map[byte]int{}
		for i := range wordle.Length {
			letter := t.Guess.Letter(i)
			tried[letter] = true
			if t.Feedback.Mark(i) != wordle.Black {
				coloured[letter]++
				copies[letter] = max(copies[letter], coloured[letter])
			}
		}
	}
	var green, yellow, untried []string
	for letter := byte('A'); letter <= 'Z'; letter++ {
		places := positions(turns, letter)
		switch {
		case !tried[letter]:
			untried = append(untried, string(letter))
			continue
		case len(places) > 0:
			green = append(green, fmt.Sprintf("%c(%s)", letter, strings.Join(places, ",")))
		}
		if copies[letter] > len(places) { // there is one more, elsewhere
			yellow = append(yellow, string(letter))
		}
	}
	var lines []Line
	for _, group := range []struct {
		name    string
		letters []string
	}{{"In place", green}, {"In the word", yellow}, {"Not tried", untried}} {
		if len(group.letters) > 0 {
			lines = append(lines, say(group.name+": ", strings.Join(group.letters, " ")))
		}
	}
	return lines
}

// positions returns where a letter was green, from 1.
func positions(turns []wordle.Turn, letter byte) []string {
	var places []string
	for i := range wordle.Length {
		if slices.ContainsFunc(turns, func(t wordle.Turn) bool {
			return t.Guess.Letter(i) == letter && t.Feedback.Mark(i) == wordle.Green
		}) {
			places = append(places, fmt.Sprint(i+1))
		}
	}
	return places
}

// ending tells how a match ended.
func (b *Bot) ending(m game.Match, turns []wordle.Turn) []Line {
	hidden := bold(m.Wordle.Hidden().String())
	var lines []Line
	switch m.Status() {
	case game.Won:
		lines = append(lines, say(bold(fmt.Sprintf("Won in %d of %d!", m.Wordle.Used(), wordle.Attempts)),
			" The word was ", hidden, ", found by ", m.Solver(), "."))
	case game.Lost:
		lines = append(lines, say(bold("Lost."), " The word was ", hidden, "."))
	case game.Stopped:
		lines = append(lines, say(bold("Stopped"), " by ", m.Stop.Player, ". The word was ", hidden, "."))
	}
	if len(turns) > 0 {
		counts := make([]string, len(turns))
		for i := range turns {
			counts[i] = fmt.Sprint(len(b.Games.Solver.Remaining(turns[:i+1])))
		}
		lines = append(lines, say("Words left after each guess: ", strings.Join(counts, ", "), "."))
	}
	if len(m.Hints) > 0 {
		lines = append(lines, hintsTaken(m.Hints))
	}
	return append(lines, say("Play again with ", mention(nameStart), "."))
}

// hintsTaken tells who took how many hints of which kind.
func hintsTaken(hints []game.Hint) Line {
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
				kinds = append(kinds, plural(n, string(k)))
			}
		}
		parts = append(parts, p, " "+strings.Join(kinds, ", "))
	}
	return say(append(parts, ".")...)
}
