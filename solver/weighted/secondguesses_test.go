package weighted

import (
	"cmp"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/optimal"
	"fivefold/solver/trees"
)

var prove = flag.Duration("prove", 0, "how long to prove second guesses, which are added to secondguesses.txt")

// proveFor is how long one position is searched for the file, and wantedShare how much of an
// opener's weight, at most, is proven.
const (
	proveFor    = 90 * time.Second
	wantedShare = 0.93
)

// secondOpeners are the openers of the file, the commonest first. They are among those of
// the trees in package solver.
var secondOpeners = strings.Fields("salet slate raise stare trace crate adieu arise crane audio irate least " +
	"stale house train about great heart learn alone react tares atone carte tears slant reast notes store tales")

// unproven returns the positions after the opener that are to be proven, those with the heaviest
// words first, since these take least.
func (w *Solver) unproven(t *testing.T, opener wordle.Word, hard marks.Hardness) (open []trees.First) {
	q, err := w.newProblem(optimal.Position{})
	if err != nil {
		t.Fatal(err)
	}
	classes := q.split(opener).by
	proven := int64(0)
	for f, c := range classes[:wordle.AllGreen] {
		p := trees.First{Turn: wordle.Turn{Guess: opener, Feedback: wordle.Feedback(f)}, Hard: hard}
		if _, ok := q.second[p]; ok || c.words <= shippedWords {
			proven += c.weight
		} else {
			open = append(open, p)
		}
	}
	mean := func(p trees.First) int64 { return classes[p.Feedback].weight / int64(classes[p.Feedback].words) }
	slices.SortStableFunc(open, func(a, b trees.First) int { return cmp.Compare(mean(b), mean(a)) })
	for i, p := range open {
		if float64(proven) >= wantedShare*float64(q.total) {
			return open[:i]
		}
		proven += classes[p.Feedback].weight
	}
	return open
}

// prove searches for the best second guess. It is zero if the time is not enough.
func (w *Solver) prove(t *testing.T, p trees.First, limit time.Duration) trees.SecondGuess {
	q, err := w.newProblem(optimal.Position{Turns: []wordle.Turn{p.Turn}, Hard: p.Hard, Limit: wordle.Attempts})
	if err != nil {
		t.Fatal(err)
	}
	q.proof = trees.SecondGuess{}
	got := q.search(t.Context(), limit, 1)[0]
	if !got.Proven {
		return trees.SecondGuess{}
	}
	return trees.SecondGuess{Guess: got.Word, Total: int64(got.Guesses*float64(q.total) + 0.5)}
}

// TestSecondGuesses proves some of the file again. With -prove it proves more first; it can be
// stopped and run again.
func TestSecondGuesses(t *testing.T) {
	w := New(wordletest.Embedded(t))
	last := &passes[len(passes)-1]
	defer func(most int) { last.mostWords = most }(last.mostWords)
	deadline := time.Now().Add(*prove)
	for _, name := range secondOpeners {
		for _, hard := range []marks.Hardness{marks.Off, marks.Hard} {
			for _, p := range w.unproven(t, wordle.MustParse(name), hard) {
				if time.Now().After(deadline) {
					break
				}
				last.mostWords = maxWords
				if best := w.prove(t, p, proveFor); best.Guess != 0 {
					w.known().second[p] = best
					file := w.known().second.File(checksum(w.lists, w.lists.Weights()))
					if err := os.WriteFile("secondguesses.txt", file, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	again := 0
	for p, want := range w.known().second {
		if again == 50 || len(w.fitting([]wordle.Turn{p.Turn})) > 60 {
			continue
		}
		again++
		if got := w.prove(t, p, time.Hour); got != want {
			t.Errorf("%v: got %+v, want %+v", p, got, want)
		}
	}
	if again < 20 {
		t.Errorf("only %d proofs are for few words; -prove makes the file", again)
	}
}
