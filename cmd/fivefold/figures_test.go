package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fivefold/bot/picture"
	"fivefold/game/racetest"
	"fivefold/storage/backup"
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
	cmd, _, err := testCommands().Find([]string{"pokle", "solve"})
	if err != nil {
		t.Fatal(err)
	}
	tiles := map[string]bool{} // sets share some
	for _, set := range picture.EmojiSets() {
		for _, e := range set {
			tiles[e.Name()] = true
		}
	}
	texts := map[string]string{}
	for _, c := range []struct{ document, want string }{
		{"docs/command-line.md", fmt.Sprintf("The built-in plans need %.5f guesses on average, %.5f in hard mode, and lose no game.", average[false], average[true])},
		{"docs/command-line.md", "(by default " + strings.TrimSuffix(cmd.Flags().Lookup("time").DefValue, "s") + " s)"},
		{"docs/command-line.md", "0 or none means ten seconds"},
		{"solver/README.md", "| easy " + row[false]},
		{"solver/README.md", "| hard " + row[true]},
		{"solver/README.md", fmt.Sprintf("There are %d hidden words. %s words may be guessed", answers, thousands(guesses))},
		{"docs/operating.md", fmt.Sprintf("By default %d words can be hidden and %s can be guessed.", answers, thousands(guesses))},
		{"docs/operating.md", fmt.Sprintf("each letter and each card in each colour, %d of the", len(tiles))},
		{"docs/operating.md", fmt.Sprintf("If the disk has less than %s times the store's", []string{"", "one", "two", "three"}[backup.Room])},
		{"docs/playing.md", fmt.Sprintf("one of %d common words, and %s words can be guessed", answers, thousands(guesses))},
	} {
		if texts[c.document] == "" {
			text, err := os.ReadFile(filepath.Join("../..", c.document))
			if err != nil {
				t.Fatal(err)
			}
			texts[c.document] = string(text)
		}
		if c.want == "" || !strings.Contains(texts[c.document], c.want) {
			t.Errorf("%s does not say: %s", c.document, c.want)
		}
	}
	// All that it says with a decimal point, outside of sessions, is above.
	for _, figure := range regexp.MustCompile(`\b\d+\.\d+\b`).FindAllString(withoutBlocks(texts["docs/command-line.md"]), -1) {
		if !slices.Contains([]string{fmt.Sprintf("%.5f", average[false]), fmt.Sprintf("%.5f", average[true]), "1.8"}, figure) {
			t.Errorf("docs/command-line.md says %s, which nothing checks", figure)
		}
	}
}
