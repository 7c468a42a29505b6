package weighted

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/optimal"
)

var prove = flag.Duration("prove", 0, "how long to prove second guesses, which are added to proofs.txt")

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

// unproven returns the positions after the opener that are not proven, those with the heaviest
// words first, since these take least; and the weight of those that are proven, and of all. Those
// of few words count as proven.
func (w *Solver) unproven(t *testing.T, opener wordle.Word, hard bool) (open []firstKey, proven, all int64) {
	q, err := w.newProblem(optimal.Position{})
	if err != nil {
		t.Fatal(err)
	}
	classes := q.split(opener).by
	for f, c := range classes[:wordle.AllGreen] {
		p := secondKey(wordle.Turn{Guess: opener, Feedback: wordle.Feedback(f)}, hard)
		all += c.weight
		if _, ok := w.proofs()[p]; ok || c.words <= shippedWords {
			proven += c.weight
		} else {
			open = append(open, p)
		}
	}
	mean := func(p firstKey) int64 {
		c := classes[p.turn.Feedback]
		return c.weight / int64(c.words)
	}
	slices.SortStableFunc(open, func(a, b firstKey) int { return cmp.Compare(mean(b), mean(a)) })
	return open, proven, all
}

func (w *Solver) openedProblem(t *testing.T, p firstKey) *problem {
	q, err := w.newProblem(optimal.Position{Turns: []wordle.Turn{p.turn}, Hard: p.hard, Limit: wordle.Attempts})
	if err != nil {
		t.Fatal(err)
	}
	q.proof = proof{}
	return q
}

// TestProofsFile proves some of the file again. With -prove it proves more first; it can be
// stopped and run again.
func TestProofsFile(t *testing.T) {
	w := New(wordletest.Embedded(t))
	if *prove > 0 {
		w.addProofs(t, time.Now().Add(*prove))
	}
	again := 0
	for p, want := range w.proofs() {
		q := w.openedProblem(t, p)
		if len(q.words) > 60 || again == 50 {
			continue
		}
		again++
		got := q.search(t.Context(), time.Hour, 1)[0]
		if cost := int64(got.Guesses*float64(q.total) + 0.5); got.Word != want.guess || cost != want.cost || !got.Proven {
			t.Errorf("%v: got %+v, which costs %d, want %v for %d", p, got, cost, want.guess, want.cost)
		}
	}
	if again < 20 {
		t.Errorf("only %d proofs are for few words; -prove makes the file", again)
	}
}

// addProofs proves second guesses until the deadline, and writes the file.
func (w *Solver) addProofs(t *testing.T, deadline time.Time) {
	last := &passes[len(passes)-1]
	defer func(most int) { last.mostWords = most }(last.mostWords)
	last.mostWords = maxWords
	for _, name := range secondOpeners {
		for _, hard := range []bool{false, true} {
			open, proven, all := w.unproven(t, wordle.MustParse(name), hard)
			for _, p := range open {
				if time.Now().After(deadline) || float64(proven) >= wantedShare*float64(all) {
					break
				}
				q := w.openedProblem(t, p)
				if got := q.search(t.Context(), proveFor, 1)[0]; got.Proven {
					w.proofs()[p] = proof{got.Word, int64(got.Guesses*float64(q.total) + 0.5)}
					proven += q.total
				}
			}
			t.Logf("%s, hard %v: %.3f of all chances", name, hard, float64(proven)/float64(all))
			var lines []string
			for p, best := range w.proofs() {
				mode := "easy"
				if p.hard {
					mode = "hard"
				}
				lines = append(lines, strings.ToLower(fmt.Sprintf("%s %v %v %v %d\n", mode, p.turn.Guess, p.turn.Feedback, best.guess, best.cost)))
			}
			slices.Sort(lines)
			if err := os.WriteFile("proofs.txt", []byte(w.checksum()+"\n"+strings.Join(lines, "")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
