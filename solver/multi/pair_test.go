package multi

import (
	"context"
	"math"
	"slices"
	"testing"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/partition"
	"fivefold/solver/solvertest"
)

// TestPair compares the look ahead for two boards with plain code.
func TestPair(t *testing.T) {
	s := New(wordletest.Embedded(t))
	q, err := s.newProblem(context.Background(), Position{Limit: 7, Boards: [][]wordle.Turn{
		solvertest.Turns("point", "crate"), solvertest.Turns("happy", "crate")}})
	if err != nil {
		t.Fatal(err)
	}
	q.made, _ = q.Number(wordle.MustParse("fuzzy"))
	ranked := q.rank()
	got := q.pair(ranked)
	if !slices.ContainsFunc(got, func(c candidate) bool { return c.guess == q.made }) || len(got) != pairTries+1 {
		t.Errorf("%d guesses, or FUZZY is missing", len(got))
	}
	replies := slices.Clone(q.words)
	for _, c := range slices.Concat(got, ranked[:pairReplies]) {
		replies = append(replies, q.Guesses[c.guess])
	}
	mean := func(guess wordle.Word, words []wordle.Word) float64 {
		sum := 0.0
		for f, class := range partition.Classes(guess, words) {
			if f == int(wordle.AllGreen) {
				sum += 1.5 * float64(len(class))
			} else if n := len(class); n > 0 {
				sum += float64(n) * worth(n)
			}
		}
		return sum / float64(len(words))
	}
	for _, c := range got[:1] {
		want := 1.0
		for f, x := range partition.Classes(q.Guesses[c.guess], q.left[0]) {
			for g, y := range partition.Classes(q.Guesses[c.guess], q.left[1]) {
				if len(x) == 0 || len(y) == 0 {
					continue
				}
				least := 4 - 2*worth(len(x))*worth(len(y))*1.5
				if f != int(wordle.AllGreen) && g != int(wordle.AllGreen) {
					least = 5
					for _, r := range replies {
						least = min(least, 5-2*mean(r, x)*mean(r, y))
					}
				}
				want += least * float64(len(x)*len(y)) / float64(len(q.left[0])*len(q.left[1]))
			}
		}
		if math.Abs(c.expected-want) > 1e-3 {
			t.Errorf("%v: %.5f, by plain code %.5f", q.Guesses[c.guess], c.expected, want)
		}
	}
}

// TestFamiliarFirst checks that people's words come first among those that are equally good.
func TestFamiliarFirst(t *testing.T) {
	best, err := New(wordletest.Lists(t, "BATCH WATCH", "BATCH WATCH CRANE")).Suggest(context.Background(),
		Position{Boards: [][]wordle.Turn{solvertest.Turns("watch", "crane")}}, 1)
	if err != nil || best[0].Word.String() != "WATCH" {
		t.Errorf("%v, %v", best, err)
	}
}

func TestPairOpener(t *testing.T) {
	s := New(wordletest.Embedded(t))
	for boards, want := range map[int]bool{2: true, 4: false} {
		best, err := s.Suggest(context.Background(), Position{Boards: make([][]wordle.Turn, boards)}, 3000)
		if err != nil || (best[0].Word == pairOpener) != want {
			t.Errorf("%d boards: %v, %v", boards, best[0], err)
		}
		seen := map[wordle.Word]bool{}
		for _, one := range best {
			seen[one.Word] = true
		}
		if len(seen) != 3000 {
			t.Errorf("%d boards: %d different openers of 3000", boards, len(seen))
		}
	}
}
