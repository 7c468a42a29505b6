package wordle

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// play returns the game after the guesses, each of which must count.
func play(t *testing.T, s State, guesses ...string) State {
	t.Helper()
	for _, g := range guesses {
		next, err := s.Guess(MustParse(g))
		if err != nil {
			t.Fatalf("%s: %v", g, err)
		}
		s = next
	}
	return s
}

func TestStateEnds(t *testing.T) {
	start := NewState(MustParse("crane"), false)
	for _, c := range []struct {
		guesses string
		want    Status
		left    int
	}{
		{"", Playing, 6},
		{"slate", Playing, 5},
		{"crane", Won, 5},
		{"slate brick mound fuzzy shave", Playing, 1},
		{"slate brick mound fuzzy shave crane", Won, 0},
		{"slate brick mound fuzzy shave grape", Lost, 0},
	} {
		s := play(t, start, strings.Fields(c.guesses)...)
		if s.Status() != c.want || s.Left() != c.left {
			t.Errorf("after %q: %v, %d left; want %v, %d", c.guesses, s.Status(), s.Left(), c.want, c.left)
		}
		if _, err := s.Guess(MustParse("other")); (c.want != Playing) != errors.Is(err, ErrEnded) {
			t.Errorf("a further guess after %q: %v", c.guesses, err)
		}
	}
}

func TestStateRefusesRepeats(t *testing.T) {
	s := play(t, NewState(MustParse("crane"), false), "slate", "brick")
	next, err := s.Guess(MustParse("brick"))
	var repeated *RepeatedError
	if !errors.As(err, &repeated) || repeated.Attempt != 2 || next != s {
		t.Errorf("got %v, %v", next, err)
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
		{"crane", "slate", "shame", ""},
		{"crane", "slate", "plaza", "hard mode: E must stay at position 5"},
		{"crane", "react", "grape", "hard mode: C, coloured at position 4, must be used at least 1×"},
		{"crane", "react", "cared", "hard mode: A must stay at position 3"},
		{"crane", "react", "crane", ""},
		{"erase", "speed", "these", ""}, // both coloured E are used again
		{"erase", "speed", "sheer", ""},
		{"erase", "speed", "shore", "hard mode: E, coloured at position 3, must be used at least 2×"},
		{"floor", "robot", "moory", "hard mode: O must stay at position 4"},
		{"floor", "robot", "roomy", "hard mode: O must stay at position 4"},
		{"floor", "robot", "razor", "hard mode: O, coloured at position 2, must be used at least 2×"},
		{"crane", "slate brick", "track", "hard mode: E must stay at position 5"},
		{"crane", "slate grape", "brake", ""},
	} {
		s := NewState(MustParse(c.hidden), true)
		for _, g := range strings.Fields(c.guesses) {
			// Some tables' openings break hard mode themselves; take them as easy.
			easy := s
			easy.hard = false
			s = play(t, easy, g)
			s.hard = true
		}
		_, err := s.Guess(MustParse(c.next))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s after %q: %q, want %q", c.next, c.guesses, got, c.want)
		}
	}
}

// TestHardModeAllowsTheHiddenWord holds for any play: what fits every feedback
// is always allowed, and never the other way round for a dropped green letter.
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

func TestRewind(t *testing.T) {
	start := NewState(MustParse("crane"), true)
	one := play(t, start, "slate")
	two := play(t, one, "crane")
	if two.Rewind(1) != one || two.Rewind(0) != start || two.Rewind(2) != two {
		t.Error("rewinding does not give the earlier game")
	}
}

func TestStatePrintsWithoutHiddenWord(t *testing.T) {
	s := play(t, NewState(MustParse("crane"), true), "slate")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if got := fmt.Sprintf(verb, s); strings.Contains(strings.ToUpper(got), "CRANE") ||
			strings.Contains(got, fmt.Sprint(uint64(s.hidden))) {
			t.Errorf("%s prints %s", verb, got)
		}
	}
}

func FuzzState(f *testing.F) {
	f.Add("crane", "slatebrickcranecrane", true)
	f.Add("erase", "speedtheseshoreerase", true)
	f.Fuzz(func(t *testing.T, hidden, guesses string, hard bool) {
		h, err := ParseWord(hidden)
		if err != nil {
			t.Skip()
		}
		s := NewState(h, hard)
		for ; len(guesses) >= Length; guesses = guesses[Length:] {
			w, err := ParseWord(guesses[:Length])
			if err != nil {
				continue
			}
			next, err := s.Guess(w)
			switch {
			case err != nil && next != s:
				t.Fatalf("a refused guess changed the game: %v", err)
			case err == nil && next.Used() != s.Used()+1:
				t.Fatalf("%d guesses after %d", next.Used(), s.Used())
			case err == nil && next.Rewind(s.Used()) != s:
				t.Fatal("rewinding one guess is not the game before")
			}
			s = next
		}
		if s.Used() > Attempts || (s.Status() == Won) != (s.Used() > 0 && s.Turns()[s.Used()-1].Feedback == AllGreen) {
			t.Fatalf("impossible game: %v", s)
		}
	})
}
