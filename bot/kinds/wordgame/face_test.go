package wordgame

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"fivefold/bot"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver/optimal"
)

func TestWordReason(t *testing.T) {
	for _, c := range []struct {
		s    optimal.Suggestion
		want string
	}{
		{
			optimal.Suggestion{Remaining: 1, Groups: 1, Worst: 1, Possible: true, Total: 1, Proven: true},
			"It's the only word left.",
		},
		{
			optimal.Suggestion{Remaining: 87, Groups: 41, Worst: 6, Total: 208, Proven: true},
			"The best guess there is, with 87 words left. It can't be the word itself.",
		},
		{
			optimal.Suggestion{Remaining: 2, Groups: 2, Worst: 1, Possible: true, Total: 4},
			"A good guess, with 2 words left.",
		},
		{
			optimal.Suggestion{Remaining: 3, Groups: 2, Worst: 2, Possible: true, Proven: true},
			"No guess is sure to win now, with 3 words left.",
		},
		{
			optimal.Suggestion{Remaining: 900, Groups: 80, Worst: 70},
			"A good guess, with 900 words left. It can't be the word itself.",
		},
	} {
		if got := reason(c.s); got != c.want {
			t.Errorf("%+v\ngot  %s\nwant %s", c.s, got, c.want)
		}
	}
}

// TestFurther: guesses in a lost game end with the word, or with the tenth guess. The last button still fits. Words
// that the game doesn't allow are refused.
func TestFurther(t *testing.T) {
	lists := wordletest.Lists(t, "crane slate", "crane slate sight")
	f := New(lists, nil).Face()
	s := wordle.NewState(wordle.MustParse("qwxyz"), marks.Hard)
	for _, guess := range []string{"about", "crane", "sight", "slate", "mound", "fully"} {
		s, _ = s.Guess(wordle.MustParse(guess))
	}
	lost := s
	var typed []string
	for n := 1; n <= mostFurther; n++ {
		if b := f.PlayOnButton(game.MatchID(fmt.Sprint(uint64(math.MaxUint64))), strings.Join(typed, " ")); len(b.Query()) > bot.MaxButton {
			t.Errorf("before guess %d the button has %d characters", n, len(b.Query()))
		}
		typed = append(typed, "crane")
		lines, over, err := f.PlayOn(lost, typed)
		if told := strings.Contains(bot.Ephemeral(lines...).String(), "QWXYZ"); err != nil || over != (n == mostFurther) || told != over {
			t.Errorf("after guess %d: over %t, %v, in\n%s", n, over, err, bot.Ephemeral(lines...))
		}
	}
	if lines, over, err := f.PlayOn(lost, []string{"slate", "qwxyz"}); err != nil || !over || !strings.Contains(bot.Ephemeral(lines...).String(), "Found it in 8") {
		t.Errorf("after the word: over %t, %v, in\n%s", over, err, bot.Ephemeral(lines...))
	}
	listed := wordle.NewState(wordle.MustParse("sight"), marks.Off)
	for word, refused := range map[string][2]bool{"zzzzz": {true, false}, "spics": {true, true}, "qwxyz": {true, false}} {
		for i, s := range []game.State{listed, lost} {
			_, _, err := f.PlayOn(s, []string{"slate", word})
			if _, unlisted := errors.AsType[*UnlistedError](err); unlisted != refused[i] || unlisted != (err != nil) {
				t.Errorf("%s where the word is %s: got error %v, want refused %t", word, s.Answer(), err, refused[i])
			}
		}
	}
	if _, _, err := f.PlayOn(lost, []string{"slates"}); !errors.Is(err, wordle.ErrLength) {
		t.Errorf("six letters: got error %v, want %v", err, wordle.ErrLength)
	}
}

func TestWordJudgements(t *testing.T) {
	w := wordle.MustParse
	turn := func(guess, hidden string) wordle.Turn {
		return wordle.Turn{Guess: w(guess), Feedback: wordle.Score(w(guess), w(hidden))}
	}
	for _, c := range []struct {
		g    optimal.Judged
		want string
	}{
		{optimal.Judged{Turn: turn("slate", "major"), Before: 300, After: 150, Expected: 91.4, Best: w("crony"), Skill: 89.4, Luck: 21.4, Proven: true},
			"150 left · skill 89 · luck 21 · better: CRONY"},
		{optimal.Judged{Turn: turn("slate", "major"), Before: 143, After: 7, Expected: 9.61, Best: w("crony"), Skill: 92.6, Luck: 61.4},
			"7 left · skill about 93 · luck 61 · better: CRONY"},
		{optimal.Judged{Turn: turn("crony", "major"), Before: 2, After: 1, Expected: 1, Best: w("crony"), Skill: 99, Luck: 24.75, Proven: true},
			"Best guess! 1 left · luck 25"},
		{optimal.Judged{Turn: turn("crony", "major"), Before: 2, After: 1, Expected: 1, Best: w("crony"), Skill: 99, Luck: 24.75},
			"1 left · skill about 99 · luck 25"},
		{optimal.Judged{Turn: turn("major", "major"), Before: 1, After: 1, Expected: 1, Best: w("major"), Skill: 99, Luck: 49.5, Proven: true},
			"Found it! Luck 50"},
		{optimal.Judged{Turn: turn("major", "major"), Before: 40, After: 1, Expected: 3, Best: w("crony"), Skill: 73, Luck: 97.5, Proven: true},
			"Found it! Luck 98"},
	} {
		r := optimal.Review{Guesses: []optimal.Judged{c.g}}
		j := New(nil, nil).Judge(nil, r).Guesses[0]
		if got := strings.TrimSpace(bot.Ephemeral(j.Line(false)).String()); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
		for _, s := range j.Line(true).Text {
			if s.Style != bot.StyleSpoiler && j.Better != "" && strings.Contains(s.Text, j.Better) {
				t.Errorf("what was better is not hidden: %q", s.Text)
			}
		}
	}
}

// TestCompleteWord: common words come first. Words that the game refuses come last, with the reason.
func TestCompleteWord(t *testing.T) {
	lists := wordletest.Embedded(t)
	state := func(hard marks.Hardness) func() game.State {
		s := wordle.NewState(wordle.MustParse("major"), hard)
		for _, guess := range []string{"crane", "maria"} {
			var err error
			if s, err = s.Guess(wordle.MustParse(guess)); err != nil {
				t.Fatal(err)
			}
		}
		return func() game.State { return s }
	}
	for _, c := range []struct {
		typed   string
		current func() game.State
		want    string // the names, or the first or last of them
		at      int
	}{
		{"ab", NoGame, "ABOUT", 0},
		{"crane", NoGame, "CRANE", 0},
		{"crane", state(marks.Off), "CRANE — guess 1 already", 0},
		{"cran", state(marks.Off), "CRANK", 0},
		{"cran", state(marks.Off), "CRANE — guess 1 already", -1},
		{"slate", state(marks.Off), "SLATE", 0},
		{"slate", state(marks.Hard), "SLATE — Use R again: it was yellow at 2", 0},
		{"ma", state(marks.Hard), "MAJOR", 0},
		{"mango", state(marks.Hard), "MANGO — Use R again: it was yellow at 2", 0},
		{"macro", state(marks.Hard), "MACRO", 0},
		{"macro", state(marks.Ultra), "MACRO — Ultra-hard: C was grey, so it has to stay out", 0},
		{"marks", state(marks.Ultra), "MARKS — Ultra-hard: R was yellow at 3, so it can't be there again", 0},
		{"malar", state(marks.Ultra), "MALAR — Ultra-hard: use A only once: one more was grey", 0},
		{"mango", state(marks.Ultra), "MANGO — Use R again: it was yellow at 2", 0},
		{"ma", state(marks.Ultra), "MAJOR", 0},
		{"judg", NoGame, "JUDGE", 0},
		{"judgy", NoGame, "JUDGY", 0},
		{"qzxyv", state(marks.Hard), "QZXYV — not in the list", 0},
		{"qz", state(marks.Hard), "QZ — no word in the list begins like that", 0},
	} {
		choices := CompleteWord(lists, c.typed, c.current)
		if at := (c.at + len(choices)) % len(choices); choices[at].Name != c.want {
			t.Errorf("%s: choice %d of %v is not %q", c.typed, at, choices, c.want)
		}
	}
}

func FuzzCompleteWord(f *testing.F) {
	lists, err := wordle.Embedded()
	if err != nil {
		f.Fatal(err)
	}
	for _, typed := range []string{"c", "crane", "cr4ne", "\xff\xfe", "ßßßßß", strings.Repeat("x", 6000)} {
		f.Add(typed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		choices := CompleteWord(lists, typed, NoGame)
		if len(choices) > bot.MaxChoices {
			t.Fatalf("%d choices", len(choices))
		}
		for _, c := range choices {
			// Discord's limits for both.
			if n := len([]rune(c.Name)); n < 1 || n > 100 {
				t.Errorf("%q: a name of %d characters", typed, n)
			}
			if n := len([]rune(c.Value)); n < 1 || n > 100 {
				t.Errorf("%q: a value of %d characters", typed, n)
			}
		}
	})
}

// TestKnown: what guesses tell has a line, and a short form for a small board. A second copy of a letter in place counts.
func TestKnown(t *testing.T) {
	hidden := wordle.MustParse("paper")
	for _, c := range []struct{ guesses, known, brief string }{
		{"", "_ _ _ _ _", "_____"},
		{"slate", "_ _ _ _ _ · has A (not 3), E (not 5)", "_____ +AE"},
		{"slate crony piped", "P _ P E _ · has A (not 3), R (not 2)", "P_PE_ +AR"},
		{"apply", "_ _ P _ _ · has A (not 1), P twice (not 2)", "__P__ +AP"},
		{"paper", "P A P E R", "PAPER"},
	} {
		var turns []wordle.Turn
		for _, guess := range strings.Fields(c.guesses) {
			w := wordle.MustParse(guess)
			turns = append(turns, wordle.Turn{Guess: w, Feedback: wordle.Score(w, hidden)})
		}
		if known, brief := Known(turns), Brief(turns); known != c.known || brief != c.brief {
			t.Errorf("after %q: %q and %q, want %q and %q", c.guesses, known, brief, c.known, c.brief)
		}
	}
}
