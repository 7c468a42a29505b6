package boards

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fivefold/game/pokle"
	"fivefold/solver/solvertest"
)

// publishedDeals returns deals as they were really played. They are no part of the program.
func publishedDeals(tb testing.TB) []pokle.Deal {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", "pokle", "deals.json"))
	if err != nil {
		tb.Skip("the published deals are not here")
	}
	var file struct{ Deals []sample }
	if err := json.Unmarshal(text, &file); err != nil {
		tb.Fatal(err)
	}
	var deals []pokle.Deal
	for _, s := range file.Deals {
		deals = append(deals, s.deal())
	}
	return deals
}

// BenchmarkDeals plays the suggestions for published deals, ten random hidden boards each; with -short for
// every tenth deal. A game that uses up its guesses goes on.
func BenchmarkDeals(b *testing.B) {
	deals := publishedDeals(b)
	for b.Loop() {
		random := rand.New(rand.NewPCG(34, 0))
		var times []time.Duration
		games, guesses, lost, fewGames, fewGuesses := 0.0, 0.0, 0.0, 0.0, 0.0
		for i, d := range deals {
			all := mustList(b, d)
			var hidden []pokle.Board
			for range 10 {
				hidden = append(hidden, all[random.IntN(len(all))])
			}
			if testing.Short() && i%10 > 0 {
				continue
			}
			var s Solver
			s.keep(d, all)
			known := map[[pokle.Attempts]Step]pokle.Board{} // of whole positions
			for _, h := range hidden {
				p := Position{Deal: d}
				var key [pokle.Attempts]Step
				for n := 0; ; n++ {
					guess, ok := known[key]
					if !ok || n > pokle.Attempts {
						start := time.Now()
						guess = mustSuggest(b, &s, p).Board
						times = append(times, time.Since(start))
						known[key] = guess
					}
					step := Step{Guess: guess, Feedback: d.Score(guess, h)}
					p.Steps = append(p.Steps, step)
					if n < len(key) {
						key[n] = step
					}
					if step.Feedback == pokle.AllGreen {
						break
					}
				}
				n := float64(len(p.Steps))
				games, guesses = games+1, guesses+n
				if n > pokle.Attempts {
					lost++
				}
				if len(all) <= 6000 {
					fewGames, fewGuesses = fewGames+1, fewGuesses+n
				}
			}
		}
		b.ReportMetric(guesses/games, "guesses/game")
		b.ReportMetric(100*lost/games, "%lost")
		b.ReportMetric(fewGuesses/fewGames, "guesses/game-of-6000-boards")
		solvertest.ReportTimes(b, times)
	}
}
