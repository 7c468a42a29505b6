package terminal

import (
	"fmt"
	"regexp"
	"strings"

	"charm.land/lipgloss/v2"

	"fivefold/bot/face"
	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/bot/picture"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
)

// typing is how a kind of game is typed and drawn in a terminal.
type typing struct {
	answer string                     // what is to be found
	begin  string                     // how to begin
	guess  string                     // what a guess is
	help   string                     // how to guess
	fits   *regexp.Regexp             // what can be typed into the tiles, up to now
	tiles  func(text string) []string // divides that into tiles
	wide   int                        // columns of what is in a tile

	// layout is what is left and right of one another, or above and below.
	layout func(k look, s game.State, tiles []string, size int, d draft) (left, right []string, align lipgloss.Position)
}

var typings = map[game.Kind]typing{
	wordgame.Kind: {
		answer: "hidden five-letter word",
		begin:  "Type any such word to begin, such as crane.",
		guess:  "a word",
		help:   "To guess, type a word.",
		fits:   regexp.MustCompile(`^\pL{0,5}$`),
		tiles:  func(text string) []string { return strings.Split(strings.ToUpper(text), "") },
		wide:   1,
		layout: func(k look, s game.State, tiles []string, _ int, d draft) (left, right []string, align lipgloss.Position) {
			if d.ended != nil {
				return tiles, d.ended, lipgloss.Center
			}
			turns := s.(wordgame.State).Turns()
			return tiles, k.keyboard(turns[:len(turns)-min(d.hidden, 1, len(turns))]), lipgloss.Center
		},
	},
	pokergame.Kind: {
		answer: "five cards on the table",
		begin:  "Type /pokle start to see the hands.",
		guess:  "five cards, first the three of the flop",
		help:   "To guess, type five cards: the flop, the turn, the river. T or 10 is a ten, and c, d, h, s are ♣ ♦ ♥ ♠.",
		fits:   regexp.MustCompile(`(?i)^((10|[2-9tjqka])[cdhs]){0,4}(1|(10|[2-9tjqka])[cdhs]?)?$`),
		tiles: func(text string) (tiles []string) {
			for _, card := range typedCard.FindAllString(text, -1) {
				tiles = append(tiles, suits.Replace(strings.ToUpper(card)))
			}
			return tiles
		},
		wide: cardColumns,
		layout: func(k look, s game.State, tiles []string, size int, d draft) (left, right []string, align lipgloss.Position) {
			return append(append(k.hands(s.(pokergame.State).Deal()), ""), d.ended...), append([]string{streets(size)}, tiles...), lipgloss.Top
		},
	},
}

var (
	typedCard = regexp.MustCompile(`(?i)(10?|[2-9tjqka])[cdhs]?`)
	suits     = strings.NewReplacer("T", "10", "C", "♣", "D", "♦", "H", "♥", "S", "♠")
)

func typingOf(f face.Face) typing { return typings[f.Kind] }

// streets are the names above the cards.
func streets(size int) string {
	wide, gap := cardColumns+2+2*min(size, 1), min(size, 1)
	apart := strings.Repeat(" ", gap+1)
	return lipgloss.PlaceHorizontal(3*wide+2*gap, lipgloss.Center, "flop") + apart +
		lipgloss.PlaceHorizontal(wide, lipgloss.Center, "turn") + apart + lipgloss.PlaceHorizontal(wide, lipgloss.Center, "river")
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
