package grade

import (
	"math"
	"math/rand/v2"
	"testing"

	"fivefold/game/marks"
)

func TestSkill(t *testing.T) {
	for _, c := range []struct {
		name            string
		n, value, total float64
		want            float64
	}{
		{"the best of many", 2319, 7938, 7938, 99},
		{"changes nothing", 7, 18, 25, 0},
		{"saves half", 2, 3, 4, 49.5},
		{"worse than nothing", 7, 18, 28, 0},
		{"the only word", 1, 1, 1, 99},
		{"an estimate of the value that was too high", 7, 18, 17, 99},
		{"weights that are not whole", 0.5, 1.25, 1.5, 49.5},
	} {
		if got := Skill(c.n, c.value, c.total); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// answersOf returns numbers of answers by feedback: so many that win, and some others.
func answersOf(won int, others ...int) []int {
	answers := make([]int, marks.Feedbacks)
	copy(answers, others)
	answers[marks.AllGreen] = won
	return answers
}

func TestLuck(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []int
		came    marks.Feedback
		left    int
		want    float64
	}{
		{"the only word", answersOf(1), marks.AllGreen, 1, 49.5},
		{"changes nothing", answersOf(0, 4), 0, 4, 49.5},
		{"right at once", answersOf(1, 9), marks.AllGreen, 1, 99 * 9.5 / 10},
		{"not right", answersOf(1, 9), 0, 9, 99 * 4.5 / 10},
		{"one word after all green", answersOf(1, 1, 2), 0, 1, 99 * 2.5 / 4},
		{"equal ones count half", answersOf(0, 3, 3, 2), 1, 3, 99 * 3.0 / 8},
		{"fewer words are better", answersOf(0, 3, 3, 2), 2, 2, 99 * 7.0 / 8},
		{"a feedback that no word gets", answersOf(0, 3, 5), 7, 4, 99 * 5.0 / 8},
	} {
		if got := Luck(c.answers, c.came, c.left); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// TestLuckMean: each outcome by its weight, the mean is 49.5.
func TestLuckMean(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		answers := answersOf(random.IntN(5), 1, 2, random.IntN(5), random.IntN(5), random.IntN(5))
		sum, mean := 0.0, 0.0
		for f, n := range answers {
			luck := Luck(answers, marks.Feedback(f), n)
			if luck < 0 || luck > 99 {
				t.Fatalf("luck %v of %v in %v", luck, f, answers)
			}
			sum += float64(n)
			mean += luck * float64(n)
		}
		if mean /= sum; math.Abs(mean-49.5) > 1e-9 {
			t.Fatalf("mean %v of %v", mean, answers)
		}
	}
}
