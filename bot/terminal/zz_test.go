package terminal

import (
	"fmt"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"fivefold/bot"
	"fivefold/bot/face"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
)

type many struct {
	face.Display
	n int
}

func (k many) Attempts() int { return k.n + 5 }
func (k many) Aside(game.State) (all []bot.Block) {
	for i := range k.n {
		all = append(all, bot.Text(fmt.Sprintf("%d: _ R _ _ E · has A (not 2), N (not 3,4)", i+1)))
	}
	return all
}

type state struct {
	game.State
	left int
}

func (s state) AttemptsLeft() int { return s.left }
func (k many) Found(s game.State) (all []int) {
	for _, rows := range k.Boards(s) {
		n := len(rows)
		for _, t := range rows[n-1].Tiles {
			if t.Mark != marks.Green {
				n = 0
			}
		}
		all = append(all, n)
	}
	return all
}
func (k many) Boards(s game.State) [][]bot.Line {
	all := make([][]bot.Line, k.n)
	for i, w := range strings.Fields("PAPER CRONY LOWLY MUMMY SWORE DIGIT VEXED CHAFF")[:k.n] {
		h, _ := wordle.ParseWord(w)
		var turns []wordle.Turn
		for _, g := range os.Args[len(os.Args)-0:] {
			_ = g
		}
		for _, g := range strings.Fields(made) {
			word, _ := wordle.ParseWord(g)
			turns = append(turns, wordle.Turn{Guess: word, Feedback: wordle.Score(word, h)})
			if word == h {
				break
			}
		}
		for _, t := range turns {
			all[i] = append(all[i], wordgame.LetterTiles(t))
		}
	}
	return all
}

var made string

func TestZZ(t *testing.T) {
	for _, n := range []int{2, 4, 8} {
		for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 20}, {40, 20}, {30, 10}} {
			made = "SLATE CRONY BUMPH DIGIT FJORD VEXED WALTZ PAPER LOWLY SWORE CHAFF MAMMA QUEUE"[:6*min(n+2, 9)-1]
			m := atTerminal(t)
			m.types("slate\r")
			m.Faces[0].Display = many{m.Faces[0].Display, n}
			m.match.State = state{m.match.State, n + 5 - len(strings.Fields(made))}
			m.types("swo")
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			_, c := m.screenful()
			fmt.Println(n, size, *c)
			fmt.Println(strings.Join(m.frame(), "\n"))
			fmt.Println(strings.Repeat("=", size[0]))
		}
	}
	_ = marks.Length
}
