package solver

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
)

// randomGames returns games as people might play them, always the same ones for a
// seed: the first guess is any answer, and a later one is a word that is possible
// or, as often, any that is allowed.
func randomGames(s *Solver, n int, seed uint64, hard bool) []Played {
	random := rand.New(rand.NewPCG(seed, 0))
	answers, guesses := s.lists.Answers(), s.lists.Guesses()
	games := make([]Played, n)
	for i := range games {
		state := wordle.NewState(answers[random.IntN(len(answers))], hard)
		for state.Status() == wordle.Playing {
			from := guesses
			switch possible := s.Remaining(state.Turns()); {
			case state.Used() == 0:
				from = answers
			case random.IntN(2) == 0 || len(possible) == 1:
				from = possible
			}
			// A word that is refused is not guessed.
			if next, err := state.Guess(from[random.IntN(len(from))]); err == nil {
				state = next
			}
		}
		games[i] = Played{Turns: state.Turns(), Hard: hard, Hidden: state.Hidden()}
	}
	return games
}

// BenchmarkReview reports how long the reviews of 1000 random games take, and which
// share of the guesses is proven.
func BenchmarkReview(b *testing.B) {
	for _, hard := range []bool{false, true} {
		b.Run(fmt.Sprintf("hard=%v", hard), func(b *testing.B) {
			s := New(wordletest.Embedded(b))
			games := randomGames(s, 1000, 1, hard)
			var times []float64
			guesses, proven := 0, 0
			for b.Loop() {
				times, guesses, proven = times[:0], 0, 0
				for _, g := range games {
					start := time.Now()
					r, err := s.Review(b.Context(), g)
					if err != nil {
						b.Fatal(g, err)
					}
					times = append(times, float64(time.Since(start).Nanoseconds())/1e6)
					for _, j := range r.Guesses {
						guesses++
						if j.Proven {
							proven++
						}
					}
				}
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2], "median-ms")
			b.ReportMetric(times[len(times)*99/100], "p99-ms")
			b.ReportMetric(times[len(times)-1], "worst-ms")
			b.ReportMetric(float64(proven)/float64(guesses), "proven")
		})
	}
}
