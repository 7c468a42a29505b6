package optimal

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/partition"
	"fivefold/solver/search"
	"fivefold/solver/solvertest"
)

// plain returns the page of plain code that the search is compared with.
func plain(guesses []wordle.Word, hard marks.Hardness, loss int64) solvertest.Plain[wordle.Word] {
	return solvertest.Plain[wordle.Word]{Score: wordle.Score, Loss: loss, Guesses: func(turns []wordle.Turn, _ []solvertest.Answer[wordle.Word]) []wordle.Word {
		return slices.DeleteFunc(slices.Clone(guesses), func(g wordle.Word) bool { return wordle.CheckClues(hard, turns, g) != nil })
	}}
}

// leastPlain returns the least sum of guesses with which all words can be found
// with at most left guesses each, as the rules say it, or search.Impossible.
func leastPlain(guesses, words []wordle.Word, turns []wordle.Turn, hard marks.Hardness, left int) int {
	least := search.Impossible
	for _, g := range guesses {
		least = min(least, costPlain(guesses, words, turns, hard, left, g))
	}
	return least
}

// costPlain is leastPlain with the next guess given.
func costPlain(guesses, words []wordle.Word, turns []wordle.Turn, hard marks.Hardness, left int, g wordle.Word) int {
	if left == 0 || wordle.CheckClues(hard, turns, g) != nil || g != words[0] && partition.SplitBy(g, words).Classes == 1 {
		return search.Impossible // perhaps it splits nothing
	}
	return int(min(plain(guesses, hard, search.Impossible).CostOf(g, solvertest.Ones(words), turns, left), search.Impossible))
}

// TestSolveAgainstPlain compares with the page of plain code above on random
// small lists of words that are alike, which are the difficult ones.
func TestSolveAgainstPlain(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 2))
	all := wordletest.Embedded(t).Guesses()
	cases := 1000
	lost, searched := 0, 0
	for i := range cases {
		guesses := solvertest.Alike(random, all, 11)
		answers := solvertest.Sample(random, guesses, 1+random.IntN(min(len(guesses), 14)))
		lists := wordletest.Lists(t, solvertest.Join(answers), solvertest.Join(guesses))
		p := Position{Hard: marks.Hardness(i / 3 % 3), Limit: random.IntN(7)}
		hidden := answers[random.IntN(len(answers))]
		if first := guesses[random.IntN(len(guesses))]; random.IntN(3) == 0 && first != hidden && p.Limit != 1 {
			p.Turns = append(p.Turns, wordle.Turn{Guess: first, Feedback: wordle.Score(first, hidden)})
		}
		top := 1 + random.IntN(3)
		got, err := solve(t.Context(), lists, p, Effort{Workers: 1 + random.IntN(2), Top: top}, i%3 == 0)
		if err != nil {
			t.Fatal(err)
		}
		left := 20
		if p.Limit > 0 {
			left = p.Limit - len(p.Turns)
		}
		remaining := fitting(answers, p.Turns)
		slices.SortFunc(remaining, wordle.Word.Compare)
		fault := func(format string, args ...any) {
			t.Fatalf("case %d: guesses %s, answers %s, %+v:\n%+v\n%s", i, solvertest.Join(guesses), solvertest.Join(answers), p, got, fmt.Sprintf(format, args...))
		}
		cost := map[wordle.Word]int{}
		for _, g := range guesses {
			cost[g] = costPlain(guesses, remaining, p.Turns, p.Hard, left, g)
		}
		costs := slices.Sorted(maps.Values(cost))
		want := costs[0]
		if want == search.Impossible {
			want = 0
			lost++
		}
		mayWin := want > 0 && slices.ContainsFunc(remaining, func(w wordle.Word) bool { return cost[w] == want })
		if got.Suggestions[0].Possible != mayWin && want > 0 {
			fault("of equal guesses it should be one of the words, if one is among them")
		}
		if got.Suggestions[0].Total != want || !got.Suggestions[0].Proven {
			fault("want a total of %d", want)
		}
		if !slices.Equal(got.Remaining, remaining) {
			fault("want the words %v", remaining)
		}
		for k, s := range got.Suggestions {
			if s.Total != 0 && s.Total != cost[s.Word] {
				fault("%v costs %d", s.Word, cost[s.Word])
			}
			if k < min(top, len(costs)) && costs[k] < search.Impossible && (s.Total != costs[k] || !s.Proven) {
				fault("suggestion %d has not the total %d", k+1, costs[k])
			}
			if s.Proven && s.Total != costs[k] && want != 0 || want == 0 && !s.Proven {
				fault("suggestion %d is not the best", k+1)
			}
		}
		if want > 2*len(remaining) { // whatever is guessed, a word takes a third guess
			searched++
		}
	}
	if lost < cases/20 || searched < cases/50 {
		t.Errorf("of %d cases, %d could be lost and %d needed a search: too few", cases, lost, searched)
	}
}

// solve is Solve; with classByClass set it searches as for a large problem.
func solve(ctx context.Context, lists *wordle.Lists, p Position, e Effort, classByClass bool) (Solution, error) {
	if !classByClass {
		return New(lists).Solve(ctx, p, e)
	}
	q, err := New(lists).newProblem(p)
	if err != nil {
		return Solution{}, err
	}
	e.Memory = 1 << 20
	c := newRootSearch(ctx, q, e.withDefaults())
	c.classByClass()
	return c.solution(), nil
}

// TestSolveIsDeterministic: how many workers search, and with how much memory, does not
// change the answer.
func TestSolveIsDeterministic(t *testing.T) {
	t.Parallel()
	lists := wordletest.Embedded(t)
	s := New(lists)
	states := 25
	if testing.Short() {
		states = 2
	}
	for i, p := range randomStates(lists, states, 3, marks.Off) {
		p.Hard = marks.Hardness(i % 3)
		one, err := s.Solve(t.Context(), p, Effort{Workers: 1})
		if err != nil || !one.Suggestions[0].Proven {
			t.Fatalf("%+v: %+v, %v", p, one, err)
		}
		two, err := s.Solve(t.Context(), p, Effort{Workers: 3, Memory: 1 << 16})
		if err != nil || two.Suggestions[0] != one.Suggestions[0] || two.Suggestions[0].Total != one.Suggestions[0].Total || two.Suggestions[0].Proven != one.Suggestions[0].Proven {
			t.Errorf("%+v: %+v, %v; alone %+v", p, two, err, one)
		}
	}
}

// TestSolveIsAnytime ends the search after a few guesses, and before it has
// begun.
func TestSolveIsAnytime(t *testing.T) {
	some := solvertest.Join(wordletest.Embedded(t).Answers()[:900])
	lists := wordletest.Lists(t, some, some)
	p := Position{Turns: []wordle.Turn{{Guess: wordle.MustParse("fuzzy")}}, Limit: 6}
	all := New(lists).Remaining(p.Turns)
	for _, after := range []int{0, 1, 3} {
		ctx, end := context.WithCancel(t.Context())
		defer end()
		if after == 0 {
			end()
		}
		calls := 0
		got, err := New(lists).Solve(ctx, p, Effort{Workers: 2, Progress: func(int, int) {
			if calls++; calls >= after {
				end()
			}
		}})
		if err != nil || len(got.Suggestions) == 0 || got.Suggestions[0].Proven || !slices.Equal(got.Remaining, all) {
			t.Errorf("after %d: %+v, %v", after, got, err)
		}
		if (got.Suggestions[0].Total > 0) != (after > 0) {
			t.Errorf("after %d: total %d", after, got.Suggestions[0].Total)
		}
	}
}

// randomStates returns positions after one to four random guesses with 2 to 300
// words left, always the same ones for a seed.
func randomStates(lists *wordle.Lists, n int, seed uint64, hard marks.Hardness) []Position {
	var states []Position
	for _, turns := range solvertest.States(lists, n, seed, hard) {
		states = append(states, Position{Turns: turns, Hard: hard, Limit: wordle.Attempts})
	}
	return states
}

// BenchmarkStates solves 40 random states and reports how long the median took, the
// 99th percentile and the worst. The figures in solver/README.md are of 200 states.
func BenchmarkStates(b *testing.B) {
	lists := wordletest.Original(b)
	for _, c := range []struct {
		seed uint64
		Effort
	}{{1, Effort{Workers: 1}}, {2, Effort{Workers: 1}}, {3, Effort{Workers: 1}}, {1, Effort{Workers: 2}}, {1, Effort{Workers: 1, Top: 10}}} {
		b.Run(fmt.Sprintf("seed=%d/workers=%d/top=%d", c.seed, c.Workers, c.Top), func(b *testing.B) {
			states := randomStates(lists, 40, c.seed, marks.Off)
			s := New(lists)
			var times []time.Duration
			for b.Loop() {
				times = times[:0]
				for _, p := range states {
					start := time.Now()
					if got, err := s.Solve(b.Context(), p, c.Effort); err != nil || !got.Suggestions[0].Proven {
						b.Fatal(p, got, err)
					}
					times = append(times, time.Since(start))
				}
			}
			solvertest.ReportTimes(b, times)
		})
	}
}

// BenchmarkBestOpener finds the best opener on the original lists, without proof.
func BenchmarkBestOpener(b *testing.B) {
	lists := wordletest.Original(b)
	for workers := 1; workers <= 2; workers++ {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			for b.Loop() {
				q := must(New(lists).newProblem(Position{Limit: 6}))
				c := newRootSearch(b.Context(), q, Effort{Workers: workers}.withDefaults())
				c.run(1, 1, c.first(firstBeam), true, c.costByClass(firstBeam))
				if got := c.solution(); got.Suggestions[0].Word != wordle.MustParse("salet") || got.Suggestions[0].Total != 7920 {
					b.Fatal(got)
				}
			}
		})
	}
}

// BenchmarkOpeners finds the exact totals of openers on the original lists.
func BenchmarkOpeners(b *testing.B) {
	lists := wordletest.Original(b)
	for _, c := range []struct {
		word  string
		hard  marks.Hardness
		total int32
	}{
		{"salet", marks.Off, 7920}, {"crane", marks.Off, 7930}, {"raise", marks.Off, 8014}, {"soare", marks.Off, 7997},
		{"salet", marks.Hard, 8122},
	} {
		for workers := 1; workers <= 2; workers++ {
			b.Run(fmt.Sprintf("%s/hard=%v/workers=%d", c.word, c.hard, workers), func(b *testing.B) {
				for b.Loop() {
					q := must(New(lists).newProblem(Position{Hard: c.hard, Limit: 6}))
					team := newTeam(&q, Effort{Workers: workers, Memory: defaultMemory}, 0)
					if total := team.cost(b.Context(), openingOf(&q, wordle.MustParse(c.word)), search.Impossible); total != c.total {
						b.Fatalf("%d, want %d", total, c.total)
					}
				}
			})
		}
	}
}
