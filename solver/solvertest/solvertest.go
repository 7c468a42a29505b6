// Package solvertest has words and positions for the tests of the solvers.
package solvertest

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game/marks"
	"fivefold/game/wordle"
)

// Turns returns the turns of a game with these guesses.
func Turns(hidden string, guesses ...string) []wordle.Turn {
	var all []wordle.Turn
	for _, g := range guesses {
		w := wordle.MustParse(g)
		all = append(all, wordle.Turn{Guess: w, Feedback: wordle.Score(w, wordle.MustParse(hidden))})
	}
	return all
}

// Sample returns n of the words, in random order.
func Sample(r *rand.Rand, from []wordle.Word, n int) []wordle.Word {
	picked := make([]wordle.Word, n)
	for i, j := range r.Perm(len(from))[:n] {
		picked[i] = from[j]
	}
	return picked
}

// Join returns the words as a list for [fivefold/game/wordle/wordletest.Lists].
func Join(list []wordle.Word) string {
	var s []string
	for _, w := range list {
		s = append(s, w.String())
	}
	return strings.Join(s, " ")
}

// RandomWord returns a word of A, B and C, which repeat more than letters in a dictionary.
func RandomWord(random *rand.Rand) wordle.Word {
	b := make([]byte, wordle.Length)
	for i := range b {
		b[i] = 'a' + byte(random.IntN(3))
	}
	return wordle.MustParse(string(b))
}

// Alike draws a word, and returns up to n words that share at least three letters in place with it, and some others.
func Alike(random *rand.Rand, all []wordle.Word, n int) []wordle.Word {
	base := all[random.IntN(len(all))]
	var list []wordle.Word
	for _, w := range all {
		same := 0
		for i := range wordle.Length {
			if w.Letter(i) == base.Letter(i) {
				same++
			}
		}
		if same >= 3 && len(list) < n || random.IntN(1500) == 0 {
			list = append(list, w)
		}
	}
	return list
}

// States returns games of one to four random guesses with 2 to 300
// words left, always the same ones for a seed.
func States(lists *wordle.Lists, n int, seed uint64, hard marks.Hardness) [][]wordle.Turn {
	random := rand.New(rand.NewPCG(seed, 0))
	var states [][]wordle.Turn
	for len(states) < n {
		hidden := lists.Answers()[random.IntN(len(lists.Answers()))]
		var turns []wordle.Turn
		for range 1 + random.IntN(4) {
			allowed := lists.Guesses()
			if hard != marks.Off {
				allowed = slices.DeleteFunc(slices.Clone(allowed), func(w wordle.Word) bool { return wordle.CheckClues(hard, turns, w) != nil })
			}
			guess := allowed[random.IntN(len(allowed))]
			turns = append(turns, wordle.Turn{Guess: guess, Feedback: wordle.Score(guess, hidden)})
		}
		if left := len(fitting(lists.Answers(), turns)); left >= 2 && left <= 300 {
			states = append(states, turns)
		}
	}
	return states
}

// Games returns games as people might play them, always the same ones for a seed:
// the first guess is any answer, and a later one is a word that is possible or, as
// often, any that is allowed.
func Games(lists *wordle.Lists, n int, seed uint64, hard marks.Hardness) []wordle.State {
	random := rand.New(rand.NewPCG(seed, 0))
	games := make([]wordle.State, n)
	for i := range games {
		state := wordle.NewState(lists.Answers()[random.IntN(len(lists.Answers()))], hard)
		for state.Status() == marks.Playing {
			from := lists.Guesses()
			switch possible := fitting(lists.Answers(), state.Turns()); {
			case state.Used() == 0:
				from = lists.Answers()
			case random.IntN(2) == 0 || len(possible) == 1:
				from = possible
			}
			// A word that is refused is not guessed.
			if next, err := state.Guess(from[random.IntN(len(from))]); err == nil {
				state = next
			}
		}
		games[i] = state
	}
	return games
}

// fitting returns the words that would have got the feedback of every turn.
func fitting(words []wordle.Word, turns []wordle.Turn) []wordle.Word {
	return slices.DeleteFunc(slices.Clone(words), func(w wordle.Word) bool {
		return slices.ContainsFunc(turns, func(t wordle.Turn) bool { return wordle.Score(t.Guess, w) != t.Feedback })
	})
}

// ReportTimes reports the median of the times of a benchmark's cases, the 99th percentile and
// the worst.
func ReportTimes(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	for name, t := range map[string]time.Duration{
		"median-ms": times[len(times)/2], "p99-ms": times[len(times)*99/100], "worst-ms": times[len(times)-1],
	} {
		b.ReportMetric(t.Seconds()*1e3, name)
	}
}
