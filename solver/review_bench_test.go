package solver

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"fivefold/game/wordle/wordletest"
	"fivefold/solver/solvertest"
)

// randomGames returns the games of [solvertest.Games] to be reviewed.
func randomGames(s *Solver, n int, seed uint64, hard bool) []Played {
	var games []Played
	for _, g := range solvertest.Games(s.lists, n, seed, hard) {
		games = append(games, Played{Turns: g.Turns(), Hard: hard, Hidden: g.Hidden()})
	}
	return games
}

// BenchmarkReview reports how long the reviews of 50 random games take, and what share of
// the guesses is proven.
func BenchmarkReview(b *testing.B) {
	for _, hard := range []bool{false, true} {
		b.Run(fmt.Sprintf("hard=%v", hard), func(b *testing.B) {
			s := New(wordletest.Embedded(b))
			games := randomGames(s, solvertest.Cases(50), 1, hard)
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
