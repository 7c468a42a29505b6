package solve_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"fivefold/game"
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

// newPuzzle returns a puzzle with these lines, for which a word was proposed.
func newPuzzle(hard bool, lines ...string) solve.WordPuzzle {
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
	add := func(text string) func(solve.WordPuzzle) (solve.WordPuzzle, error) {
		return func(p solve.WordPuzzle) (solve.WordPuzzle, error) { return p.Add(newTurn(text)) }
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
		{"the first line", newPuzzle(false), add("crane bbygb"), `crane bbygb, playing next ""`, nil},
		{"all green", newPuzzle(false, "crane bbgbg"), add("slate ggggg"), `crane bbgbg, slate ggggg, won next ""`, nil},
		{"all green that contradicts", newPuzzle(false, "crane bbygb"), add("slate ggggg"), `crane bbygb, slate ggggg, playing next ""`, nil},
		{"the sixth line, all green that contradicts", newPuzzle(false, five...), add("dozen ggggg"), "dozen ggggg, playing", nil},
		{"after all green that contradicts", newPuzzle(false, "crane bbygb", "slate ggggg"), add("slush bbbbb"), "slate ggggg, playing", solve.ErrDoubtfulWin},
		{"the sixth line", newPuzzle(false, five...), add("fffff bbbbb"), "lost", nil},
		{"after the end", newPuzzle(false, "crane ggggg"), add("slate bbbbb"), `crane ggggg, won`, solve.ErrOver},
		{"a word again", newPuzzle(false, "slate bbbbb", "crane bbbbb"), add("crane bbygb"), `slate bbbbb, crane bbbbb, playing`, &wordle.RepeatedError{Attempt: 2}},
		{"no word", newPuzzle(false), func(p solve.WordPuzzle) (solve.WordPuzzle, error) { return p.Add(wordle.Turn{}) }, `playing`, solve.ErrNoGuess},
		{"a clue dropped in hard mode", newPuzzle(true, "crane bbbbg"), add("slush bbbbb"), `crane bbbbg, playing`,
			&wordle.HardModeError{Letter: 'E', Position: 5, Green: true, Times: 1}},

		{"a word chosen", newPuzzle(false, "crane bbygb"), choose("slate"), `crane bbygb, playing next "slate"`, nil},
		{"a word chosen again", newPuzzle(false, "crane bbbbb"), choose("crane"), `crane bbbbb, playing next "adieu"`, &wordle.RepeatedError{Attempt: 1}},

		{"undo", newPuzzle(false, "slate bbbbb", "crane bbygb"), solve.WordPuzzle.Undo, `slate bbbbb, playing next "crane"`, nil},
		{"undo of nothing", newPuzzle(false), solve.WordPuzzle.Undo, `playing next "adieu"`, solve.ErrNoTurn},

		{"the same tiles", newPuzzle(false, "slate bbbbb"), change(1, "bbbbb"), `slate bbbbb, playing next "adieu"`, nil},
		{"the last line to all green", newPuzzle(false, "slate bbbbb"), change(1, "ggggg"), `slate ggggg, won`, nil},
		{"an earlier line to all green", newPuzzle(false, "slate bbbbb", "crane bbbbb"), change(1, "ggggg"), `slate bbbbb, crane bbbbb, playing`, solve.ErrGreenTurn},
		{"no line 2", newPuzzle(false, "slate bbbbb"), change(2, "bbbbb"), `slate bbbbb, playing`, solve.ErrNoTurn},

		{"hard mode", newPuzzle(false), func(p solve.WordPuzzle) (solve.WordPuzzle, error) { return p.With(solve.WordSetup{Hard: true}), nil }, `playing next ""`, nil},
		{"a strategy", newPuzzle(true), func(p solve.WordPuzzle) (solve.WordPuzzle, error) {
			return p.With(solve.WordSetup{Hard: true, Strategy: "parts"}), nil
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
		if after := lines(c.p); after != before {
			t.Errorf("%s: the puzzle before changed from %s to %s", c.name, before, after)
		}
	}
}

// TestPuzzleRandom makes random changes; whatever they are, a puzzle keeps what
// its type promises, and a refusal changes nothing.
func TestPuzzleRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	words := mustLists(t, "eerie geese melee llama mamma radar crane slate sheer civic kayak poppy").Guesses()
	for range 300 {
		p := solve.WordPuzzle{Setup: solve.WordSetup{Hard: random.IntN(3) == 0}}
		hidden := words[random.IntN(len(words))]
		for range 30 {
			w, f := words[random.IntN(len(words))], wordle.Feedback(random.IntN(wordle.Feedbacks))
			if random.IntN(3) > 0 {
				f = wordle.Score(w, hidden)
			}
			before := lines(p)
			var next solve.WordPuzzle
			var err error
			switch random.IntN(5) {
			case 0:
				next, err = p.Enter(w, nil)
			case 1:
				next, err = p.Undo()
			case 2:
				next, err = p.Change(random.IntN(8), f)
			default:
				next, err = p.Add(wordle.Turn{Guess: w, Feedback: f})
			}
			if err != nil && !reflect.DeepEqual(next, p) {
				t.Fatalf("%s became %s though %v", lines(p), lines(next), err)
			}
			if err == nil && random.IntN(4) == 0 { // two puzzles that go on from one share nothing
				is := lines(next)
				p.Add(wordle.Turn{Guess: wordle.MustParse("zzzzz"), Feedback: 1})
				p.Change(len(p.Turns), 1)
				if lines(next) != is || lines(p) != before {
					t.Fatalf("%s became %s, and %s", before, lines(p), lines(next))
				}
			}
			p = next
			seen := map[wordle.Word]bool{}
			for i, turn := range p.Turns {
				if seen[turn.Guess] || turn.Feedback == wordle.AllGreen && i < len(p.Turns)-1 || i >= wordle.Attempts {
					t.Fatalf("impossible: %s", lines(p))
				}
				seen[turn.Guess] = true
			}
			if p.Status() != game.Playing && p.Next() != 0 {
				t.Fatalf("something comes next: %s", lines(p))
			}
		}
	}
}
