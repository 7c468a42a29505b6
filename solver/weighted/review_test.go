package weighted

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/optimal"
	"fivefold/solver/parallel"
	"fivefold/solver/solvertest"
)

// randomGames returns the games of [solvertest.Games] to be reviewed.
func randomGames(lists *wordle.Lists, n int, seed uint64, hard marks.Hardness) []optimal.Played {
	var games []optimal.Played
	for _, g := range solvertest.Games(lists, n, seed, hard) {
		games = append(games, optimal.Played{Turns: g.Turns(), Hard: hard, Hidden: g.Hidden()})
	}
	return games
}

// sameJudgement compares apart from the best guess and rounding.
func sameJudgement(a, b optimal.Judged) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
	return a.Turn == b.Turn && a.Before == b.Before && a.After == b.After && near(a.Expected, b.Expected) &&
		near(a.Skill, b.Skill) && near(a.Luck, b.Luck) && near(a.Cut, b.Cut) && a.Proven == b.Proven
}

// TestReviewWithEqualWeights compares with the review without weights: of
// words that weigh the same, both say the same.
func TestReviewWithEqualWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	all := wordletest.Embedded(t).Guesses()
	for i := range 150 {
		words := solvertest.Join(solvertest.Alike(random, all, 12))
		lists := wordletest.Lists(t, words, words)
		s, w := optimal.New(lists), New(lists)
		s.ReviewTime, s.SuggestTime = time.Hour, time.Hour
		w.SuggestTime = time.Hour
		for _, g := range randomGames(lists, 3, uint64(i), marks.Hardness(i%3)) {
			want, err1 := s.Review(t.Context(), g)
			got, err2 := w.Review(t.Context(), g)
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			for j := range want.Guesses {
				if !sameJudgement(got.Guesses[j], want.Guesses[j]) {
					t.Fatalf("%+v, guess %d of %+v:\ngot  %+v\nwant %+v", words, j+1, g, got.Guesses[j], want.Guesses[j])
				}
			}
			if len(got.Line) == 0 || got.Line[len(got.Line)-1].Guess != g.Hidden {
				t.Errorf("%+v: the line %v does not find %v", g, got.Line, g.Hidden)
			}
		}
	}
}

// TestReview plays every word of small lists after the same guesses: skill
// does not depend on the hidden word, luck is 49.5 on average by weight, and nothing
// leaves its bounds.
func TestReview(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 4))
	all := wordletest.Embedded(t).Guesses()
	for i := range 60 {
		guesses := solvertest.Alike(random, all, 12)
		slices.SortFunc(guesses, wordle.Word.Compare)
		weights := make([]int32, len(guesses))
		for j := range weights {
			weights[j] = []int32{1, 20, 200, 9950}[random.IntN(4)]
		}
		w := mustWeigh(t, guesses, weights, nil)
		if i%3 == 0 {
			w.SuggestTime = 0 // no time even to search once: bounds must do
		}
		first := guesses[random.IntN(len(guesses))]
		luck, total, skill := 0.0, 0.0, -1.0
		for j, hidden := range guesses {
			r, err := w.Review(t.Context(), optimal.Played{Turns: []wordle.Turn{{Guess: first, Feedback: wordle.Score(first, hidden)}}, Hidden: hidden})
			if err != nil {
				t.Fatal(err)
			}
			g := r.Guesses[0]
			if g.Skill < 0 || g.Skill > 99 || g.Luck < 0 || g.Luck > 99 || skill >= 0 && g.Skill != skill || g.Cut < 0 {
				t.Fatalf("%v for %v: %+v, the skill was %v before", first, hidden, g, skill)
			}
			if g.Proven != (w.SuggestTime > 0) {
				t.Errorf("%v for %v is proven: got %t", first, hidden, g.Proven)
			}
			if g.Proven && (g.Skill > 98.999) != (g.Best == g.Guess) {
				t.Errorf("%v for %v has a skill of %v, and %v is the best", first, hidden, g.Skill, g.Best)
			}
			skill = g.Skill
			luck += g.Luck * float64(weights[j])
			total += float64(weights[j])
		}
		if mean := luck / total; math.Abs(mean-49.5) > 1e-6 {
			t.Errorf("%v among %s: luck is %v on average", first, solvertest.Join(guesses), mean)
		}
	}
}

// TestReviewAtTheLastGuess: a word that cannot be hidden loses for certain, and one as likely
// as any other is the best there is.
func TestReviewAtTheLastGuess(t *testing.T) {
	w := New(wordletest.Embedded(t))
	w.SuggestTime = 0 // none is needed for it
	for last, skill := range map[string]float64{"ample": 0, "gully": 99} {
		turns := solvertest.Turns("gummy", "stare", "twang", "boggy", "bower", "giddy", last)
		r, err := w.Review(t.Context(), optimal.Played{Turns: turns})
		if err != nil {
			t.Fatal(err)
		}
		if g := r.Guesses[5]; g.Skill != skill || g.Best.String() != "GULLY" || !g.Proven {
			t.Errorf("%s: %+v, want a skill of %v and GULLY", last, g, skill)
		}
	}
}

// TestReviewAgreesWithHints: the best word of a review is the hint where there is time to prove both.
func TestReviewAgreesWithHints(t *testing.T) {
	lists := wordletest.Embedded(t)
	w := New(lists)
	w.SuggestTime = time.Hour
	compared, last := 0, 0
	for _, hard := range []marks.Hardness{marks.Off, marks.Hard, marks.Ultra} {
		for _, g := range randomGames(lists, 15, 7, hard) {
			for i, turn := range g.Turns {
				p := optimal.Position{Turns: g.Turns[:i], Hard: hard, Limit: wordle.Attempts}
				q, err := w.newProblem(p)
				if err != nil {
					t.Fatal(err)
				}
				if i == 0 || len(q.words) > 60 {
					continue
				}
				a := q.evaluate(t.Context(), turn.Guess, time.Hour)
				if a.best == turn.Guess {
					continue
				}
				hint, err := w.Suggest(t.Context(), p, optimal.Optimal, 1)
				if err != nil || !hint[0].Proven || !a.proven || hint[0].Word != a.best {
					t.Errorf("hard %v, after %v: the review says %v, proven %t, and the hint is %+v, %v", hard, p.Turns, a.best, a.proven, hint, err)
				}
				compared++
				if wordle.Attempts-i <= 2 {
					last++
				}
			}
		}
	}
	if compared < 20 || last < 3 {
		t.Errorf("compared %d times, %d of them with few guesses left", compared, last)
	}
}

// TestReviewOfNothing: a guess that changes nothing has no skill, whether there
// is time to search or not.
func TestReviewOfNothing(t *testing.T) {
	var guesses []wordle.Word
	for _, text := range []string{"batch", "catch", "hatch", "latch", "match", "patch", "watch"} {
		guesses = append(guesses, wordle.MustParse(text))
	}
	for _, limit := range []time.Duration{0, time.Hour} {
		w := mustWeigh(t, guesses, []int32{9950, 1, 200, 200, 3, 3, 20}, nil)
		w.SuggestTime = limit
		r, err := w.Review(t.Context(), optimal.Played{Turns: []wordle.Turn{{Guess: wordle.MustParse("vivid")}}})
		if err != nil {
			t.Fatal(err)
		}
		if g := r.Guesses[0]; g.Skill != 0 || g.Luck != 49.5 || g.Cut != 0 || g.Best != guesses[0] {
			t.Errorf("with %v: %+v, want no skill and BATCH as the best", limit, g)
		}
	}
}

// TestReviewOfOpeners: first guesses among 11 000 words are judged as those
// of our own games.
func TestReviewOfOpeners(t *testing.T) {
	lists := wordletest.Embedded(t)
	s, w := optimal.New(lists), New(lists)
	w.Permits = parallel.NewPermits(1) // which the search of an opener must not need twice
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	hidden := wordle.MustParse("major")
	for _, guess := range []string{"trace", "adieu", "fuzzy"} {
		first := wordle.MustParse(guess)
		p := optimal.Played{Turns: []wordle.Turn{{Guess: first, Feedback: wordle.Score(first, hidden)}}}
		got, err1 := w.Review(ctx, p)
		want, err2 := s.Review(t.Context(), p)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if g, o := got.Guesses[0], want.Guesses[0]; math.Abs(g.Skill-o.Skill) > 0.001 || g.Best != o.Best || g.Before != len(w.Possible(nil)) {
			t.Errorf("%s: got %+v, want the skill and best word of %+v", guess, g, o)
		}
	}
}

func TestReviewRefuses(t *testing.T) {
	w := New(wordletest.Embedded(t))
	slate := solvertest.Turns("stale", "slate")
	ended, end := context.WithCancel(t.Context())
	end()
	if r, err := w.Review(ended, optimal.Played{Turns: slate}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %+v, %v", r, err)
	}
	if r, err := w.Review(t.Context(), optimal.Played{Turns: slate, Hidden: wordle.MustParse("crane")}); !errors.Is(err, optimal.ErrOtherHidden) {
		t.Errorf("another hidden word: %+v, %v", r, err)
	}
}
