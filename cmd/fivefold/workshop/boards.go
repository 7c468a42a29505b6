package workshop

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"fivefold/cmd/fivefold/cli"
	"fivefold/game/boards"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/multi"
)

// boardGames returns the hidden words of games of several boards. Words of a file, in its order, are each hidden once: a
// game has every n-th of them, as far as its boards go. Otherwise the seed draws them.
func (s *simulation) boardGames(file []wordle.Word) [][]wordle.Word {
	games := make([][]wordle.Word, s.sample)
	random := rand.New(rand.NewPCG(s.seed, 0))
	for i := range games {
		drawn := random.Perm(len(s.lists.Answers()))
		for b := range s.boards {
			if file != nil {
				games[i] = append(games[i], file[i+b*len(games)])
			} else {
				games[i] = append(games[i], s.lists.Answers()[drawn[b]])
			}
		}
	}
	return games
}

// playBoards plays games of several boards, and prints their results.
func (s *simulation) playBoards(ctx context.Context, p *cli.Program) error {
	if s.boards < 2 || s.boards > boards.Most {
		return cli.WrongUse("--boards %d: it is from 2 to %d", s.boards, boards.Most)
	}
	var file []wordle.Word
	if s.against != "" {
		content, err := os.ReadFile(s.against)
		if err != nil {
			return cli.WrongUse("--against: %w", err)
		}
		source := func() wordle.Source {
			return wordle.Source{Name: s.against, Reader: strings.NewReader(string(content))}
		}
		if s.lists, err = wordle.ReadLists(source(), source()); err != nil {
			return cli.WrongUse("--against: %w", err)
		}
		for line := range strings.Lines(string(content)) {
			if w, err := wordle.ParseWord(line); err == nil { // empty lines and comments are no words
				file = append(file, w)
			}
		}
	}
	if s.sample == 0 {
		s.sample = uint(2000 / s.boards)
	}
	if words := len(s.lists.Answers()); words < s.boards || file != nil && int(s.sample)*s.boards > words {
		return cli.WrongUse("%d games of %d boards need more than the %d words there are", s.sample, s.boards, words)
	}
	solver, games := multi.New(s.lists), s.boardGames(file)
	progress, end := p.Progress("boards")
	defer end()
	distribution, won, sum := make([]int, boards.Attempts(s.boards)+1), 0, 0 // the last are lost
	var times []time.Duration
	for i, hidden := range games {
		progress(i, len(games))
		state := boards.New(hidden...)
		for state.Status() == marks.Playing {
			start := cpuTime()
			best, err := solver.Suggest(ctx, multi.Position{Boards: state.All(), Limit: state.Used() + state.AttemptsLeft()}, 1)
			times = append(times, cpuTime()-start)
			if err == nil {
				state, err = state.Guess(best[0].Word)
			}
			if err != nil {
				return fmt.Errorf("after %d of %d games: %w", i, len(games), err)
			}
		}
		if state.Status() == marks.Lost {
			distribution[state.Used()]++
			continue
		}
		distribution[state.Used()-1]++
		won, sum = won+1, sum+state.Used()
	}
	slices.Sort(times)
	w := p.Text(nil)
	fmt.Fprintf(w, "%d games of %d boards, %d answers, %d guesses\n", len(games), s.boards, len(s.lists.Answers()), len(s.lists.Guesses()))
	fmt.Fprintf(w, "won %d, %.2f %%, in %d guesses, %.4f on average\n",
		won, 100*float64(won)/float64(len(games)), sum, float64(sum)/float64(max(won, 1)))
	fmt.Fprintf(w, "processor time of a guess: median %v, 99th percentile %v, on %s\n\n", times[len(times)/2].Round(time.Microsecond*100),
		times[len(times)*99/100].Round(time.Microsecond*100), machine())
	return printBars(w, distribution)
}

// machine names the processor.
func machine() string {
	info, _ := os.ReadFile("/proc/cpuinfo") // elsewhere the architecture has to do
	for line := range strings.Lines(string(info)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return fmt.Sprintf("%d × %s", runtime.NumCPU(), strings.Trim(name, "\t :\n"))
		}
	}
	return fmt.Sprintf("%d × %s", runtime.NumCPU(), runtime.GOARCH)
}
