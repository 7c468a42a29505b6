package wordle

import (
	"errors"
	"math/rand/v2"
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
		s := play(t, NewState(MustParse("crane"), false), words...)
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
	for _, c := range []struct {
		hidden, guesses, next string
		want                  string // of the error, "" for none
	}{
		{"crane", "", "zebra", ""},
		{"crane", "slate", "grape", ""},
		{"crane", "slate", "brick", "hard mode: A must stay at position 3"},
		{"crane", "slate", "plaza", "hard mode: E must stay at position 5"},
		{"crane", "react", "grape", "hard mode: C, coloured at position 4, must be used at least 1×"},
		{"erase", "speed", "these", ""}, // both coloured E are used again
		{"erase", "speed", "shore", "hard mode: E, coloured at position 3, must be used at least 2×"},
		{"floor", "robot", "roomy", "hard mode: O must stay at position 4"},
		{"crane", "slate brick", "track", "hard mode: E must stay at position 5"},
	} {
		s := NewState(MustParse(c.hidden), true)
		for _, g := range strings.Fields(c.guesses) {
			// Some tables' openings break hard mode themselves; take them as easy.
			easy := s
			easy.hard = false
			s = play(t, easy, g)
			s.hard = true
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
		if err := CheckHard(turns, hidden); err != nil {
			t.Fatalf("%v refused after %v for hidden %v: %v", hidden, guess, hidden, err)
		}
		if got, want := CheckHard(turns, next) == nil, hardPlain(turns[0], next.String()); got != want {
			t.Fatalf("%v after %v %v: allowed %v, want %v", next, guess, turns[0].Feedback, got, want)
		}
	}
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
