package poker

import (
	"slices"

	"fivefold/game/pokle"
	"fivefold/solver/entropy"
)

// classes counts boards by their feedback for a guess.
type classes [pokle.Feedbacks]int

// feedbacks returns, by board, the feedback that a game gives the guess. It agrees with [pokle.Deal.Score], but
// checks only once whether the guess fits the deal.
func feedbacks(d pokle.Deal, guess pokle.Board, boards []pokle.Board) []uint8 {
	fits := d.Fits(guess) == nil
	row := make([]uint8, len(boards))
	for i, b := range boards {
		f := pokle.Score(guess, b)
		if fits && guess.Alike(b) {
			f = pokle.AllGreen
		}
		row[i] = uint8(f)
	}
	return row
}

func classesOf(row []uint8) classes {
	var c classes
	for _, f := range row {
		c[f]++
	}
	return c
}

// expected returns the average number of boards that stay possible.
func (c classes) expected() float64 {
	n, squares := 0, 0
	for _, x := range c {
		n += x
		squares += x * x
	}
	return float64(squares) / float64(n)
}

// logs returns the logs of a [rankedGuess] with these classes. A lower sum means more information.
func (c classes) logs() int64 {
	sum, logs := int64(0), entropy.Logs(slices.Max(c[:]))
	for _, x := range c {
		sum += logs[x]
	}
	return sum
}
