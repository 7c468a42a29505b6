package optimal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fivefold/solver/trees"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/solvertest"
)

var update = flag.Bool("update", false, "write the trees of common openers and the totals of all openers again")

// commonOpeners are first guesses that people like: those that published analyses of such
// games name among the best; those with many vowels; and everyday words of common letters.
var commonOpeners = strings.Fields(`
	salet crane slate trace crate carte reast raise arise tales tares least stale slant
	adieu audio irate
	stare tears store heart train great notes alone atone about house learn react`)

// mostTreeBytes is the most that the trees of common openers may add to the program.
const mostTreeBytes = 256 << 10

// TestOpenerTrees: there is a tree for each common opener in both modes, and each is what is
// grown today. In hard mode it is for six guesses if some play is sure to win with them, and
// otherwise without a limit. Some are compared each time; -update writes all again.
func TestOpenerTrees(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	t.Parallel()
	s := New(wordletest.Embedded(t))
	if len(commonOpeners) != 30 {
		t.Errorf("%d openers, not 30", len(commonOpeners))
	}
	size := 0
	for _, hard := range []marks.Hardness{marks.Off, marks.Hard} {
		files := must(os.ReadDir("../trees/" + hard.String()))
		if len(files) != len(commonOpeners) {
			t.Errorf("%s: %d trees for %d openers", hard.String(), len(files), len(commonOpeners))
		}
		for _, text := range commonOpeners {
			opener := wordle.MustParse(text)
			name := filepath.Join("..", "trees", hard.String(), text+".tree")
			if !*update {
				size += len(must(os.ReadFile(name)))
				tree := s.builtIn.Tree(hard, opener)
				if tree == nil || tree.Guess != opener || tree.Hard != hard || !tree.Proven() || hard == marks.Off && tree.Height > wordle.Attempts+1 {
					t.Fatalf("%s: %+v; -update writes it", name, tree)
				}
				after := []wordle.Turn{{Guess: opener, Feedback: 0}}
				if hint, ok := s.onTree(Position{Turns: after, Hard: hard, Limit: tree.Limit}); !ok || !hint.Proven {
					t.Errorf("%s: after it %+v, %t", name, hint, ok)
				}
				if hard == marks.Off && text != "crane" || hard != marks.Off && text != "slate" { // those are grown in a second
					continue
				}
			}
			p := Position{Hard: hard}
			if hard != marks.Off {
				p.Limit = wordle.Attempts
			}
			tree, err := s.Grow(t.Context(), opener, p, Effort{})
			if errors.Is(err, ErrNoPlay) {
				p.Limit = 0
				tree, err = s.Grow(t.Context(), opener, p, Effort{})
			}
			if err != nil {
				t.Fatal(name, err)
			}
			if opener == trees.BestOpener(hard) {
				tree.LeastOfAll = tree.Least // as go generate has proven
			}
			file := must(json.Marshal(tree))
			switch {
			case *update:
				if err := os.WriteFile(name, file, 0o644); err != nil {
					t.Fatal(err)
				}
			case !bytes.Equal(file, must(os.ReadFile(name))):
				t.Errorf("%s is another tree now; -update writes it", name)
			}
		}
	}
	if size > mostTreeBytes {
		t.Errorf("the trees have %d bytes, more than %d", size, mostTreeBytes)
	}
}

// peoplesStates are positions that people reach: after one of the openers, drawn by weight, and up to two words
// that were possible, in random games.
func peoplesStates(s *Solver, openers []wordle.Word, n int, hard marks.Hardness) []Position {
	random := rand.New(rand.NewPCG(34, 1))
	weights := s.lists.Weights()
	var sums []int
	sum := 0
	for _, g := range s.lexicon().Numbers(openers) {
		sum += int(weights[g])
		sums = append(sums, sum)
	}
	answers := s.lists.Answers()
	var states []Position
	for len(states) < n {
		hidden := answers[random.IntN(len(answers))]
		p := Position{Hard: hard, Limit: wordle.Attempts}
		at, _ := slices.BinarySearch(sums, 1+random.IntN(sum))
		guess := openers[at]
		for range 1 + random.IntN(3) {
			p.Turns = append(p.Turns, wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, hidden)})
			left := s.Remaining(p.Turns)
			guess = left[random.IntN(len(left))]
		}
		if len(s.Remaining(p.Turns)) > 2 {
			states = append(states, p)
		}
	}
	return states
}

// BenchmarkHintsForPeople reports how long hints take where people ask for them, what share is proven, and after
// what share a play is known that is sure to find the word, or proven that there is none: for openers with trees
// or second guesses on record, and for any.
func BenchmarkHintsForPeople(b *testing.B) {
	s := New(wordletest.Embedded(b))
	recorded := s.secondOpeners()
	for _, text := range commonOpeners {
		recorded = append(recorded, wordle.MustParse(text))
	}
	for _, hard := range []marks.Hardness{marks.Off, marks.Hard} {
		for name, openers := range map[string][]wordle.Word{"recorded": recorded, "any": s.lists.Guesses()} {
			b.Run(hard.String()+"/"+name, func(b *testing.B) {
				s := New(s.lists)
				states := peoplesStates(s, openers, 1000, hard)
				var times []time.Duration
				proven, soon, sure := 0.0, 0.0, 0.0
				for b.Loop() {
					times, proven, soon, sure = nil, 0, 0, 0
					for _, p := range states {
						start := time.Now()
						hint := must(s.Suggest(b.Context(), p))
						took := time.Since(start)
						times = append(times, took)
						if hint.Proven {
							proven++
							if took <= 50*time.Millisecond {
								soon++
							}
						}
						if hint.Proven || hint.Total > 0 {
							sure++
						}
					}
				}
				solvertest.ReportTimes(b, times)
				b.ReportMetric(proven/10, "%proven")
				b.ReportMetric(soon/10, "%proven-in-50ms")
				b.ReportMetric(sure/10, "%sure-play-known")
			})
		}
	}
}
