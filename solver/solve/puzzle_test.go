package solve_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

// newTurn reads "crane bbygb".
func newTurn(text string) wordle.Turn {
	guess, tiles, _ := strings.Cut(text, " ")
	f, err := wordle.ParseFeedback(tiles)
	if err != nil {
		panic(err)
	}
	return wordle.Turn{Guess: wordle.MustParse(guess), Feedback: f}
}

// add enters a turn.
func add(p solve.WordPuzzle, t wordle.Turn) (solve.WordPuzzle, error) {
	return p.Enter(t.Guess, &t.Feedback)
}

// newPuzzle returns a puzzle with these lines, for which a word was proposed.
func newPuzzle(hard marks.Hardness, lines ...string) solve.WordPuzzle {
	p := solve.WordPuzzle{Setup: solve.WordSetup{Hard: hard}, Proposed: []weighted.Suggestion{{Word: wordle.MustParse("adieu")}}}
	for _, line := range lines {
		p.Turns = append(p.Turns, newTurn(line))
	}
	return p
}

// lines writes a puzzle as newPuzzle reads it, and what comes next.
func lines(p solve.WordPuzzle) string {
	var b strings.Builder
	for _, t := range p.Turns {
		fmt.Fprintf(&b, "%v %v, ", t.Guess, t.Feedback)
	}
	return strings.ToLower(fmt.Sprintf("%s%s next %q", b.String(), p.Status(), p.Next()))
}

func TestPuzzle(t *testing.T) {
	line := func(text string) func(solve.WordPuzzle) (solve.WordPuzzle, error) {
		return func(p solve.WordPuzzle) (solve.WordPuzzle, error) { return add(p, newTurn(text)) }
	}
	choose := func(word string) func(solve.WordPuzzle) (solve.WordPuzzle, error) {
		return func(p solve.WordPuzzle) (solve.WordPuzzle, error) { return p.Enter(wordle.MustParse(word), nil) }
	}
	change := func(line int, tiles string) func(solve.WordPuzzle) (solve.WordPuzzle, error) {
		return func(p solve.WordPuzzle) (solve.WordPuzzle, error) {
			return p.Change(line, newTurn("crane "+tiles).Feedback)
		}
	}
	five := []string{"aaaaa bbbbb", "bbbbb bbbbb", "ccccc bbbbb", "ddddd bbbbb", "eeeee bbbbb"}
	for _, c := range []struct {
		name string
		p    solve.WordPuzzle
		rule func(solve.WordPuzzle) (solve.WordPuzzle, error)
		want string
		err  error
	}{
		{"the first line", newPuzzle(marks.Off), line("crane bbygb"), `crane bbygb, playing next ""`, nil},
		{"all green", newPuzzle(marks.Off, "crane bbgbg"), line("slate ggggg"), `crane bbgbg, slate ggggg, won next ""`, nil},
		{"the sixth line", newPuzzle(marks.Off, five...), line("fffff bbbbb"), "lost", nil},
		{"after the end", newPuzzle(marks.Off, "crane ggggg"), line("slate bbbbb"), `crane ggggg, won`, solve.ErrOver},
		{"a word again", newPuzzle(marks.Off, "slate bbbbb", "crane bbbbb"), line("crane bbygb"), `slate bbbbb, crane bbbbb, playing`, &marks.RepeatedError{Attempt: 2}},
		{"no word", newPuzzle(marks.Off), func(p solve.WordPuzzle) (solve.WordPuzzle, error) { return add(p, wordle.Turn{}) }, `playing`, solve.ErrNoGuess},
		{"a clue dropped in hard mode", newPuzzle(marks.Hard, "crane bbbbg"), line("slush bbbbb"), `crane bbbbg, playing`,
			&wordle.HardModeError{Hard: marks.Hard, Letter: 'E', Position: 5, Mark: marks.Green, Times: 1}},
		{"a grey letter in ultra-hard mode", newPuzzle(marks.Ultra, "crane bbbbg"), line("caste bbbbg"), `crane bbbbg, playing`,
			&wordle.HardModeError{Hard: marks.Ultra, Letter: 'C', Position: 1, Mark: marks.Black, Times: 0}},

		{"a word chosen", newPuzzle(marks.Off, "crane bbygb"), choose("slate"), `crane bbygb, playing next "slate"`, nil},
		{"a word chosen again", newPuzzle(marks.Off, "crane bbbbb"), choose("crane"), `crane bbbbb, playing next "adieu"`, &marks.RepeatedError{Attempt: 1}},

		{"undo", newPuzzle(marks.Off, "slate bbbbb", "crane bbygb"), solve.WordPuzzle.Undo, `slate bbbbb, playing next "crane"`, nil},
		{"undo of nothing", newPuzzle(marks.Off), solve.WordPuzzle.Undo, `playing next "adieu"`, solve.ErrNoTurn},

		{"the same tiles", newPuzzle(marks.Off, "slate bbbbb"), change(1, "bbbbb"), `slate bbbbb, playing next "adieu"`, nil},
		{"the last line to all green", newPuzzle(marks.Off, "slate bbbbb"), change(1, "ggggg"), `slate ggggg, won`, nil},
		{"an earlier line to all green", newPuzzle(marks.Off, "slate bbbbb", "crane bbbbb"), change(1, "ggggg"), `slate bbbbb, crane bbbbb, playing`, solve.ErrGreenTurn},
		{"no line 2", newPuzzle(marks.Off, "slate bbbbb"), change(2, "bbbbb"), `slate bbbbb, playing`, solve.ErrNoTurn},

		{"hard mode", newPuzzle(marks.Off), func(p solve.WordPuzzle) (solve.WordPuzzle, error) {
			return p.With(solve.WordSetup{Hard: marks.Hard}), nil
		}, `playing next ""`, nil},
		{"a strategy", newPuzzle(marks.Hard), func(p solve.WordPuzzle) (solve.WordPuzzle, error) {
			return p.With(solve.WordSetup{Hard: marks.Hard, Strategy: "parts"}), nil
		}, `playing next ""`, nil},
	} {
		before := lines(c.p)
		got, err := c.rule(c.p)
		if !strings.Contains(lines(got), c.want) {
			t.Errorf("%s: got %s, want %s", c.name, lines(got), c.want)
		}
		if !errors.Is(err, c.err) && (err == nil || c.err == nil || !reflect.DeepEqual(err, c.err)) {
			t.Errorf("%s: got error %v, want %v", c.name, err, c.err)
		}
		if err != nil && !reflect.DeepEqual(got, c.p) {
			t.Errorf("%s: refused, but it is %s", c.name, lines(got))
		}
		is := lines(got)
		add(c.p, newTurn("zzzzz byyyy")) // two puzzles that go on from one share nothing
		c.p.Change(len(c.p.Turns), 1)
		if lines(got) != is {
			t.Errorf("%s: another change makes it %s", c.name, lines(got))
		}
		if after := lines(c.p); after != before {
			t.Errorf("%s: the puzzle before changed from %s to %s", c.name, before, after)
		}
	}
}
