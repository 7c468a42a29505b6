package boards

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fivefold/game/marks"
	"fivefold/game/wordle"
)

// words have many letters in common, and some of them twice.
var words = strings.Fields("CRANE SLATE EERIE GEESE MELEE LLAMA MAMMA RADAR SHEER CIVIC KAYAK POPPY CHAFF LOWLY SWORE PAPER TRAIN CLOSE PUDGY EMPTY")

// plainMarks scores by striking letters out.
func plainMarks(guess, hidden string) string {
	m, rest := []byte("BBBBB"), []byte(hidden)
	for i := range m {
		if guess[i] == hidden[i] {
			m[i], rest[i] = 'G', ' '
		}
	}
	for i := range m {
		if at := slices.Index(rest, guess[i]); m[i] == 'B' && at >= 0 {
			m[i], rest[at] = 'Y', ' '
		}
	}
	return string(m)
}

// TestPlain compares random games with the plainest code: lists of texts, one for each board, from which a found word is taken off.
func TestPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(38, 1))
	ends := map[string]int{}
	for range 3000 {
		boards := []int{2, 4, 8}[random.IntN(3)]
		shuffled := random.Perm(len(words))
		var hidden []wordle.Word
		var answers []string
		open, found := map[int]string{}, map[int]int{}
		for b := range boards {
			hidden = append(hidden, wordle.MustParse(words[shuffled[b]]))
			answers = append(answers, words[shuffled[b]])
			open[b] = words[shuffled[b]]
		}
		s := New(hidden...)
		states := []State{s}
		rows := make([][]string, boards)
		var guesses []string
		for {
			attempts := map[int]int{2: 7, 4: 9, 8: 13}[boards]
			want := marks.Playing
			switch {
			case len(open) == 0:
				want = marks.Won
			case len(guesses) == attempts:
				want = marks.Lost
			}
			if s.Status() != want || s.Used() != len(guesses) || s.AttemptsLeft() != attempts-len(guesses) || s.Boards() != boards {
				t.Fatalf("%q after %q: %v, %d left, want %v", answers, guesses, s.Status(), s.AttemptsLeft(), want)
			}
			for b := range boards {
				got := []string{}
				for _, turn := range s.Board(b) {
					got = append(got, turn.Guess.String()+" "+turn.Feedback.String())
				}
				if !slices.Equal(got, rows[b]) || s.Found(b) != found[b] || s.Hidden(b) != hidden[b] {
					t.Fatalf("%q after %q: board %d is %q, found in %d; want %q, %d", answers, guesses, b, got, s.Found(b), rows[b], found[b])
				}
			}
			if want != marks.Playing {
				if next, err := s.Guess(wordle.MustParse("other")); !errors.Is(err, marks.ErrEnded) || next != s {
					t.Fatalf("%q after the end: %v", answers, err)
				}
				ends[fmt.Sprint(boards, " ", want)]++
				break
			}
			guess := words[random.IntN(len(words))]
			if random.IntN(2) == 0 {
				guess = answers[random.IntN(boards)]
			}
			next, err := s.Guess(wordle.MustParse(strings.ToLower(guess)))
			if at := slices.Index(guesses, guess); at >= 0 {
				if repeated, ok := errors.AsType[*marks.RepeatedError](err); !ok || repeated.Attempt != at+1 || next != s {
					t.Fatalf("%s again, after %q: %v", guess, guesses, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s after %q: %v", guess, guesses, err)
			}
			s, states, guesses = next, append(states, next), append(guesses, guess)
			for b, word := range open {
				if rows[b] = append(rows[b], guess+" "+plainMarks(guess, word)); guess == word {
					found[b] = len(guesses)
					delete(open, b)
				}
			}
		}
		for n, before := range states {
			if s.Rewind(n) != marks.State(before) {
				t.Errorf("%q after %q: the game after %d guesses is another", answers, guesses, n)
			}
		}
		if s.Fresh(marks.Hard) != marks.State(states[0]) || s.Answer() != strings.Join(answers, " ") || s.Hard() != marks.Off {
			t.Errorf("%q: fresh %v, answer %q", answers, s.Fresh(marks.Hard), s.Answer())
		}
		if text := fmt.Sprintf("%v %+v %#v %s", s, s, s, s); strings.Contains(text, answers[0]) || strings.Count(text, "guesses") != 4 {
			t.Errorf("a game prints as %s", text)
		}
	}
	for _, boards := range []int{2, 4, 8} {
		for _, end := range []marks.Status{marks.Won, marks.Lost} {
			if ends[fmt.Sprint(boards, " ", end)] < 50 {
				t.Errorf("too few games mean anything: %v", ends)
			}
		}
	}
}
