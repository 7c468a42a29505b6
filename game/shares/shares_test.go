package shares

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fivefold/game/league"
)

// written is when the messages in testdata are written and read.
var written = time.Date(2025, 12, 1, 9, 0, 0, 0, time.UTC)

// reading says what was read as testdata does: "1234 4/6*, 1235 X/6", for a summary "summary 1625 3/6 ana, 1625 4/6 <17>", or why
// there is nothing.
func reading(results []league.Result, summary bool, err error) string {
	if slices.ContainsFunc(results, func(r league.Result) bool { return r.Number > league.Latest(written) }) {
		return "future"
	}
	if other, ok := errors.AsType[OtherGame](err); ok {
		return "other " + string(other)
	}
	if err != nil {
		return map[error]string{ErrNothing: "none", ErrSquares: "squares", ErrTwice: "twice", ErrCut: "cut"}[err]
	}
	var all []string
	for _, r := range results {
		score := "X/6"
		if r.Won {
			score = fmt.Sprintf("%d/6", r.Guesses)
		}
		text := fmt.Sprint(r.Number, " ", score)
		if r.Hard {
			text += "*"
		}
		if r.Player != "" {
			text += " <" + string(r.Player) + ">"
		}
		if r.Name != "" {
			text += " " + r.Name
		}
		all = append(all, text)
	}
	return map[bool]string{true: "summary "}[summary] + strings.Join(all, ", ")
}

// corpus calls f with each message of a file and its expected reading, and returns how many there are.
func corpus(tb testing.TB, name string, f func(text, want string)) (n int) {
	tb.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	seen := map[string]bool{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if lines.Text() == "" || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		want, quoted, _ := strings.Cut(lines.Text(), "\t")
		text, err := strconv.Unquote(quoted)
		if err != nil || seen[text] {
			tb.Fatalf("%s: %v, or there twice", lines.Text(), err)
		}
		seen[text] = true
		f(text, want)
		n++
	}
	return n
}

func TestShares(t *testing.T) {
	for name, least := range map[string]int{"shares.txt": 300, "none.txt": 60} {
		n := corpus(t, name, func(text, want string) {
			if got := reading(Read(text, written)); got != want {
				t.Errorf("%s: %q\ngot  %s\nwant %s", name, text, got, want)
			}
		})
		if n < least {
			t.Errorf("%s has %d messages, want %d", name, n, least)
		}
	}
}

// FuzzRead: whatever a message says, there are results or a known error, never both; results are valid, and none comes twice.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"shares.txt", "none.txt"} {
		corpus(f, name, func(text, _ string) { f.Add(text) })
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 32_000 { // a message has up to 8000 characters
			t.Skip()
		}
		results, summary, err := Read(text, written)
		if said := reading(results, summary, err); said == "" || (err == nil) == (results == nil) {
			t.Fatalf("%v, %v", results, err)
		}
		seen := map[league.Result]bool{}
		for _, r := range results {
			who := league.Result{Player: r.Player, Name: r.Name, Number: r.Number}
			named := (r.Player == "") != (r.Name == "")
			if seen[who] || named != summary || r.Number < 0 || r.Number > 999_999 || r.Won != (r.Guesses >= 1 && r.Guesses <= 6) || r.Guesses > 6 || r.Hard && summary {
				t.Fatalf("%+v of %+v", r, results)
			}
			seen[who] = true
		}
	})
}
