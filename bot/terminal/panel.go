package terminal

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
)

// sideBySide is the width from which the keyboard is next to the board, not below.
const sideBySide = 56

// panel draws a match in at most that many rows, as large as fits: its title, the board,
// and what is known of the letters.
func (k look) panel(f face.Face, m game.Match, columns, rows int) []string {
	title := gameName(f)
	switch _, daily := m.Puzzle.Daily(); {
	case daily:
		title = matchName(f, m)
	case m.Mode != game.Together:
		title += ", " + face.ModeName(m.Mode)
	}
	title += " · " + statusWords(m)
	if m.State.Hard() {
		title += " · hard"
	}
	if k == coloursLook {
		title = sgrBold + title + sgrReset
	}
	var board, aside []string
	switch s := m.State.(type) {
	case game.WordState:
		board, aside = k.letterRows(s.Turns(), s.Left()), k.keyboard(s.Turns())
	case game.BoardState:
		aside, board = k.hands(s.Deal()), k.cardRows(s.Guesses(), s.Left())
		if columns < sideBySide+12 || rows <= len(board)+1 {
			board, aside = append(aside, append([]string{""}, board...)...), nil
		}
	}
	switch {
	case len(aside) > 0 && columns >= sideBySide && rows > len(board):
		joined := lipgloss.JoinHorizontal(lipgloss.Center, strings.Join(board, "\n"), "     ", strings.Join(aside, "\n"))
		board = strings.Split(joined, "\n")
	case rows > len(board)+len(aside):
		board = append(board, aside...)
	}
	if rows < 3 {
		return nil
	}
	if len(board) > rows-1 { // the last guesses matter most
		board = board[:rows-1]
		if guesses := k.guessRows(m); len(guesses) > rows-1 {
			board = guesses[len(guesses)-(rows-1):]
		} else if len(guesses) > 0 {
			board = guesses
		}
	}
	return append([]string{title}, board...)
}

// guessRows are the guesses alone.
func (k look) guessRows(m game.Match) []string {
	switch s := m.State.(type) {
	case game.WordState:
		return k.letterRows(s.Turns(), 0)
	case game.BoardState:
		return k.cardRows(s.Guesses(), 0)
	}
	return nil
}

// letterRows are the guesses, and a row for each that is left.
func (k look) letterRows(turns []wordle.Turn, left int) []string {
	var rows []string
	for _, t := range turns {
		rows = append(rows, strings.TrimSuffix(k.draw(bot.Line{Tiles: face.LetterTiles(t).Tiles}), "\n"))
	}
	for range left {
		rows = append(rows, k.dim(strings.Repeat(" · ", wordle.Length)))
	}
	return rows
}

func (k look) dim(text string) string {
	if k == coloursLook {
		return sgrDim + text + sgrReset
	}
	return text
}

// keyboard shows what is known of each letter: [A] is in its place, (A) is elsewhere, and a
// letter that the word does not have is a small one.
func (k look) keyboard(turns []wordle.Turn) []string {
	best, tried := map[byte]marks.Mark{}, map[byte]bool{}
	for _, t := range turns {
		for i := range wordle.Length {
			letter := t.Guess.Letter(i)
			tried[letter] = true
			best[letter] = max(best[letter], t.Feedback.Mark(i))
		}
	}
	var rows []string
	for i, letters := range []string{"QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"} {
		row := strings.Repeat(" ", []int{0, 1, 4}[i])
		for _, letter := range []byte(letters) {
			switch {
			case !tried[letter]:
				row += " " + string(letter) + " "
			case best[letter] == marks.Black:
				row += k.dim(" " + strings.ToLower(string(letter)) + " ")
			default:
				row += k.tile(string(letter), best[letter])
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// hands are the cards that players hold, and their places on each street.
func (k look) hands(d pokle.Deal) []string {
	rows := []string{strings.Repeat(" ", 18) + "flop · turn · river"}
	for i, hole := range d.Holes {
		row := fmt.Sprintf("%-9s%s %s  ", picture.PlayerName(i), k.card(hole[0].String()), k.card(hole[1].String()))
		var places []string
		for s := range pokle.Streets {
			places = append(places, fmt.Sprintf("%-4s", []string{"", "1st", "2nd", "3rd"}[d.Places[s][i]]))
		}
		rows = append(rows, strings.TrimRight(row+strings.Join(places, " · "), " "))
	}
	return rows
}

// cardRows are the guesses under the names of the streets, and a row for each that is left.
func (k look) cardRows(steps []pokle.Step, left int) []string {
	rows := []string{"     flop       turn river"}
	for _, s := range steps {
		rows = append(rows, strings.TrimSuffix(k.draw(bot.Line{Tiles: face.CardTiles(s).Tiles}), "\n"))
	}
	for range left {
		rows = append(rows, k.dim("  ·    ·    ·     ·     ·  "))
	}
	return rows
}
