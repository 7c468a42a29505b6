package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fivefold/game/racetest"
)

// thousands writes a whole number as documents do: 11 410.
func thousands(n int) string {
	if n < 10_000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d %03d", n/1000, n%1000)
}

// TestFigures: documents say what the program says.
func TestFigures(t *testing.T) {
	racetest.Skip(t)
	average, row := map[bool]float64{}, map[bool]string{}
	var answers, guesses int
	for _, hard := range []bool{false, true} {
		var out bytes.Buffer
		if err := runWith(t.Context(), tuning, []string{"simulate", "--strategy", "optimal", fmt.Sprint("--hard=", hard), "--json"},
			[]string{"HOME=" + t.TempDir()}, strings.NewReader(""), &out, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		var result struct {
			Answers, Guesses int
			Strategies       []struct {
				Opener       string
				Total, Lost  int
				Average      float64
				Distribution []int
			}
		}
		if err := json.Unmarshal(out.Bytes(), &result); err != nil {
			t.Fatal(err)
		}
		s := result.Strategies[0]
		answers, guesses, average[hard] = result.Answers, result.Guesses, s.Average
		counts := make([]string, 6)
		for i := range counts {
			counts[i] = fmt.Sprint(s.Distribution[i])
		}
		row[hard] = fmt.Sprintf("| %s | %d | %.5f | %s | %d |", strings.ToUpper(s.Opener), s.Total, s.Average, strings.Join(counts, ", "), s.Lost)
	}
	for _, c := range []struct{ document, want string }{
		{"docs/command-line.md", fmt.Sprintf("The built-in plans need %.5f guesses on average, %.5f in hard mode, and lose no game.", average[false], average[true])},
		{"solver/README.md", "| easy " + row[false]},
		{"solver/README.md", "| hard " + row[true]},
		{"solver/README.md", fmt.Sprintf("There are %d hidden words. %s words may be guessed", answers, thousands(guesses))},
		{"docs/operating.md", fmt.Sprintf("By default %d words can be hidden and %s can be guessed.", answers, thousands(guesses))},
		{"docs/playing.md", fmt.Sprintf("one of %d common words, and %s words can be guessed", answers, thousands(guesses))},
	} {
		if !strings.Contains(mustRead(t, "../../"+c.document), c.want) {
			t.Errorf("%s does not say: %s", c.document, c.want)
		}
	}
}
