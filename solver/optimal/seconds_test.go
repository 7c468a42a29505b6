package optimal

import (
	"cmp"
	"context"
	"encoding/json"
	"fivefold/solver/trees"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/partition"
)

var prove = flag.Duration("prove", 0, "how long to prove second guesses, which are added to trees/*.seconds")

// proveFor is how long one position is searched for the files, and commonWords how many words of the highest
// weight are openers in them, apart from those with trees.
const (
	proveFor    = 40 * time.Second
	commonWords = 300
)

// secondOpeners returns the openers of the files: some that players have named, then those with the highest
// weights, and of equal ones those that take the fewest guesses.
func (s *Solver) secondOpeners() []wordle.Word {
	var openers []wordle.Word
	for _, text := range strings.Fields("ratio ouija aisle earth steam party later") {
		openers = append(openers, wordle.MustParse(text))
	}
	totals := must(s.builtIn.Openers(false)).Totals
	weights := s.lists.Weights()
	var order []int
	for g := range totals {
		order = append(order, g)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), cmp.Compare(totals[a], totals[b]))
	})
	for _, g := range order[:commonWords] {
		if o := s.lists.Guesses()[g]; !slices.Contains(openers, o) && must(s.builtIn.Tree(false, o)) == nil {
			openers = append(openers, o)
		}
	}
	return openers
}

// TestSecondGuesses proves some of the files again: of each opener in one mode, the smallest class. With -prove it
// proves more first; it can be stopped and run again.
func TestSecondGuesses(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	s := New(wordletest.Embedded(t))
	if *prove > 0 {
		s.addSeconds(t, time.Now().Add(*prove))
		s = New(s.lists)
	}
	all, proven, again := 0, 0, 0
	for at, opener := range s.secondOpeners() {
		for _, hard := range []bool{false, true} {
			smallest := Position{Hard: hard, Limit: wordle.Attempts}
			least := len(s.lists.Answers())
			for f, words := range partition.Classes(opener, s.lists.Answers()) {
				if len(words) <= trees.SecondsAbove {
					continue
				}
				all++
				first := wordle.Turn{Guess: opener, Feedback: wordle.Feedback(f)}
				best, total := must(s.builtIn.Seconds(hard)).Find(s.lists.Answers(), first)
				if best == 0 {
					continue
				}
				proven++
				if total < 2*len(words) || !s.lists.CanPropose(best) || hard && wordle.CheckHard([]wordle.Turn{first}, best) != nil {
					t.Errorf("hard %v, %v: %v with %d cannot be proposed", hard, first, best, total)
				}
				if len(words) < least {
					smallest.Turns, least = []wordle.Turn{first}, len(words)
				}
			}
			if at%20 != 7 || least > 80 {
				continue
			}
			again++
			hint := must(s.Suggest(t.Context(), smallest))
			q := must(s.newProblem(smallest))
			search := newRootSearch(t.Context(), q, Effort{Workers: 1}.withDefaults())
			if search.onTable(); search.wantsFamiliar() {
				search.thorough = true
				search.onTable()
			}
			if found := search.solution(); !found.Proven || found.Suggestions[0].Word != hint.Word || found.Total != hint.Total || !hint.Proven {
				t.Errorf("hard %v, %v: %+v is on record, not %+v; -prove makes the files", hard, smallest.Turns, hint, found.Suggestions[0])
			}
		}
	}
	if proven*100 < all*99 || again < 10 {
		t.Errorf("%d of %d positions are proven, %d again: too few; -prove makes the files", proven, all, again)
	}
}

// addSeconds proves second guesses until the deadline, and writes the files.
func (s *Solver) addSeconds(t *testing.T, deadline time.Time) {
	for _, hard := range []bool{false, true} {
		name := "../trees/" + trees.Folder(hard) + ".seconds"
		file := &trees.Seconds{Lists: trees.Checksum(s.lists), After: map[string]string{}}
		if known := must(s.builtIn.Seconds(hard)); known != nil {
			file = known
		}
		for _, opener := range s.secondOpeners() {
			lower := strings.ToLower(opener.String())
			if _, done := file.After[lower]; done || time.Now().After(deadline) {
				continue
			}
			var line []string
			for f, words := range partition.Classes(opener, s.lists.Answers()) {
				if len(words) <= trees.SecondsAbove {
					continue
				}
				ctx, cancel := context.WithTimeout(t.Context(), proveFor)
				first := wordle.Turn{Guess: opener, Feedback: wordle.Feedback(f)}
				best := must(s.Solve(ctx, Position{Turns: []wordle.Turn{first}, Hard: hard, Limit: wordle.Attempts}, Effort{Workers: 1}))
				cancel()
				if best.Proven && best.Total > 0 {
					line = append(line, fmt.Sprintf("%s %d", strings.ToLower(best.Suggestions[0].Word.String()), best.Total))
				} else {
					line = append(line, "- -")
				}
			}
			file.After[lower] = strings.Join(line, " ")
			text := append(must(json.Marshal(file.Lists)), `,"after":`+string(must(json.MarshalIndent(file.After, "", "")))+"}\n"...)
			if err := os.WriteFile(name, append([]byte(`{"lists":`), text...), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestSecondGuessesMissing: where nothing is on record, nothing is found.
func TestSecondGuessesMissing(t *testing.T) {
	lists := wordletest.Embedded(t)
	first := wordle.Turn{Guess: wordle.MustParse("fuzzy")}
	for text, want := range map[string]int{
		`{"after":{"fuzzy":"crane 9000"}}`: 9000,
		`{"after":{"fuzzy":"- -"}}`:        0,
		`{"after":{"crane":"crane 9000"}}`: 0,
	} {
		if best, total := must(trees.ReadSeconds(lists, []byte(text))).Find(lists.Answers(), first); total != want || (best != 0) != (want > 0) {
			t.Errorf("%s: %v, %d", text, best, total)
		}
	}
	if _, err := trees.ReadSeconds(lists, []byte(`{"after":`)); err == nil {
		t.Error("a file that is cut short is read")
	}
	if other, err := New(wordletest.Lists(t, "crane", "crane slate")).builtIn.Seconds(true); other != nil || err != nil {
		t.Errorf("for other lists: %v, %v", other, err)
	}
}
