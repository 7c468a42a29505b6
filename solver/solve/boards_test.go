package solve_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/solver/multi"
	"fivefold/solver/solve"
)

// newBoards returns a puzzle with lines such as "crane bbygb ggggg": a guess, and its feedback on the boards that are open.
func newBoards(t *testing.T, n int, lines ...string) solve.Boards {
	t.Helper()
	b := slices.Repeat(solve.Boards{{Setup: solve.WordSetup{Boards: n}}}, n)
	for _, line := range lines {
		var err error
		if b, err = enter(b, line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return b
}

// enter enters a line of newBoards.
func enter(b solve.Boards, line string) (solve.Boards, error) {
	words := strings.Fields(line)
	var given []marks.Feedback
	for _, f := range words[1:] {
		given = append(given, newTurn("crane "+f).Feedback)
	}
	return b.Enter(wordle.MustParse(words[0]), given)
}

// written has the turns of each board and what is next.
func written(b solve.Boards) string {
	var all []string
	for _, p := range b {
		var turns []string
		for _, t := range p.Turns {
			turns = append(turns, fmt.Sprintf("%v %v", t.Guess, t.Feedback))
		}
		all = append(all, strings.Join(turns, ", "))
	}
	return strings.ToLower(fmt.Sprintf("%s; open %v, next %q", strings.Join(all, " | "), b.Open(), b.First().Next()))
}

func TestBoards(t *testing.T) {
	two := []string{"crane bbygb bbbbb", "slate ggggg bybbb"}
	var seven []string
	for i := range 7 {
		seven = append(seven, strings.Repeat(string(rune('a'+i)), 5)+" bbbbb bbbbb")
	}
	change := func(number, line int, f string) func(solve.Boards) (solve.Boards, error) {
		return func(b solve.Boards) (solve.Boards, error) {
			return b.Change(number, line, newTurn("crane "+f).Feedback)
		}
	}
	line := func(text string) func(solve.Boards) (solve.Boards, error) {
		return func(b solve.Boards) (solve.Boards, error) { return enter(b, text) }
	}
	const same = "crane bbygb, slate ggggg | crane bbbbb, slate bybbb; open [2], next \"\""
	for _, c := range []struct {
		name string
		b    solve.Boards
		rule func(solve.Boards) (solve.Boards, error)
		want string
		err  error
	}{
		{"a line for the open board", newBoards(t, 2, two...), line("point bbbbg"), "crane bbygb, slate ggggg | crane bbbbb, slate bybbb, point bbbbg; open [2], next \"\"", nil},
		{"the last board", newBoards(t, 2, two...), line("pilot ggggg"), "pilot ggggg; open [], next \"\"", nil},
		{"a guess alone", newBoards(t, 2, two...), line("pilot"), "slate bybbb; open [2], next \"pilot\"", nil},
		{"feedback of a found board", newBoards(t, 2, two...), line("pilot ggggg bbbbb"), same, solve.ErrCount},
		{"a word again", newBoards(t, 2, two...), line("slate bbbbb"), same, &marks.RepeatedError{Attempt: 2}},
		{"after all are found", newBoards(t, 2, append(two, "pilot ggggg")...), line("point bbbbb"), "pilot ggggg; open [], next \"\"", solve.ErrOver},
		{"after seven lines", newBoards(t, 2, seven...), line("point bbbbb bbbbb"), "open []", solve.ErrOver},
		{"before it has begun", nil, line("point bbbbb"), "; open [], next \"\"", solve.ErrOver},

		{"undo", newBoards(t, 2, two...), solve.Boards.Undo, "crane bbygb | crane bbbbb; open [1 2], next \"slate\"", nil},
		{"undo after another's end", newBoards(t, 2, append(two, "pilot ggggg")...), solve.Boards.Undo, "crane bbygb, slate ggggg | crane bbbbb, slate bybbb; open [2], next \"pilot\"", nil},
		{"undo of nothing", newBoards(t, 2), solve.Boards.Undo, " | ; open [1 2], next \"\"", solve.ErrNoTurn},

		{"another feedback", newBoards(t, 2, two...), change(2, 1, "ybbbb"), "| crane ybbbb, slate bybbb; open [2]", nil},
		{"the last line of a found board", newBoards(t, 2, two...), change(1, 2, "ggggy"), "crane bbygb, slate ggggy | crane bbbbb, slate bybbb; open [1 2]", nil},
		{"a found board that others go on from", newBoards(t, 2, append(two, "pilot bbbbb")...), change(1, 2, "ggggy"), "open [2]", solve.ErrGreenTurn},
		{"an earlier line to all green", newBoards(t, 2, two...), change(2, 1, "ggggg"), same, solve.ErrGreenTurn},
		{"a line after a board was found", newBoards(t, 2, append(two, "pilot bbbbb")...), change(1, 3, "bbbbb"), "open [2]", solve.ErrNoTurn},
		{"no board 3", newBoards(t, 2, two...), change(3, 1, "bbbbb"), same, solve.ErrNoTurn},
		{"no board 0", newBoards(t, 2, two...), change(0, 1, "bbbbb"), same, solve.ErrNoTurn},
	} {
		before := written(c.b)
		got, err := c.rule(c.b)
		if !strings.Contains(written(got), c.want) {
			t.Errorf("%s: got %s, want %s", c.name, written(got), c.want)
		}
		if !errors.Is(err, c.err) && (err == nil || c.err == nil || !reflect.DeepEqual(err, c.err)) {
			t.Errorf("%s: got error %v, want %v", c.name, err, c.err)
		}
		is := written(got)
		enter(c.b, "zzzzz byyyy")
		c.b.Undo()
		if after := written(c.b); after != before || written(got) != is {
			t.Errorf("%s: the puzzle before changed from %s to %s, that after from %s to %s", c.name, before, after, is, written(got))
		}
	}
}

// TestUpdateBoards: after a restart it goes on, and a repeated request changes nothing. A board that no word fits says what is wrong,
// and the others go on.
func TestUpdateBoards(t *testing.T) {
	store, lists := newMemory(), mustLists(t, fewWords)
	ask := func(request string, rule func(solve.Boards) (solve.Boards, error)) solve.View[solve.WordView] {
		t.Helper()
		w := newWords(store, lists) // always as after a restart
		w.Boards = multi.New(lists)
		change := func(s solve.Session) (_ solve.Session, err error) {
			s.Boards, err = rule(s.Boards)
			return s, err
		}
		if rule == nil {
			change = nil
		}
		v, err := w.UpdateBoards(t.Context(), by("ana", request), 0, change)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if v := ask("look", nil); v.Version != 0 || v.Left != nil {
		t.Errorf("before a puzzle it is %+v", v)
	}
	first := ask("begin", func(solve.Boards) (solve.Boards, error) { return newBoards(t, 2), nil })
	if first.Version != 1 || first.Boards.First().Next() == 0 || len(first.Left[1].Left) != 12 {
		t.Fatalf("a puzzle begins with %+v", first)
	}
	if again := ask("look again", nil); !reflect.DeepEqual(again, first) {
		t.Errorf("it is shown again as %+v, want %+v", again, first)
	}
	line := func(text string) func(solve.Boards) (solve.Boards, error) {
		return func(b solve.Boards) (solve.Boards, error) { return enter(b, text) }
	}
	v := ask("line", line("match bgggg byyyy"))
	if again := ask("line", line("match bgggg byyyy")); v.Version != 2 || !reflect.DeepEqual(again, v) {
		t.Errorf("repeated, the request leads to %+v, want %+v", again, v)
	}
	fits := func(b solve.WordView) (words []string) {
		for _, p := range b.Left {
			words = append(words, strings.ToLower(p.Word.String()))
		}
		slices.Sort(words)
		return words
	}
	if got := fmt.Sprint(fits(v.Left[0]), fits(v.Left[1])); got != "[batch catch hatch latch patch watch] []" {
		t.Errorf("the words left are %s", got)
	}
	if c := v.Left[1].Contradiction; c == nil || c.Turn != 1 || !c.Alone || len(c.Nearest) == 0 || v.Left[0].Contradiction != nil {
		t.Errorf("the contradiction is %+v", c)
	}
	next := v.Boards.First().Next()
	if next == 0 {
		t.Fatal("nothing is proposed for the board that words fit")
	}
	if v = ask("green", line("blown ggggg bbbbb")); v.Boards.First().Next() != 0 || v.Left[1].Contradiction == nil {
		t.Errorf("no word fits any open board, and it proposes %v", v.Boards.First().Next())
	}
	v = ask("other board", func(b solve.Boards) (solve.Boards, error) { return b.Undo() })
	v = ask("corrected", func(b solve.Boards) (solve.Boards, error) { return b.Change(2, 1, newTurn("crane ggbbb").Feedback) })
	if got := fits(v.Left[1]); v.Left[1].Contradiction != nil || fmt.Sprint(got) != "[major]" || v.Boards.First().Next() != wordle.MustParse("major") {
		t.Errorf("corrected, it proposes %v of %v", v.Boards.First().Next(), got)
	}
	v = ask("second found", line("major bgbbb ggggg"))
	if p := v.Boards.First(); p.Next() == 0 || p.Status() != game.Playing || !slices.Equal(v.Boards.Open(), []int{1}) {
		t.Errorf("with one found, it is %s", written(v.Boards))
	}
}
