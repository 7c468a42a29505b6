package grade

import (
	"math"
	"math/rand/v2"
	"testing"
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

// TestSkillIsMonotone: a smaller total never has the smaller skill.
func TestSkillIsMonotone(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		n := 1 + random.Float64()*100
		value := n * (1 + random.Float64())
		last := 99.0
		for total := value; total < value+2*n; total += n / 7 {
			skill := Skill(n, value, total)
			if skill > last || skill < 0 || total < value+n-1e-9 && total > value && !(skill < last) {
				t.Fatalf("n %v, value %v: total %v has skill %v after %v", n, value, total, skill, last)
			}
			last = skill
		}
	}
}

func TestLuck(t *testing.T) {
	words := func(n int) Outcome { return Outcome{float64(n), false, n} }
	green := Outcome{1, true, 1}
	for _, c := range []struct {
		name string
		all  []Outcome
		came Outcome
		want float64
	}{
		{"the only word", []Outcome{green}, green, 49.5},
		{"changes nothing", []Outcome{words(4)}, words(4), 49.5},
		{"right at once", []Outcome{green, words(9)}, green, 99 * 9.5 / 10},
		{"not right", []Outcome{green, words(9)}, words(9), 99 * 4.5 / 10},
		{"all green before one word", []Outcome{green, words(1), words(2)}, green, 99 * 3.5 / 4},
		{"one word after all green", []Outcome{green, words(1), words(2)}, words(1), 99 * 2.5 / 4},
		{"equal ones count half", []Outcome{words(3), words(3), words(2)}, words(3), 99 * 3.0 / 8},
		{"fewer words are better", []Outcome{words(3), words(3), words(2)}, words(2), 99 * 7.0 / 8},
		{"a feedback that no word gets", []Outcome{words(3), words(5)}, Outcome{0, false, 4}, 99 * 5.0 / 8},
		{"weights", []Outcome{{0.25, false, 3}, {0.75, false, 2}}, Outcome{0.75, false, 2}, 99 * 0.625},
	} {
		if got := Luck(c.all, c.came); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// TestLuckMean: each outcome by its weight, the mean is 49.5.
func TestLuckMean(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		var all []Outcome
		sum, mean := 0.0, 0.0
		for i := range 1 + random.IntN(20) {
			o := Outcome{random.Float64(), i == 3, 1 + random.IntN(5)}
			all = append(all, o)
			sum += o.Weight
		}
		for _, o := range all {
			luck := Luck(all, o)
			if luck < 0 || luck > 99 {
				t.Fatalf("luck %v of %v in %v", luck, o, all)
			}
			mean += luck * o.Weight / sum
		}
		if math.Abs(mean-49.5) > 1e-9 {
			t.Fatalf("mean %v of %v", mean, all)
		}
	}
}
