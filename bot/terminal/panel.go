package terminal

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
)

// gap is between two parts of a board that are next to each other.
const gap = "     "

func width(rows []string) int { return lipgloss.Width(strings.Join(rows, "\n")) }

// centred puts blocks of rows below one another, each in the middle.
func centred(blocks ...[]string) []string {
	var rows []string
	wide := width(slices.Concat(blocks...))
	for _, block := range blocks {
		left := strings.Repeat(" ", (wide-width(block))/2)
		for _, row := range block {
			rows = append(rows, left+row)
		}
	}
	return rows
}

// panel draws a match in at most that many rows, or a few more at the end: its title, the board with
// a draft in the largest tiles that fit, and what is known of the letters. If not all of that fits,
// there are only the latest guesses below the title, and nothing at all in fewer than three rows.
func (k look) panel(f face.Face, m game.Match, columns, rows int, d draft) (panel []string, all bool) {
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
	title = sgrBold + title + sgrReset
	if rows < 3 {
		return nil, false
	}
	var guesses []bot.Line
	wide := 1
	switch s := m.State.(type) {
	case wordgame.State:
		for _, t := range s.Turns() {
			guesses = append(guesses, wordgame.LetterTiles(t))
		}
	case pokergame.State:
		wide = cardColumns
		for _, step := range s.Guesses() {
			guesses = append(guesses, pokergame.CardTiles(step))
		}
	}
	unused := m.State.Left()
	if m.Status() != game.Playing && len(d.ended) > 0 {
		unused = 0
	}
	for size := largeTile; size >= smallTile; size-- {
		var left, right []string // or above and below
		align := lipgloss.Top
		tiles := k.tileRows(guesses, unused, wide, size, columns, d)
		switch s := m.State.(type) {
		case wordgame.State:
			left, right, align = tiles, d.ended, lipgloss.Center
			if d.ended == nil {
				right = k.keyboard(s.Turns()[:len(s.Turns())-min(d.hidden, 1, len(s.Turns()))])
			}
		case pokergame.State:
			left, right = append(append(k.hands(s.Deal()), ""), d.ended...), append([]string{streets(size)}, tiles...)
		}
		board := strings.Split(lipgloss.JoinHorizontal(align, strings.Join(left, "\n"), gap, strings.Join(right, "\n")), "\n")
		if width(board) >= columns {
			board = centred(left, right)
		}
		room := rows
		if size == smallTile && d.ended != nil {
			room += 2 // as little is said below
		}
		if len(board) < room && (size == smallTile || width(board) < columns) {
			return centred([]string{title}, board), true
		}
	}
	latest := k.tileRows(guesses, min(unused, 1), wide, smallTile, columns, d) // these matter most
	return centred([]string{title}, latest[max(0, len(latest)-(rows-1)):]), false
}

// streets are the names above the cards.
func streets(size int) string {
	wide, gap := cardColumns+2+2*min(size, 1), min(size, 1)
	apart := strings.Repeat(" ", gap+1)
	return lipgloss.PlaceHorizontal(3*wide+2*gap, lipgloss.Center, "flop") + apart +
		lipgloss.PlaceHorizontal(wide, lipgloss.Center, "turn") + apart + lipgloss.PlaceHorizontal(wide, lipgloss.Center, "river")
}

// row draws a guess, in words if the player wants text.
func (k look) row(tiles bot.Line) string {
	if k.own.Text {
		tiles = tiles.InWords()
	}
	return strings.TrimSuffix(k.draw(tiles), "\n")
}

func dim(text string) string { return sgrDim + text + sgrReset }

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
				row += dim(" " + strings.ToLower(string(letter)) + " ")
			default:
				row += k.tile(string(letter), best[letter], 0)
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
			places = append(places, fmt.Sprintf("%-4s", picture.Ordinals[d.Places[s][i]]))
		}
		rows = append(rows, strings.TrimRight(row+strings.Join(places, " · "), " "))
	}
	return rows
}
