package search

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/lexicon"
	"fivefold/solver/parallel"
	"fivefold/solver/solvertest"
)

// TestBoundsWholeTable: a set that is all of its table is counted in another way than
// one that is a part, and has the same bounds.
func TestBoundsWholeTable(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 7))
	all := wordletest.Embedded(t)
	for range 10 {
		guesses := solvertest.Sample(random, all.Guesses(), 500)
		slices.SortFunc(guesses, wordle.Word.Compare)
		x := lexicon.New(guesses)
		words := solvertest.Sample(random, guesses, 150)
		slices.SortFunc(words, wordle.Word.Compare)
		bounded := func(l *table, beta int32) (int32, []try) {
			s := New(x, false, 1<<16, 0)
			s.Stop = parallel.StopFlag(t.Context())
			columns := make([]uint16, len(words))
			for i := range columns {
				columns[i] = uint16(i)
			}
			tr := Set{table: l, columns: columns, rows: l.rows, left: len(words)}
			least, enough := s.boundGuesses(s.frame(0), tr, beta)
			if enough {
				return least, nil
			}
			return least, slices.Sorted(slices.Values(s.frame(0).tries))
		}
		whole := newTable(x, x.Numbers(x.Guesses), words, new(atomic.Bool))
		part := newTable(x, x.Numbers(x.Guesses), words, new(atomic.Bool))
		part.own = append(part.own, 0) // one more column, which the set does not have
		for _, beta := range []int32{Impossible, 2*150 + 60, 2*150 + 20} {
			least, tries := bounded(whole, beta)
			if wantLeast, want := bounded(part, beta); least != wantLeast || !slices.Equal(tries, want) {
				t.Fatalf("below %d: %d and %d guesses, want %d and %d", beta, least, len(tries), wantLeast, len(want))
			}
		}
	}
}
