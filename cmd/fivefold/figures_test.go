package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"fivefold/game/marks"
	"fivefold/game/wordle"
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
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	t.Parallel()
	lists, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	answers, guesses := len(lists.Answers()), len(lists.Guesses())
	row := map[marks.Hardness]string{}
	for _, hard := range []marks.Hardness{marks.Off, marks.Hard} {
		var out bytes.Buffer
		if err := runWith(t.Context(), tuning, []string{"simulate", "--strategy", "optimal", "--hard", hard.String(), "--csv", "-"},
			[]string{"HOME=" + t.TempDir()}, strings.NewReader(""), &out, &bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
		games, err := csv.NewReader(&out).ReadAll()
		if err != nil || len(games) != answers+1 {
			t.Fatal(len(games), err)
		}
		counts, total, lost := make([]int, 6), 0, 0
		for _, game := range games[1:] {
			n, err := strconv.Atoi(game[2])
			if total += n; err != nil || n > 6 {
				lost++
				continue
			}
			counts[n-1]++
		}
		row[hard] = fmt.Sprintf("| %s | %d | %.5f | %s | %d |", strings.ToUpper(games[1][4][:5]), total, float64(total)/float64(answers),
			strings.ReplaceAll(strings.Trim(fmt.Sprint(counts), "[]"), " ", ", "), lost)
	}
	for _, c := range []struct{ document, want string }{
		{"solver/README.md", "| easy " + row[marks.Off]},
		{"solver/README.md", "| hard " + row[marks.Hard]},
		{"solver/README.md", fmt.Sprintf("There are %d hidden words. %s words may be guessed", answers, thousands(guesses))},
		{"docs/operating.md", fmt.Sprintf("By default %d words can be hidden and %s can be guessed.", answers, thousands(guesses))},
		{"docs/playing.md", fmt.Sprintf("one of %d common words, and %s words can be guessed", answers, thousands(guesses))},
	} {
		if !strings.Contains(mustRead(t, "../../"+c.document), c.want) {
			t.Errorf("%s does not say: %s", c.document, c.want)
		}
	}
}
