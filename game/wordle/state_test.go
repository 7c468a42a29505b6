package wordle

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fivefold/game/marks"
)

// play returns the game after the guesses, each of which must count.
func play(t *testing.T, s State, guesses ...string) State {
	t.Helper()
	for _, g := range guesses {
		next, err := s.Guess(MustParse(g))
		if err != nil || next.Rewind(s.Used()) != s {
			t.Fatalf("%s: %v, %v", g, next, err)
		}
		s = next
	}
	return s
}

func TestStateEnds(t *testing.T) {
	for _, c := range []struct {
		guesses string
		want    marks.Status
	}{
		{"", marks.Playing},
		{"slate", marks.Playing},
		{"crane", marks.Won},
		{"slate brick mound fuzzy shave", marks.Playing},
		{"slate brick mound fuzzy shave crane", marks.Won},
		{"slate brick mound fuzzy shave grape", marks.Lost},
	} {
		words := strings.Fields(c.guesses)
		s := play(t, NewState(MustParse("crane"), marks.Off), words...)
		if s.Status() != c.want || s.Used() != len(words) || s.AttemptsLeft() != Attempts-len(words) {
			t.Errorf("after %q: %v, %v, %d left; want %v", c.guesses, s.Status(), s, s.AttemptsLeft(), c.want)
		}
		if _, err := s.Guess(MustParse("other")); (c.want != marks.Playing) != errors.Is(err, marks.ErrEnded) {
			t.Errorf("a further guess after %q: %v", c.guesses, err)
		}
		for i, w := range words {
			next, err := s.Guess(MustParse(w))
			if repeated := new(marks.RepeatedError); c.want == marks.Playing && (!errors.As(err, &repeated) || repeated.Attempt != i+1 || next != s) {
				t.Errorf("%s again: %v, %v", w, next, err)
			}
		}
	}
}

func TestHardMode(t *testing.T) {
	const off, hard, ultra = marks.Off, marks.Hard, marks.Ultra
	for _, c := range []struct {
		mode                  marks.Hardness
		hidden, guesses, next string
		want                  string // of the error, "" for none
	}{
		{hard, "crane", "", "zebra", ""},
		{hard, "crane", "slate", "grape", ""},
		{hard, "crane", "slate", "brick", "hard mode: A must stay at position 3"},
		{hard, "crane", "slate", "plaza", "hard mode: E must stay at position 5"},
		{hard, "crane", "react", "grape", "hard mode: C, coloured at position 4, must be used at least 1×"},
		{hard, "erase", "speed", "these", ""}, // both coloured E are used again
		{hard, "erase", "speed", "shore", "hard mode: E, coloured at position 3, must be used at least 2×"},
		{hard, "floor", "robot", "roomy", "hard mode: O must stay at position 4"},
		{hard, "crane", "slate brick", "track", "hard mode: E must stay at position 5"},
		{ultra, "crane", "", "zebra", ""},
		{ultra, "crane", "slate", "grape", ""},
		{ultra, "crane", "slate", "brick", "ultra mode: A must stay at position 3"},
		{ultra, "crane", "react", "grape", "ultra mode: C, coloured at position 4, must be used at least 1×"},
		{ultra, "crane", "slate", "quale", "ultra mode: L must be used at most 0×"},
		{hard, "crane", "slate", "quale", ""},
		{ultra, "crane", "caper", "cadre", "ultra mode: A must not be at position 2 again"}, // it was yellow there
		{ultra, "crane", "eerie", "rhine", "ultra mode: I must be used at most 0×"},
		{ultra, "crane", "eerie", "egret", "ultra mode: E must stay at position 5"},
		{ultra, "crane", "eerie", "where", "ultra mode: E must be used at most 1×"},
		{ultra, "bevel", "geese", "eject", "ultra mode: E must stay at position 2"},
		{ultra, "abide", "sheep", "ember", "ultra mode: E must be used at most 1×"},
		{ultra, "abide", "sheep", "adobe", ""},
		{ultra, "abide", "sheep", "naked", "ultra mode: E must not be at position 4 again"}, // it was grey there
		{ultra, "erase", "speed", "those", "ultra mode: E, coloured at position 3, must be used at least 2×"},
		{off, "crane", "slate", "slump", ""},
	} {
		s := NewState(MustParse(c.hidden), c.mode)
		for _, g := range strings.Fields(c.guesses) {
			// Some tables' openings break hard mode themselves; take them as easy.
			easy := s
			easy.hard = off
			s = play(t, easy, g)
			s.hard = c.mode
		}
		next, err := s.Guess(MustParse(c.next))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want || (next == s) != (err != nil) {
			t.Errorf("%s after %q: %q, want %q", c.next, c.guesses, got, c.want)
		}
	}
}

// TestHardModeAllowsTheHiddenWord holds for any play: what fits every feedback is always allowed, and never the other way round
// for a dropped green letter.
func TestHardModeAllowsTheHiddenWord(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 50_000 {
		hidden, guess, next := randomWord(random, 4), randomWord(random, 4), randomWord(random, 4)
		turns := []Turn{{Guess: guess, Feedback: Score(guess, hidden)}}
		for _, hard := range []marks.Hardness{marks.Off, marks.Hard, marks.Ultra} {
			if err := CheckClues(hard, turns, hidden); err != nil {
				t.Fatalf("%v: %v refused after %v for hidden %v: %v", hard, hidden, guess, hidden, err)
			}
		}
		if got, want := CheckClues(marks.Hard, turns, next) == nil, hardPlain(turns[0], next.String()); got != want {
			t.Fatalf("%v after %v %v: allowed %v, want %v", next, guess, turns[0].Feedback, got, want)
		}
	}
}

// TestUltraAllowsWhatFits: in ultra-hard mode a word is allowed if and only if the plain rule allows it and, by true feedback, if
// and only if it can still be hidden. By false feedback only the plain rule counts: perhaps no word can be hidden then.
func TestUltraAllowsWhatFits(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	seen := map[[2]bool]int{}
	for range 200_000 {
		letters := 2 + random.IntN(4)
		hidden, next := randomWord(random, letters), randomWord(random, letters)
		var turns []Turn
		for range random.IntN(5) {
			guess := randomWord(random, letters)
			turns = append(turns, Turn{Guess: guess, Feedback: Score(guess, hidden)})
		}
		honest := random.IntN(4) > 0
		if !honest && len(turns) > 0 {
			turns[0].Feedback = Feedback(random.IntN(Feedbacks))
		}
		allowed := CheckClues(marks.Ultra, turns, next) == nil
		seen[[2]bool{honest, allowed}]++
		if want := ultraPlain(turns, next.String()); allowed != want {
			t.Fatalf("%v after %v: allowed %v, by the plain rule %v", next, turns, allowed, want)
		}
		fits := !slices.ContainsFunc(turns, func(turn Turn) bool { return Score(turn.Guess, next) != turn.Feedback })
		if honest && allowed != fits || fits && !allowed {
			t.Fatalf("%v after %v: allowed %v, fits %v", next, turns, allowed, fits)
		}
		if allowed && CheckClues(marks.Hard, turns, next) != nil {
			t.Fatalf("%v after %v is allowed in ultra-hard mode, but not in hard mode", next, turns)
		}
	}
	if len(seen) < 4 {
		t.Errorf("only %v", seen)
	}
}

// ultraPlain is the ultra-hard rule as players would say it. It first collects all that the turns have shown.
func ultraPlain(turns []Turn, next string) bool {
	var here, elsewhere [Length]string                // by place, the letters that were green, and those that were yellow or grey
	atLeast, atMost := map[byte]int{}, map[byte]int{} // copies of a letter; at most where one was grey
	for _, turn := range turns {
		guess, marks := turn.Guess.String(), turn.Feedback.String()
		coloured := map[byte]int{}
		for i := range guess {
			if marks[i] == 'G' {
				here[i] += guess[i : i+1]
			} else {
				elsewhere[i] += guess[i : i+1]
			}
			if marks[i] != 'B' {
				coloured[guess[i]]++
			}
		}
		for i := range guess {
			letter := guess[i]
			atLeast[letter] = max(atLeast[letter], coloured[letter])
			if most, known := atMost[letter]; marks[i] == 'B' && (!known || coloured[letter] < most) {
				atMost[letter] = coloured[letter]
			}
		}
	}
	for i := range next {
		if strings.Trim(here[i], next[i:i+1]) != "" || strings.Contains(elsewhere[i], next[i:i+1]) {
			return false
		}
	}
	for letter, least := range atLeast {
		used := strings.Count(next, string(letter))
		if most, known := atMost[letter]; used < least || known && used > most {
			return false
		}
	}
	return true
}

// hardPlain is the hard rule for one earlier turn, as it is written down.
func hardPlain(turn Turn, next string) bool {
	guess, marks := turn.Guess.String(), turn.Feedback.String()
	coloured := map[byte]int{}
	for i := range guess {
		if marks[i] == 'G' && next[i] != guess[i] {
			return false
		}
		if marks[i] != 'B' {
			coloured[guess[i]]++
		}
	}
	for letter, n := range coloured {
		if strings.Count(next, string(letter)) < n {
			return false
		}
	}
	return true
}
