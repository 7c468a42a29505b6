package optimal

import (
	"cmp"
	"context"
	"encoding/json"
	"fivefold/solver/trees"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/grade"
	"fivefold/solver/parallel"
	"fivefold/solver/search"
	"fivefold/solver/solvertest"
)

// The effort for the totals of openers. With a beam of 5 they exceed the exact totals by
// 0.03 % on average and take a third of a second, while exact ones take from half a
// second to minutes; solver/README.md has the measurements.
const (
	openerBeam   = 5
	openerMemory = 32 << 20
	exactOpeners = 64 // how many of the best get exact totals
)

// workOutOpeners computes the total of every opener for the solver's lists, in games without a limit:
// exact for the best ones, with a beam for the others. That takes about twenty minutes for 11 000
// words on two cores. The totals are the same every time, since every opener is searched by a single
// goroutine with a memory of its own.
func (s *Solver) workOutOpeners(tb testing.TB, hard marks.Hardness) *trees.Openers {
	tb.Helper()
	q := must(s.newProblem(Position{Hard: hard}))
	q.left = len(q.words) + 1 // enough even after a useless guess
	table := &trees.Openers{Lists: trees.Checksum(s.lists), Totals: make([]int32, len(q.Guesses))}
	numbers := make([]int, len(q.Guesses))
	for g := range numbers {
		numbers[g] = g
	}
	for _, beam := range []int{openerBeam, 0} {
		parallel.Each(tb.Context(), 0, len(numbers), func(_, i int) {
			g := numbers[i]
			table.Totals[g] = q.openerTotal(tb.Context(), q.Guesses[g], beam)
		})
		slices.SortStableFunc(numbers, func(a, b int) int { return cmp.Compare(table.Totals[a], table.Totals[b]) })
		numbers = numbers[:min(exactOpeners, len(numbers))]
	}
	slices.Sort(numbers)
	for _, g := range numbers {
		table.Exact = append(table.Exact, q.Guesses[g])
	}
	return table
}

// openerTotal returns the total of an opener; with a beam, that of the best play found.
func (q *problem) openerTotal(ctx context.Context, guess wordle.Word, beam int) int32 {
	team := newTeam(q, Effort{Workers: 1, Memory: openerMemory}, beam)
	return team.cost(ctx, openingOf(q, guess), search.Impossible)
}

// openerTolerance is the share by which a total with the beam may exceed the exact one. Of
// those in solver/README.md the worst exceeds it by 0.18 %.
const openerTolerance = 0.003

// TestBuiltInOpeners computes some of the totals again: those with a beam are the
// same to the last guess, and hardly above the exact ones. With -update it computes all, and writes them.
func TestBuiltInOpeners(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	t.Parallel()
	s := New(wordletest.Embedded(t))
	for _, c := range []struct {
		hard    marks.Hardness
		beam    []string // any
		exactly []string // of which the exact totals do not take long
		best    string
		inTime  string // the best for six guesses, as in the tree
		least   int32
	}{
		{marks.Off, []string{"abaca", "mixen", "zymic"}, []string{"slate", "cotes", "crane"}, "SLATE", "SLATE", 7938},
		{marks.Hard, []string{"abaca", "mixen", "zymic"}, []string{"salet", "trace", "cotes"}, "TRACE", "SALET", 8130},
	} {
		if *update {
			file := must(json.Marshal(s.workOutOpeners(t, c.hard)))
			if err := os.WriteFile("../trees/"+c.hard.String()+".openers", file, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		table := s.builtIn.Openers(c.hard)
		if table == nil {
			t.Fatal("there are no totals; go generate makes them")
		}
		q := must(s.newProblem(Position{Hard: c.hard}))
		entry := func(text string) (word wordle.Word, total int32, exact bool) {
			word = wordle.MustParse(text)
			g, ok := q.Number(word)
			if !ok {
				t.Fatalf("%v is not a guess", word)
			}
			return word, table.Totals[g], slices.Contains(table.Exact, word)
		}
		for _, text := range c.beam {
			if word, total, exact := entry(text); !exact && total != q.openerTotal(t.Context(), word, openerBeam) {
				t.Errorf("hard %v: the total of %v is not %d; go generate makes it", c.hard, word, total)
			}
		}
		for _, text := range c.exactly {
			word, total, isExact := entry(text)
			exact := q.openerTotal(t.Context(), word, 0)
			if total < exact || float64(total-exact) > openerTolerance*float64(exact) || isExact && total != exact {
				t.Errorf("hard %v: the total of %v is %d (exact: %v), not %d", c.hard, word, exact, isExact, total)
			}
		}
		best := q.Guesses[slices.MinFunc(q.Proposals, func(a, b int32) int { return cmp.Compare(table.Totals[a], table.Totals[b]) })]
		_, least, _ := entry(best.String())
		if len(table.Exact) != exactOpeners || !slices.Contains(table.Exact, best) {
			t.Errorf("hard %v: %d totals are exact: %v", c.hard, len(table.Exact), table.Exact)
		}
		if best.String() != c.best || least != c.least {
			t.Errorf("hard %v: the best opener is %v with %d, not %s with %d", c.hard, best, least, c.best, c.least)
		}
		r, err := s.Review(t.Context(), Played{Turns: []wordle.Turn{{Guess: best, Feedback: 0}}, Hard: c.hard})
		// Without a limit TRACE needs the least in hard mode, but it is not sure to win in time.
		if err != nil || r.Guesses[0].Best.String() != c.inTime || (r.Guesses[0].Skill == 99) != (c.hard == marks.Off) || r.Guesses[0].Proven != (c.hard == marks.Off) {
			t.Errorf("hard %v: %+v, %v", c.hard, r, err)
		}
	}
}

// TestWorkOutOpeners compares with the page of plain code: with so few words all
// totals are exact.
func TestWorkOutOpeners(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(21, 0))
	all := wordletest.Embedded(t).Guesses()
	for i := range 40 {
		guesses := solvertest.Alike(random, all, 10)
		answers := solvertest.Sample(random, guesses, 1+random.IntN(min(len(guesses), 10)))
		s := New(wordletest.Lists(t, solvertest.Join(answers), solvertest.Join(guesses)))
		hard := marks.Hardness(i % 3)
		table := s.workOutOpeners(t, hard)
		for g, guess := range s.lists.Guesses() {
			judged, _ := judgePlain(s.lists, []wordle.Turn{{Guess: guess, Feedback: wordle.Score(guess, answers[0])}}, hard)
			want := judged.Skill
			n, total := float64(len(answers)), table.Totals[g]
			if got := grade.Skill(n, float64(slices.Min(table.Totals)), float64(total)); got != want || !slices.Contains(table.Exact, guess) {
				t.Fatalf("%s of %s, hard %v: %v with %+v has skill %v, want %v", solvertest.Join(answers), solvertest.Join(guesses), hard, guess, total, got, want)
			}
		}
	}
}
