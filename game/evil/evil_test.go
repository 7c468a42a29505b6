package evil_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fivefold/game/evil"
	"fivefold/game/marks"
	"fivefold/game/wordle"
)

// word makes a word of few letters, so that many feedbacks keep equally many words.
func word(r *rand.Rand) wordle.Word {
	letters := make([]byte, wordle.Length)
	for i := range letters {
		letters[i] = "abcdef"[r.IntN(6)]
	}
	return wordle.MustParse(string(letters))
}

func words(r *rand.Rand, n int) []wordle.Word {
	all := map[wordle.Word]bool{}
	for range n {
		all[word(r)] = true
	}
	var list []wordle.Word
	for w := range all {
		list = append(list, w)
	}
	slices.SortFunc(list, wordle.Word.Compare)
	return list
}

// plain is the rule as a page of plain code: groups by their feedback in letters, sorted as the rule says.
func plain(left []wordle.Word, guess wordle.Word) (string, []wordle.Word) {
	groups := map[string][]wordle.Word{}
	for _, w := range left {
		f := wordle.Score(guess, w).String()
		groups[f] = append(groups[f], w)
	}
	var all []string
	for f := range groups {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b string) int {
		if n := len(groups[b]) - len(groups[a]); n != 0 {
			return n
		}
		for _, mark := range []string{"G", "Y"} {
			if n := strings.Count(a, mark) - strings.Count(b, mark); n != 0 {
				return n
			}
		}
		inOrder := strings.NewReplacer("B", "0", "Y", "1", "G", "2")
		return strings.Compare(inOrder.Replace(a), inOrder.Replace(b))
	})
	return all[0], groups[all[0]]
}

func TestAnswer(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 1))
	ties := map[string]int{}
	for range 20000 {
		left, guess := words(r, 1+r.IntN(12)), word(r)
		f, kept := evil.Answer(left, guess)
		want, wanted := plain(left, guess)
		if f.String() != want || !slices.Equal(kept, wanted) {
			t.Fatalf("%v of %v: %v keeps %v, want %s, %v", guess, left, f, kept, want, wanted)
		}
		ties[want]++
	}
	if len(ties) < 60 {
		t.Errorf("only %d feedbacks were given", len(ties))
	}
}

// TestState plays random games, with and without a start, from lists that change on the way. No feedback contradicts another, the
// words left are those that fit, and a game rewound is the game as it was.
func TestState(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 2))
	ended := map[marks.Status]int{}
	for range 2000 {
		answers := words(r, 1+r.IntN(300))
		var start wordle.Turn
		could := answers[0]
		if r.IntN(2) == 0 {
			var kept []wordle.Word
			start.Guess = word(r)
			start.Feedback, kept = evil.Answer(answers, start.Guess)
			could = kept[0]
		}
		blind := r.IntN(4) == 0 // doesn't look at the words left
		games := []evil.State{evil.New(start, could)}
		s := games[0]
		for s.Status() == marks.Playing {
			if r.IntN(5) == 0 {
				answers = words(r, 1+r.IntN(300))
			}
			left := s.Left(answers)
			guess := word(r)
			if !blind && r.IntN(2) == 0 {
				guess = left[r.IntN(len(left))]
			}
			if start.Guess != 0 && r.IntN(10) == 0 {
				guess = start.Guess
			}
			next, err := s.Guess(answers, guess)
			if err != nil {
				var repeated *marks.RepeatedError
				if next != s || !errors.As(err, &repeated) && !errors.Is(err, evil.ErrStart) {
					t.Fatalf("%v after %v: %v", guess, s.Seen(), err)
				}
				continue
			}
			if guess == start.Guess {
				t.Fatalf("%v is the start, and a guess", guess)
			}
			f, kept := plain(left, guess)
			if got := next.Turns()[s.Used()]; got.Guess != guess || got.Feedback.String() != f || next.Could() != kept[0] {
				t.Fatalf("%v after %v: got %v and %v, want %s and %v", guess, s.Seen(), got, next.Could(), f, kept[0])
			}
			s = next
			games = append(games, s)
			for _, turn := range s.Seen() {
				if wordle.Score(turn.Guess, s.Could()) != turn.Feedback {
					t.Fatalf("%v can't be the word after %v", s.Could(), s.Seen())
				}
			}
		}
		ended[s.Status()]++
		if next, err := s.Guess(answers, wordle.MustParse("zzzzz")); next != s || !errors.Is(err, marks.ErrEnded) {
			t.Fatalf("after the end: %v, %v", next, err)
		}
		if won := s.Status() == marks.Won; won && s.Answer() != s.Turns()[s.Used()-1].Guess.String() {
			t.Fatalf("%v is won with the answer %s", s.Seen(), s.Answer())
		}
		for n, was := range games {
			if got := s.Rewind(n); got != was {
				t.Fatalf("%v rewound to %d is %v", s.Seen(), n, got.(evil.State).Seen())
			}
		}
		if got := s.Fresh(marks.Hard); got != games[0] {
			t.Fatalf("%v afresh is %v", s.Seen(), got.(evil.State).Seen())
		}
	}
	if ended[marks.Won] < 100 || ended[marks.Lost] < 100 {
		t.Errorf("%v", ended)
	}
}
