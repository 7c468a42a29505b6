package terminal

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/picture"
	"fivefold/bot/terminal/tty"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
)

// gap is between two parts of a board that are next to each other.
const gap = "     "

func width(rows []string) int {
	widest := 0
	for _, row := range rows {
		widest = max(widest, tty.Width(row))
	}
	return widest
}

// panel draws a match in at most that many rows: its title, the board, and what is known of the
// letters; below the title only the latest guesses if not all of that fits, and nothing at all in
// fewer than three rows.
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
	if k.way == inColours {
		title = sgrBold + title + sgrReset
	}
	var left, right []string // or above and below
	align := lipgloss.Top
	switch s := m.State.(type) {
	case game.WordState:
		left, right, align = k.letterRows(s.Turns(), s.Left()), k.keyboard(s.Turns()), lipgloss.Center
	case game.BoardState:
		left, right = append(k.hands(s.Deal()), ""), k.cardRows(s.Guesses(), s.Left())
	}
	var board []string
	switch together := width(left) + len(gap) + width(right); {
	case together < columns:
		board = strings.Split(lipgloss.JoinHorizontal(align, strings.Join(left, "\n"), gap, strings.Join(right, "\n")), "\n")
	default:
		board = slices.Concat(left, right)
	}
	if rows < 3 {
		return nil
	}
	if len(board) > rows-1 { // the last guesses matter most
		guesses := k.guessRows(m)
		board = guesses[max(0, len(guesses)-(rows-1)):]
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
		rows = append(rows, k.row(face.LetterTiles(t)))
	}
	for range left {
		rows = append(rows, k.dim(strings.Repeat(" · ", wordle.Length)))
	}
	return rows
}

// row draws a guess, in words if the player wants text.
func (k look) row(tiles bot.Line) string {
	if k.own.Text {
		tiles = tiles.InWords()
	}
	return strings.TrimSuffix(k.draw(tiles), "\n")
}

func (k look) dim(text string) string {
	if k.way == inColours {
		return sgrDim + text + sgrReset
	}
	return text
}

// keyboard shows what is known of each letter: [A] is in its place, (A) is elsewhere, and a
// letter that the word does not have is in lower case.
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
		rows = append(rows, k.row(face.CardTiles(s)))
	}
	for range left {
		rows = append(rows, k.dim("  ·    ·    ·     ·     ·  "))
	}
	return rows
}
