package weighted

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/lexicon"
	"fivefold/solver/optimal"
	"fivefold/solver/parallel"
	"fivefold/solver/partition"
	"fivefold/solver/solvertest"
)

// mustWeigh returns a solver for the guesses, with these weights. Some of them are withheld.
func mustWeigh(t *testing.T, guesses []wordle.Word, weights []int32, withheld map[wordle.Word]int64) *Solver {
	t.Helper()
	w := New(wordletest.Lists(t, solvertest.Join(guesses[:1]), solvertest.Join(guesses)))
	x := lexicon.New(guesses)
	x.Proposals = slices.DeleteFunc(x.Proposals, func(g int32) bool { return withheld[guesses[g]] > 0 })
	known := knowledgeOf(w.lists, x, weights)
	w.known = func() *knowledge { return known }
	w.SuggestTime = time.Hour
	return w
}

// TestSuggestAgainstPlain compares with the page of plain code above, on random
// small lists of words that are alike and weigh very differently.
func TestSuggestAgainstPlain(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 1))
	all := wordletest.Embedded(t).Guesses()
	searched := 0
	for i := range 160 {
		guesses := solvertest.Alike(random, all, 8)
		guesses = guesses[:min(len(guesses), 14)] // of more, the plain code takes seconds
		slices.SortFunc(guesses, wordle.Word.Compare)
		weights := make([]int32, len(guesses))
		for j := range weights {
			weights[j] = 1
			if i%3 > 0 {
				weights[j] = []int32{1, 3, 20, 200, 9950}[random.IntN(5)]
			}
		}
		withheld := map[wordle.Word]int64{}
		if i%4 == 1 {
			for _, j := range random.Perm(len(guesses))[:1+random.IntN(len(guesses))] {
				if withheld[guesses[j]] = int64(weights[j]); !wordle.Familiar(weights[j]) {
					withheld[guesses[j]] = max(1, int64(weights[j])/10)
				}
			}
		}
		p := optimal.Position{Hard: marks.Hardness(i / 3 % 3), Limit: random.IntN(7)}
		if p.Limit != 1 && random.IntN(2) == 0 {
			first, hidden := guesses[random.IntN(len(guesses))], guesses[random.IntN(len(guesses))]
			if first != hidden {
				p.Turns = []wordle.Turn{{Guess: first, Feedback: wordle.Score(first, hidden)}}
			}
		}
		possible, total := map[wordle.Word]int64{}, int64(0)
		var answers []solvertest.Answer[wordle.Word]
		for j, g := range guesses {
			if lexicon.Fits(g, p.Turns) {
				possible[g] = cmp.Or(withheld[g], int64(weights[j]))
				answers = append(answers, solvertest.Answer[wordle.Word]{Word: g, Weight: possible[g]})
				total += possible[g]
			}
		}
		left := len(possible)
		if p.Limit > 0 {
			left = min(left, p.Limit-len(p.Turns))
		}
		allowed := func(turns []wordle.Turn, answers []solvertest.Answer[wordle.Word]) []wordle.Word {
			// A withheld word is guessed only if no other is possible.
			others := slices.ContainsFunc(answers, func(a solvertest.Answer[wordle.Word]) bool { return withheld[a.Word] == 0 })
			return slices.DeleteFunc(slices.Clone(guesses), func(g wordle.Word) bool {
				return wordle.CheckClues(p.Hard, turns, g) != nil || others && withheld[g] > 0
			})
		}
		plain := solvertest.Plain[wordle.Word]{Score: wordle.Score, Guesses: allowed, Loss: LossCost}
		want := float64(plain.Cost(answers, p.Turns, left)) / float64(total)
		costs := map[wordle.Word]float64{}
		for _, g := range allowed(p.Turns, answers) {
			if possible[g] > 0 || len(possible) > 1 && partition.SplitBy(g, slices.Collect(maps.Keys(possible))).Classes > 1 {
				costs[g] = float64(plain.CostOf(g, answers, p.Turns, left)) / float64(total)
			}
		}
		const k = 3
		w := mustWeigh(t, guesses, weights, withheld)
		got, err := w.Suggest(t.Context(), p, optimal.Optimal, k)
		if err != nil {
			t.Fatal(err)
		}
		fault := func(format string, args ...any) {
			t.Fatalf("case %d: guesses %s, weights %v, withheld %v, %+v:\n%+v\n%s", i, solvertest.Join(guesses), weights, withheld, p, got, fmt.Sprintf(format, args...))
		}
		if len(got) > k || !got[0].Proven || math.Abs(got[0].Guesses-want) > 1e-9 {
			fault("want %v guesses, proven", want)
		}
		sorted := slices.Sorted(maps.Values(costs))
		for g, cost := range costs {
			if math.Abs(cost-want) < 1e-9 && possible[g] > possible[got[0].Word] {
				fault("of equal ones %v is likelier", g)
			}
		}
		for j, a := range got {
			cost, allowed := costs[a.Word]
			if !allowed || math.Abs(a.Guesses-cost) > 1e-9 || math.Abs(sorted[j]-cost) > 1e-9 || j > 0 && a.Proven {
				fault("%v takes %v, the guess at its place %v", a.Word, cost, sorted[j])
			}
			if want := float64(possible[a.Word]) / float64(total); a.Chance != want || a.Remaining != len(possible) {
				fault("%v has the chance %v among %d words", a.Word, want, len(possible))
			}
		}
		if len(possible) > fewWords {
			searched++
		}
	}
	if searched < 40 {
		t.Errorf("only %d cases had words enough for the whole search", searched)
	}
}

// TestHardModeRemembersClues: what a guess costs is the sum of what it leaves, also where several
// guesses leave the same words, but not the same clues.
func TestHardModeRemembersClues(t *testing.T) {
	lists := wordletest.Lists(t, "adzed", "adzed boded boked boned booed bored bowed boxed caged caked caned caped cared chiro loafs neals sairs serfs slunk sopra vives wreak")
	w := mustWeigh(t, lists.Guesses(), slices.Repeat([]int32{1}, len(lists.Guesses())), nil)
	for _, hard := range []marks.Hardness{marks.Hard, marks.Ultra} {
		all, err := w.Suggest(t.Context(), optimal.Position{Hard: hard}, optimal.Optimal, len(lists.Guesses()))
		if err != nil || len(all) < 20 {
			t.Fatal(all, err)
		}
		for _, got := range all {
			want := 1.0
			for f, words := range partition.Classes(got.Word, lists.Guesses()) {
				if len(words) == 0 || wordle.Feedback(f) == wordle.AllGreen {
					continue
				}
				after := []wordle.Turn{{Guess: got.Word, Feedback: wordle.Feedback(f)}}
				best, err := w.Suggest(t.Context(), optimal.Position{Turns: after, Hard: hard}, optimal.Optimal, 1)
				if err != nil {
					t.Fatal(err)
				}
				want += best[0].Guesses * float64(len(words)) / float64(len(lists.Guesses()))
			}
			if math.Abs(got.Guesses-want) > 1e-9 {
				t.Errorf("%v: %v takes %v guesses, and what it leaves %v", hard, got.Word, got.Guesses, want)
			}
		}
	}
}

// TestMeasuresAgainstPlain counts again, from the chances of the words, what each strategy goes by.
func TestMeasuresAgainstPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 9))
	all := wordletest.Embedded(t).Guesses()
	// The figure from the chances of the feedbacks, the likeliest word of each, and the chance to win.
	plain := map[string]func(sum, largest map[wordle.Feedback]float64, own float64) float64{
		"expected": func(sum, _ map[wordle.Feedback]float64, own float64) float64 {
			average := -own * own
			for _, p := range sum {
				average += p * p
			}
			return average
		},
		"entropy": func(sum, _ map[wordle.Feedback]float64, own float64) float64 {
			bits := own
			for _, p := range sum {
				bits -= p * math.Log2(p)
			}
			return bits
		},
		"minimax": func(sum, _ map[wordle.Feedback]float64, _ float64) float64 {
			return slices.Max(slices.Collect(maps.Values(sum)))
		},
		"parts": func(_, largest map[wordle.Feedback]float64, own float64) float64 {
			for _, p := range largest {
				own += p
			}
			return own
		},
	}
	if len(plain) != len(measures) {
		t.Fatalf("%d strategies are compared, of %d", len(plain), len(measures))
	}
	for i := range 100 {
		guesses := solvertest.Alike(random, all, 30)
		slices.SortFunc(guesses, wordle.Word.Compare)
		weights := make([]int32, len(guesses))
		for j := range weights {
			weights[j] = []int32{1, 20, 200, 9950}[random.IntN(4)]
		}
		hidden := guesses[random.IntN(len(guesses))]
		p := optimal.Position{Hard: marks.Hardness(i % 3), Turns: []wordle.Turn{{Guess: guesses[0], Feedback: wordle.Score(guesses[0], hidden)}}}
		w := mustWeigh(t, guesses, weights, nil)
		possible := w.Possible(p.Turns)
		for name, figure := range plain {
			of := func(g wordle.Word) (value, own float64) {
				sum, largest := map[wordle.Feedback]float64{}, map[wordle.Feedback]float64{}
				for _, p := range possible {
					f := wordle.Score(g, p.Word)
					sum[f] += p.Chance
					largest[f] = max(largest[f], p.Chance)
				}
				own = largest[wordle.AllGreen]
				if len(sum) == 1 && own == 0 {
					return math.Inf(1), 0
				}
				value = figure(sum, largest, own)
				if name == "entropy" || name == "parts" { // the more the better
					value = -value
				}
				return value, own
			}
			best, bestOwn := math.Inf(1), 0.0
			for _, g := range guesses {
				if wordle.CheckClues(p.Hard, p.Turns, g) != nil {
					continue
				}
				if c, own := of(g); c < best-1e-9 || c < best+1e-9 && own > bestOwn {
					best, bestOwn = c, own
				}
			}
			got, err := w.Suggest(t.Context(), p, name, 1)
			if err != nil {
				t.Fatal(err)
			}
			if c, own := of(got[0].Word); math.Abs(c-best) > 1e-9 || own != bestOwn || math.Abs(math.Abs(c)-math.Abs(got[0].Measure)) > 1e-9 {
				t.Fatalf("case %d, %s, %+v: %+v has %v and the chance %v, want %v and %v", i, name, p, got[0], c, own, best, bestOwn)
			}
		}
	}
	// An opener has a measure as well, though its rank comes from a file.
	w := New(wordletest.Embedded(t))
	if got, err := w.Suggest(t.Context(), optimal.Position{Limit: 6}, "entropy", 2); err != nil || got[0].Measure < 5 || got[1].Measure > got[0].Measure {
		t.Errorf("the first guesses are %+v, %v", got, err)
	}
}

func TestPossible(t *testing.T) {
	guesses := []wordle.Word{wordle.MustParse("crane"), wordle.MustParse("crate"), wordle.MustParse("grate"), wordle.MustParse("irate")}
	w := mustWeigh(t, guesses, []int32{100, 1, 3, 4}, nil)
	slate := wordle.MustParse("slate")
	got := w.Possible([]wordle.Turn{{Guess: slate, Feedback: wordle.Score(slate, guesses[1])}})
	want := []Possible{{guesses[3], 0.5, false}, {guesses[2], 0.375, false}, {guesses[1], 0.125, false}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := w.Possible([]wordle.Turn{{Guess: slate, Feedback: 0}}); len(got) != 0 {
		t.Errorf("after a contradiction: got %v, want none", got)
	}
}

func TestSuggestRefuses(t *testing.T) {
	w := New(wordletest.Embedded(t))
	slate := wordle.MustParse("slate")
	ended, end := context.WithCancel(t.Context())
	end()
	for _, c := range []struct {
		ctx      context.Context
		position optimal.Position
		strategy string
		want     error
	}{
		{t.Context(), optimal.Position{Turns: []wordle.Turn{{Guess: slate, Feedback: wordle.AllGreen - 1}}}, optimal.Optimal, optimal.ErrNothingFits},
		{t.Context(), optimal.Position{Limit: 1, Turns: []wordle.Turn{{Guess: slate, Feedback: 0}}}, "parts", optimal.ErrNothingAllowed},
		{ended, optimal.Position{}, optimal.Optimal, context.Canceled},
	} {
		if got, err := w.Suggest(c.ctx, c.position, c.strategy, 1); !errors.Is(err, c.want) {
			t.Errorf("got %v, %v, want %v", got, err, c.want)
		}
	}
	if got, err := w.Suggest(t.Context(), optimal.Position{}, "luck", 1); err == nil {
		t.Errorf("an unknown strategy: got %v, want an error", got)
	}
}

// TestSuggestClaims asks where the words are too many to search them all: without any time
// there is an answer, and even a search to its end proves nothing.
func TestSuggestClaims(t *testing.T) {
	w := New(wordletest.Embedded(t))
	fuzzy := func(f wordle.Feedback) optimal.Position {
		return optimal.Position{Turns: []wordle.Turn{{Guess: wordle.MustParse("fuzzy"), Feedback: f}}, Limit: 6}
	}
	for _, c := range []struct {
		limit time.Duration
		p     optimal.Position
		k     int
	}{{0, optimal.Position{Limit: 6}, 3}, {0, fuzzy(0), 3}, {time.Hour, fuzzy(9), 1}} {
		w.SuggestTime = c.limit
		got, err := w.Suggest(t.Context(), c.p, optimal.Optimal, c.k)
		if err != nil || len(got) != c.k || got[0].Remaining <= passes[len(passes)-1].mostWords {
			t.Fatalf("%v: got %v, %v, want %d guesses of many words", c.limit, got, err, c.k)
		}
		for _, a := range got {
			if a.Proven || (a.Guesses > 0) != (c.limit > 0) {
				t.Errorf("%v: %+v claims more than is known, or less", c.limit, a)
			}
		}
	}
}

// TestSuggestNeedsPermit: while others search, nothing is searched for, with any strategy.
// What is known already needs no permit.
func TestSuggestNeedsPermit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		some := solvertest.Join(wordletest.Embedded(t).Answers()[:900])
		w := New(wordletest.Lists(t, some, some))
		w.SuggestTime = 0
		w.Permits = parallel.NewPermits(1)
		after := func(guess string) optimal.Position {
			return optimal.Position{Turns: []wordle.Turn{{Guess: wordle.MustParse(guess)}}, Limit: 6}
		}
		for range 2 {
			if got, err := w.Suggest(t.Context(), after("slate"), optimal.Optimal, 3); err != nil || len(got) != 3 {
				t.Errorf("%v, %v", got, err)
			}
			_, _ = w.Permits.Acquire(t.Context(), parallel.Search) // the only one, never released
		}
		for _, strategy := range optimal.StrategyNames() {
			if got, err := w.Suggest(t.Context(), after("fuzzy"), strategy, 3); !errors.Is(err, parallel.ErrBusy) {
				t.Errorf("%s: %v, %v", strategy, got, err)
			}
		}
	})
}

// TestAbandonedSuggest: a search whose asker is gone looks at few guesses and keeps
// nothing.
func TestAbandonedSuggest(t *testing.T) {
	w := New(wordletest.Embedded(t))
	p := optimal.Position{Turns: []wordle.Turn{{Guess: wordle.MustParse("slate"), Feedback: 0}}, Limit: 6}
	q, err := w.newProblem(p)
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	s := q.newSearch(t.Context(), new(atomic.Bool))
	if n := len(s.rootMoves(ended, s.all())); n > 2*checkEvery {
		t.Errorf("%d root moves", n)
	}
	s.release()
	if n := len(newSplitter(q).best(ended, likeliest, len(q.allowed))); n == 0 || n > 2*checkEvery {
		t.Errorf("%d guesses are ranked", n)
	}
}

// TestSearchesShareMemory: a search in the memory of another finds what one in memory of
// its own does.
func TestSearchesShareMemory(t *testing.T) {
	w := New(wordletest.Embedded(t))
	suggest := func(w *Solver, guess string, f wordle.Feedback) []Suggestion {
		p := optimal.Position{Turns: []wordle.Turn{{Guess: wordle.MustParse(guess), Feedback: f}}, Limit: 6}
		q, err := w.newProblem(p)
		if err != nil {
			t.Fatal(err)
		}
		return q.search(t.Context(), time.Hour, 3)
	}
	for _, p := range []struct {
		guess string
		f     wordle.Feedback
	}{{"slate", 81 + 2}, {"crane", 27 * 7}, {"slate", 200}} {
		if got, want := suggest(w, p.guess, p.f), suggest(New(wordletest.Embedded(t)), p.guess, p.f); !slices.Equal(got, want) {
			t.Errorf("%s %v: got %v, want %v", p.guess, p.f, got, want)
		}
	}
}

// TestOpeners makes sure that both ways to an opener agree, and that callers may do with
// the answer what they like.
func TestOpeners(t *testing.T) {
	w := New(wordletest.Embedded(t))
	for _, strategy := range []string{optimal.Optimal, "parts"} {
		for range 2 {
			got, err := w.Suggest(t.Context(), optimal.Position{Limit: 6}, strategy, 2)
			if err != nil || len(got) != 2 || got[0].Word != wordle.MustParse("slate") {
				t.Fatalf("%s: got %v, %v, want SLATE first", strategy, got, err)
			}
			clear(got)
		}
	}
}

var update = flag.Bool("update", false, "write openers.txt again, which takes some minutes")

// TestOpenersFile: the openers of the file are those after which the next guess is likeliest to win. With -update they
// are searched; without it only the two best in hard and ultra-hard mode are, and compared.
func TestOpenersFile(t *testing.T) {
	t.Parallel()
	w := New(wordletest.Embedded(t))
	q, err := w.newProblem(optimal.Position{})
	if err != nil {
		t.Fatal(err)
	}
	var likely []wordle.Word
	for _, g := range newSplitter(q).best(t.Context(), likeliest, 12) {
		likely = append(likely, q.Guesses[g])
	}
	sorted := func(words []wordle.Word) []wordle.Word {
		return slices.SortedFunc(slices.Values(words), wordle.Word.Compare)
	}
	text := checksum(w.lists, w.lists.Weights()) + "\n"
	for _, hard := range []marks.Hardness{marks.Off, marks.Hard} {
		known := q.openers[hard.String()]
		if !*update && !slices.Equal(sorted(known), sorted(likely)) {
			t.Errorf("openers.txt: %v, want those of %v in some order (-update writes it)", known, likely)
		}
		words := likely
		if !*update {
			if words = known[:2]; hard == marks.Off {
				continue // it takes ten times as long
			}
		}
		cost := map[wordle.Word]int64{}
		for _, guess := range words {
			cost[guess] = w.openerCost(t, guess, hard)
		}
		best := slices.SortedStableFunc(slices.Values(words), func(a, b wordle.Word) int { return cmp.Compare(cost[a], cost[b]) })
		if !*update && !slices.Equal(best, words) {
			t.Errorf("openers.txt, hard %v: %v, want %v (-update writes it)", hard, words, best)
		}
		text += hard.String() + " " + strings.ToLower(solvertest.Join(best)) + "\n"
	}
	if *update {
		if err := os.WriteFile("openers.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// openerCost returns what the first guess costs with the play that a search finds with a
// narrow beam and without a limit in time.
func (w *Solver) openerCost(t *testing.T, guess wordle.Word, hard marks.Hardness) int64 {
	t.Helper()
	all, err := w.newProblem(optimal.Position{})
	if err != nil {
		t.Fatal(err)
	}
	cost := all.total
	for f, words := range partition.Classes(guess, all.plain()) {
		if len(words) == 0 || wordle.Feedback(f) == wordle.AllGreen {
			continue
		}
		q, err := w.newProblem(optimal.Position{Turns: []wordle.Turn{{Guess: guess, Feedback: wordle.Feedback(f)}}, Hard: hard, Limit: wordle.Attempts})
		if err != nil {
			t.Fatal(err)
		}
		s := q.newSearch(t.Context(), new(atomic.Bool))
		s.reset(3, 3, 2)
		set := s.all()
		set.left = q.left
		cost += s.value(set, 0, impossibleCost)
	}
	return cost
}
