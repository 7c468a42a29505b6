package optimal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/solvertest"
)

// newPatient returns a solver whose reviews take the time they need, so that they
// do not depend on how fast the machine is.
func newPatient(lists *wordle.Lists) *Solver {
	s := New(lists)
	s.ReviewTime = time.Hour
	s.SuggestTime = time.Hour
	return s
}

// judgePlain is the judgement of the last turn by the rules and the page of plain
// code in solve_test.go.
func judgePlain(lists *wordle.Lists, turns []wordle.Turn, hard marks.Hardness) (j Judged, mayLose bool) {
	before, last := turns[:len(turns)-1], turns[len(turns)-1]
	possible := func(turns []wordle.Turn) []wordle.Word {
		for _, list := range [][]wordle.Word{lists.Answers(), lists.Guesses()} {
			var fit []wordle.Word
			for _, w := range list {
				if !slices.ContainsFunc(turns, func(t wordle.Turn) bool { return wordle.Score(t.Guess, w) != t.Feedback }) {
					fit = append(fit, w)
				}
			}
			if len(fit) > 0 {
				return fit
			}
		}
		return nil
	}
	words := possible(before)
	left := wordle.Attempts - len(before)
	if left <= 0 {
		left = 30 // a game that uses up its guesses continues
	}
	n := len(words)
	j = Judged{Turn: last, Before: n, After: len(possible(turns)), Proven: true}
	if last.Feedback == wordle.AllGreen {
		j.After = 1
	}
	sizes := map[wordle.Feedback]int{}
	for _, w := range words {
		sizes[wordle.Score(last.Guess, w)]++
	}
	// A word that is missed counts one guess more than there are, and more than all guesses.
	const missed = 1 << 32
	p := plain(lists.Guesses(), hard, missed+1)
	total := p.CostOf(last.Guess, solvertest.Ones(words), before, left)
	value := p.Cost(solvertest.Ones(words), before, left)
	share := float64(int64(n)-total/missed) / float64(int64(n)-value/missed)
	j.Skill = max(0, min(99, 99*float64(int64(n)+value%missed-total%missed)/float64(n))) * share
	if len(sizes) == 1 && sizes[wordle.AllGreen] == 0 {
		j.Skill = 0 // it changes nothing
	}
	for _, w := range words {
		f := wordle.Score(last.Guess, w)
		j.Expected += float64(sizes[f]) / float64(n)
		switch better := last.Feedback == wordle.AllGreen && f != wordle.AllGreen ||
			f != wordle.AllGreen && j.After < sizes[f]; {
		case better:
			j.Luck += 99 / float64(n)
		case f == last.Feedback || f != wordle.AllGreen && last.Feedback != wordle.AllGreen && sizes[f] == j.After:
			j.Luck += 99 / float64(n) / 2
		}
	}
	j.Cut = math.Log2(float64(n)) - math.Log2(float64(j.After))
	return j, total >= missed
}

// sameJudgement compares apart from the best guess and rounding.
func sameJudgement(a, b Judged) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	return a.Turn == b.Turn && a.Before == b.Before && a.After == b.After && near(a.Expected, b.Expected) &&
		near(a.Skill, b.Skill) && near(a.Luck, b.Luck) && near(a.Cut, b.Cut) && a.Proven == b.Proven
}

// TestReviewAgainstPlain compares random games on random small lists with plain
// code: easy and hard, won and lost, with guesses that change nothing, and with
// hidden words that are not answers.
func TestReviewAgainstPlain(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(9, 0))
	all := wordletest.Embedded(t).Guesses()
	guessed, clipped, bad, lost, outside := 0, 0, 0, 0, 0
	for i := range 300 {
		guesses := solvertest.Alike(random, all, 10)
		answers := solvertest.Sample(random, guesses, 1+random.IntN(min(len(guesses), 10)))
		lists := wordletest.Lists(t, solvertest.Join(answers), solvertest.Join(guesses))
		from := answers
		if i%4 == 0 {
			from = guesses
		}
		p := Played{Hard: marks.Hardness(i % 3), Hidden: from[random.IntN(len(from))]}
		for range random.IntN(8) {
			g := guesses[random.IntN(len(guesses))]
			if random.IntN(6) == 0 {
				g = p.Hidden
			}
			if wordle.CheckClues(p.Hard, p.Turns, g) != nil {
				continue
			}
			if p.Turns = append(p.Turns, wordle.Turn{Guess: g, Feedback: wordle.Score(g, p.Hidden)}); g == p.Hidden {
				break
			}
		}
		got, err := newPatient(lists).Review(t.Context(), p)
		if err != nil || len(got.Guesses) != len(p.Turns) {
			t.Fatalf("case %d: guesses %s, answers %s, %+v: %+v, %v", i, solvertest.Join(guesses), solvertest.Join(answers), p, got, err)
		}
		for k, j := range got.Guesses {
			want, mayLose := judgePlain(lists, p.Turns[:k+1], p.Hard)
			if wordle.Attempts-k > 2 && mayLose && !j.Proven { // a play is found that misses few
				want.Proven, want.Skill = false, j.Skill
			}
			if mayLose {
				lost++
			}
			if !sameJudgement(j, want) {
				t.Fatalf("case %d, guess %d: guesses %s, answers %s, %+v:\n%+v, want\n%+v", i, k+1, solvertest.Join(guesses), solvertest.Join(answers), p, j, want)
			}
			best := wordle.Turn{Guess: j.Best, Feedback: wordle.Score(j.Best, p.Hidden)}
			want, mayLose = judgePlain(lists, append(slices.Clone(p.Turns[:k]), best), p.Hard)
			if (want.Skill != 99 && !mayLose) || math.Abs(want.Expected-j.BestExpected) > 1e-9 || j.Skill == 99 && j.Best != j.Guess {
				t.Fatalf("case %d, guess %d: guesses %s, answers %s, %+v:\n%+v; the best is %+v", i, k+1, solvertest.Join(guesses), solvertest.Join(answers), p, j, want)
			}
			guessed++
			if j.Skill == 0 {
				clipped++
			}
			if j.Skill > 0 && j.Skill < 99 {
				bad++
			}
			if !lists.CanHide(p.Hidden) {
				outside++
			}
		}
		if last := len(got.Line) - 1; last < 0 || got.Line[last].Guess != p.Hidden {
			t.Fatalf("case %d: the solver's line for %v is %v", i, p.Hidden, got.Line)
		}
	}
	if clipped < guessed/20 || bad < guessed/10 || lost < guessed/100 || outside < guessed/20 {
		t.Errorf("of %d guesses, %d have no skill, %d some, %d may lose, and %d had a hidden word that is not an answer: too few", guessed, clipped, bad, lost, outside)
	}
}

// TestReviewAgreesWithHints: a review counts with the guesses that are left, as hints do. So
// where both are proven, the best that it names is the hint, unless the guess itself is as good.
func TestReviewAgreesWithHints(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	t.Parallel()
	for _, hard := range []marks.Hardness{marks.Off, marks.Hard} { // without a tree, as in ultra-hard mode, an opener takes minutes
		s := newPatient(wordletest.Embedded(t))
		// A review judges the first guesses too, which takes the longer the more words they left.
		states := slices.DeleteFunc(randomStates(s.lists, 60, 5, hard), func(p Position) bool { return len(s.Remaining(p.Turns[:1])) > 60 })
		compared, better := 0, 0
		for i, p := range states {
			p.Limit = wordle.Attempts
			hint := must(s.Suggest(t.Context(), p))
			words := s.Remaining(p.Turns)
			for _, guess := range []wordle.Word{hint.Word, words[i%len(words)]} {
				review := func(guess wordle.Word) Judged {
					turns := append(slices.Clone(p.Turns), wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, words[0])})
					return must(s.Review(t.Context(), Played{Turns: turns, Hard: hard})).Guesses[len(p.Turns)]
				}
				j := review(guess)
				if !j.Proven || !hint.Proven {
					continue
				}
				compared++
				if guess == hint.Word && j.Skill != 99 || j.Best != guess && j.Best != hint.Word {
					t.Errorf("hard %v, %v: the hint is %+v, the review says %+v", hard, p.Turns, hint, j)
				}
				if j.Best != guess {
					better++
				}
			}
		}
		if compared < len(states) || better < len(states)/5 {
			t.Errorf("hard %v: %d compared, %d with a better guess: too few", hard, compared, better)
		}
	}
}

// TestReviewOfLastGuesses: a play that needs more guesses than are left is not the best.
func TestReviewOfLastGuesses(t *testing.T) {
	s := newPatient(wordletest.Embedded(t))
	s.ReviewTime = 100 * time.Millisecond // only the first guesses need more
	r, err := s.Review(t.Context(), Played{Turns: solvertest.Turns("gummy", "stare", "twang", "boggy", "bower", "giddy", "ample")})
	if err != nil {
		t.Fatal(err)
	}
	if j := r.Guesses[5]; j.Skill != 0 || !slices.Contains(s.Remaining(solvertest.Turns("gummy", "stare", "twang", "boggy", "bower", "giddy")), j.Best) || !j.Proven {
		t.Errorf("an impossible word at the last guess: %+v", j)
	}
	salet := Played{Turns: solvertest.Turns("endow", "salet", "endow"), Hard: marks.Hard}
	r, err = s.Review(t.Context(), salet)
	if err != nil || r.Guesses[0].Skill != 99 || !r.Guesses[0].Proven || r.Line[0].Guess != wordle.MustParse("salet") {
		t.Errorf("the best opener of hard mode: %+v, %v", r, err)
	}
	salet.Turns[0] = solvertest.Turns("endow", "trace")[0]
	if r, err = s.Review(t.Context(), salet); err != nil || r.Guesses[0].Best != wordle.MustParse("salet") || r.Guesses[0].Proven {
		t.Errorf("an opener that needs less, but is not sure to win in time: %+v, %v", r, err)
	}
}

// TestReviewEstimates: where there is no time to search, skill is still close to the exact
// one, within bounds, and does not pass for proven.
func TestReviewEstimates(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	lists := wordletest.Embedded(t)
	hasty, patient := New(lists), newPatient(lists)
	hasty.ReviewTime = time.Nanosecond
	open, worst := 0, 0.0
	for _, p := range randomStates(lists, 30, 4, marks.Off) {
		if len(fitting(lists.Answers(), p.Turns)) > 60 {
			continue
		}
		guess := lists.Guesses()[open*997%len(lists.Guesses())]
		a := hasty.newEvaluation(hasty.Remaining(p.Turns), p.Turns, marks.Off, guess)
		b := patient.newEvaluation(hasty.Remaining(p.Turns), p.Turns, marks.Off, guess)
		if err := errors.Join(hasty.evaluate(t.Context(), marks.Off, []*evaluation{a}), patient.evaluate(t.Context(), marks.Off, []*evaluation{b})); err != nil {
			t.Fatal(err)
		}
		rough, exact := a.judged(0, 1), b.judged(0, 1)
		if !exact.Proven || a.value.n < b.value.n || a.total.n < b.total.n || a.total.n < a.value.n || rough.Proven && rough.Skill != exact.Skill {
			t.Errorf("%v after %v: %+v, exact %+v", guess, p.Turns, rough, exact)
		}
		if !rough.Proven {
			open++
		}
		worst = max(worst, math.Abs(rough.Skill-exact.Skill))
	}
	if open < 10 || worst > 5 {
		t.Errorf("%d estimates, the worst by %v off", open, worst)
	}
}

func TestReviewRefuses(t *testing.T) {
	s := New(wordletest.Lists(t, "crane slate crate", "crane slate crate trace pizza"))
	word := wordle.MustParse
	turn := func(guess, feedback string) wordle.Turn {
		return wordle.Turn{Guess: word(guess), Feedback: must(wordle.ParseFeedback(feedback))}
	}
	for _, c := range []struct {
		name string
		p    Played
		want error
		text string
	}{
		{"the last turn fits no word", Played{Turns: []wordle.Turn{turn("slate", "bbgbg"), turn("pizza", "ggbbb")}}, ErrNothingFits, "guess 2: "},
		{"a turn fits no word", Played{Turns: []wordle.Turn{turn("pizza", "ggbbb"), turn("slate", "bbgbg")}}, ErrNothingFits, "guess 1: "},
		{"it goes on after the end", Played{Turns: append(solvertest.Turns("crane", "crane"), turn("slate", "bbgbg"))}, ErrOver, "guess 2: "},
		{"another hidden word", Played{Turns: solvertest.Turns("crane", "slate"), Hidden: word("crate")}, ErrOtherHidden, "guess 1: "},
		{"won with another word", Played{Turns: solvertest.Turns("crane", "slate", "crane"), Hidden: word("slate")}, ErrOtherHidden, "guess 1: "},
	} {
		got, err := s.Review(t.Context(), c.p)
		if !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), c.text) || !reflect.DeepEqual(got, Review{}) {
			t.Errorf("%s: %+v, %v; want %q, %v", c.name, got, err, c.text, c.want)
		}
		if h := c.p.Hidden; err != nil && h != 0 && strings.Contains(strings.ToUpper(err.Error()), h.String()) {
			t.Errorf("%s: the error has the hidden word: %v", c.name, err)
		}
	}
	var dropped *wordle.HardModeError
	if _, err := s.Review(t.Context(), Played{Turns: solvertest.Turns("crane", "crate", "slate"), Hard: marks.Hard}); !errors.As(err, &dropped) || !strings.HasPrefix(err.Error(), "guess 2: ") {
		t.Errorf("a guess against hard mode: %v", err)
	}
}

func TestReviewOfFewGuesses(t *testing.T) {
	s := newPatient(wordletest.Lists(t, "batch catch hatch latch match patch watch", "batch catch hatch latch match patch watch chimp blown"))
	none, err := s.Review(t.Context(), Played{})
	if err != nil || len(none.Guesses) != 0 || none.Line != nil || none.Skill() != 0 || none.Luck() != 49.5 {
		t.Errorf("without guesses: %+v, %v", none, err)
	}
	hidden := wordle.MustParse("latch")
	lineOnly, err := s.Review(t.Context(), Played{Hidden: hidden})
	if err != nil || len(lineOnly.Guesses) != 0 || len(lineOnly.Line) < 2 || lineOnly.Line[len(lineOnly.Line)-1].Guess != hidden {
		t.Errorf("with a hidden word only: %+v, %v", lineOnly, err)
	}
	open, err := s.Review(t.Context(), Played{Turns: solvertest.Turns("latch", "chimp")})
	if err != nil || open.Line != nil || open.Guesses[0].Best == 0 {
		t.Errorf("a hidden word that is not known: %+v, %v", open, err)
	}
	far := wordle.MustParse("fuzzy")
	outside, err := s.Review(t.Context(), Played{Turns: solvertest.Turns("fuzzy", "fuzzy"), Hidden: far})
	if err != nil || outside.Line != nil || outside.Guesses[0].After != 1 || outside.Guesses[0].Luck != 99 {
		t.Errorf("a word that is in no list: %+v, %v", outside, err)
	}
}

// TestReviewOfLongLists: with all words as answers the first guesses leave thousands,
// which are estimated at once, even if a guess changes nothing.
func TestReviewOfLongLists(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	t.Parallel()
	all := wordletest.Embedded(t).Guesses()[:6000]
	s := New(wordletest.Lists(t, solvertest.Join(all), solvertest.Join(all)))
	s.ReviewTime, s.SuggestTime = time.Nanosecond, time.Nanosecond
	none := wordle.Turn{Guess: wordle.MustParse("fuzzy")}
	r, err := s.Review(t.Context(), Played{Turns: []wordle.Turn{none, none}})
	if err != nil || len(r.Guesses) != 2 {
		t.Fatal(r, err)
	}
	first, second := r.Guesses[0], r.Guesses[1]
	if first.Skill < 30 || first.Skill > 80 || first.Proven || first.After < 2*largeSet {
		t.Errorf("the first: %+v", first)
	}
	if second.Skill != 0 || second.Luck != 49.5 || second.Cut != 0 || second.Before != second.After {
		t.Errorf("the same again: %+v", second)
	}
}

func TestReviewEndsWithContext(t *testing.T) {
	s := New(wordletest.Embedded(t))
	s.ReviewTime = time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	// It would take hours to find out how good a second guess is with so many words.
	got, err := s.Review(ctx, Played{Turns: solvertest.Turns("watch", "fuzzy", "jazzy")})
	if !errors.Is(err, context.DeadlineExceeded) || !reflect.DeepEqual(got, Review{}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestReviewExample is the worked example of solver/README.md.
func TestReviewExample(t *testing.T) {
	s := newPatient(wordletest.Lists(t, "batch catch hatch latch match patch watch", "batch catch hatch latch match patch watch chimp blown"))
	got := must(s.Review(t.Context(), Played{Turns: solvertest.Turns("latch", "patch", "blown", "latch")}))
	for i, want := range []struct{ skill, luck float64 }{
		{99.0 * (7 + 18 - 22) / 7, 99 * 3.0 / 7}, {99, 99 * (3 + 1.5) / 6}, {99, 49.5},
	} {
		if j := got.Guesses[i]; !j.Proven || math.Abs(j.Skill-want.skill) > 1e-9 || math.Abs(j.Luck-want.luck) > 1e-9 {
			t.Errorf("guess %d: %+v, want %+v", i+1, j, want)
		}
	}
	if math.Abs(got.Skill()-80.142857) > 1e-6 || math.Abs(got.Luck()-52.151786) > 1e-6 {
		t.Errorf("skill %v, luck %v", got.Skill(), got.Luck())
	}
	if other := must(s.Review(t.Context(), Played{Turns: solvertest.Turns("latch", "patch", "catch")})); other.Guesses[1].Skill != 66 {
		t.Errorf("with CATCH: %+v", other)
	}
}

// randomGames returns the games of [solvertest.Games] to be reviewed.
func randomGames(s *Solver, n int, seed uint64, hard marks.Hardness) []Played {
	var games []Played
	for _, g := range solvertest.Games(s.lists, n, seed, hard) {
		games = append(games, Played{Turns: g.Turns(), Hard: hard, Hidden: g.Hidden()})
	}
	return games
}

func ExampleSolver_Review() {
	lists, err := wordle.Embedded()
	if err != nil {
		fmt.Println(err)
		return
	}
	s := New(lists)
	s.ReviewTime = time.Minute // for a review in a chat, the default is better
	review, err := s.Review(context.Background(), Played{Turns: solvertest.Turns("chain", "slate", "crony", "chain")})
	for _, g := range review.Guesses {
		fmt.Printf("%v %v skill %.0f luck %.0f, best %v\n", g.Guess, g.Feedback, g.Skill, g.Luck, g.Best)
	}
	fmt.Println(err)
	// Output:
	// SLATE BBGBB skill 99 luck 51, best SLATE
	// CRONY GBBYB skill 91 luck 85, best CHURN
	// CHAIN GGGGG skill 99 luck 50, best CHAIN
	// <nil>
}

// BenchmarkReview reports how long the reviews of 50 random games take, and what share of
// the guesses is proven.
func BenchmarkReview(b *testing.B) {
	for _, hard := range []marks.Hardness{marks.Off, marks.Hard, marks.Ultra} {
		b.Run(fmt.Sprintf("hard=%v", hard), func(b *testing.B) {
			s := New(wordletest.Embedded(b))
			games := randomGames(s, 50, 1, hard)
			var times []time.Duration
			guesses, proven := 0, 0
			for b.Loop() {
				times, guesses, proven = times[:0], 0, 0
				for _, g := range games {
					start := time.Now()
					r, err := s.Review(b.Context(), g)
					if err != nil {
						b.Fatal(g, err)
					}
					times = append(times, time.Since(start))
					for _, j := range r.Guesses {
						guesses++
						if j.Proven {
							proven++
						}
					}
				}
			}
			solvertest.ReportTimes(b, times)
			b.ReportMetric(float64(proven)/float64(guesses), "proven")
		})
	}
}
