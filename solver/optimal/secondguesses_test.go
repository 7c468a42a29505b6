package optimal

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/partition"
	"fivefold/solver/trees"
)

var prove = flag.Duration("prove", 0, "how long to prove second guesses, which are added to trees/secondguesses.txt")

const (
	proveFor     = 40 * time.Second // how long one position is searched for the file
	commonWords  = 300              // so many words of the highest weight are openers in it, apart from those with trees
	secondsAbove = 60               // second guesses are on record for more words
)

// secondOpeners returns the openers of the files: some that players have named, then those with the highest
// weights, and of equal ones those that take the fewest guesses.
func (s *Solver) secondOpeners() []wordle.Word {
	var openers []wordle.Word
	for _, text := range strings.Fields("ratio ouija aisle earth steam party later") {
		openers = append(openers, wordle.MustParse(text))
	}
	totals := s.builtIn.Openers(marks.Off).Totals
	weights := s.lists.Weights()
	var order []int
	for g := range totals {
		order = append(order, g)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(totals[a], totals[b]))
	})
	for _, g := range order[:commonWords] {
		if o := s.lists.Guesses()[g]; !slices.Contains(openers, o) && s.builtIn.Tree(marks.Off, o) == nil {
			openers = append(openers, o)
		}
	}
	return openers
}

// largeClasses returns the positions after the opener with more than secondsAbove words, those with the fewest first.
func (s *Solver) largeClasses(opener wordle.Word, hard marks.Hardness) (large []trees.First) {
	classes := partition.Classes(opener, s.lists.Answers())
	for f, words := range classes {
		if len(words) > secondsAbove {
			large = append(large, trees.First{Turn: wordle.Turn{Guess: opener, Feedback: wordle.Feedback(f)}, Hard: hard})
		}
	}
	slices.SortStableFunc(large, func(a, b trees.First) int { return len(classes[a.Feedback]) - len(classes[b.Feedback]) })
	return large
}

// TestSecondGuesses: for nearly all positions after the openers there is a proven second guess, and it is what a search
// finds today. Some of the smallest are searched again. With -prove it proves more first; it can be stopped and run again.
func TestSecondGuesses(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	s := New(wordletest.Embedded(t))
	known := s.builtIn.SecondGuesses()
	if file, err := os.ReadFile("../trees/secondguesses.txt"); !bytes.Equal(file, known.File(trees.Checksum(s.lists))) {
		t.Errorf("what is read from the file would be written otherwise: %v", err)
	}
	deadline := time.Now().Add(*prove)
	all, again := 0, 0
	for at, opener := range s.secondOpeners() {
		for _, hard := range []marks.Hardness{marks.Off, marks.Hard} {
			for i, first := range s.largeClasses(opener, hard) {
				all++
				p := Position{Turns: []wordle.Turn{first.Turn}, Hard: hard, Limit: wordle.Attempts}
				if _, ok := known[first]; !ok && time.Now().Before(deadline) {
					ctx, cancel := context.WithTimeout(t.Context(), proveFor)
					best := must(s.Solve(ctx, p, Effort{Workers: 1}))
					cancel()
					if best.Suggestions[0].Proven && best.Suggestions[0].Total > 0 {
						known[first] = trees.SecondGuess{Guess: best.Suggestions[0].Word, Total: int64(best.Suggestions[0].Total)}
						if err := os.WriteFile("../trees/secondguesses.txt", known.File(trees.Checksum(s.lists)), 0o644); err != nil {
							t.Fatal(err)
						}
					}
				}
				q := must(s.newProblem(p))
				best, ok := known[first]
				if ok && (int(best.Total) < 2*len(q.words) || !s.lists.CanPropose(best.Guess) || wordle.CheckClues(hard, p.Turns, best.Guess) != nil) {
					t.Errorf("%v: %v with %d cannot be proposed", first, best.Guess, best.Total)
				}
				if i > 0 || !ok || at%20 != 7 || len(q.words) > 80 {
					continue
				}
				again++
				hint := must(s.Suggest(t.Context(), p))
				search := newRootSearch(t.Context(), q, Effort{Workers: 1}.withDefaults())
				if search.onTable(); search.wantsFamiliar() {
					search.thorough = true
					search.onTable()
				}
				if found := search.solution(); !found.Suggestions[0].Proven || found.Suggestions[0].Word != hint.Word || found.Suggestions[0].Total != hint.Total || !hint.Proven {
					t.Errorf("%v: %+v is on record, not %+v; -prove makes the file", first, hint, found.Suggestions[0])
				}
			}
		}
	}
	if len(known)*100 < all*99 || again < 10 {
		t.Errorf("%d of %d positions are proven, %d again: too few; -prove makes the file", len(known), all, again)
	}
}
