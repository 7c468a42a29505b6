package wordle

import (
	"math/rand/v2"
	"testing"
)

func newTurn(guess, feedback string) Turn {
	f, err := ParseFeedback(feedback)
	if err != nil {
		panic(err)
	}
	return Turn{Guess: MustParse(guess), Feedback: f}
}

func TestConsistent(t *testing.T) {
	for _, c := range []struct {
		name  string
		turns []Turn
		want  bool
	}{
		{"no turns", nil, true},
		{"a lone letter that cannot be elsewhere", []Turn{newTurn("crane", "ggggy")}, false},
		{"six letters", []Turn{newTurn("crane", "yyybb"), newTurn("slosh", "yyyby")}, false},
		{"five letters and no word", []Turn{newTurn("qxzjk", "yyyyy")}, true},
		{"the alphabet without a letter", []Turn{
			newTurn("abcde", "bbbbb"), newTurn("fghij", "bbbbb"), newTurn("klmno", "bbbbb"), newTurn("pqrst", "bbbbb"), newTurn("uvwxy", "bbbbb"), newTurn("zaaaa", "bbbbb"),
		}, false},
		{"all but one letter", []Turn{
			newTurn("abcde", "bbbbb"), newTurn("fghij", "bbbbb"), newTurn("klmno", "bbbbb"), newTurn("pqrst", "bbbbb"), newTurn("uvwxy", "bbbbb"),
		}, true},
	} {
		if got := Consistent(c.turns); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestConsistentAgainstPlain compares with trying every text made of four letters. The guesses are made of three of them; the
// fourth stands for all letters never guessed.
func TestConsistentAgainstPlain(t *testing.T) {
	const alphabet = 4
	var texts []Word
	for n := range alphabet * alphabet * alphabet * alphabet * alphabet {
		var b [Length]byte
		for i := range b {
			b[i] = 'a' + byte(n%alphabet)
			n /= alphabet
		}
		texts = append(texts, pack(b))
	}
	r := rand.New(rand.NewPCG(5, 6))
	seen := map[bool]int{}
	for range 2000 {
		hidden := randomWord(r, alphabet)
		var turns []Turn
		for range 1 + r.IntN(3) {
			guess := randomWord(r, alphabet-1)
			turns = append(turns, Turn{Guess: guess, Feedback: Score(guess, hidden)})
		}
		if last := &turns[len(turns)-1]; r.IntN(2) == 0 { // most likely wrong
			last.Feedback = Feedback(r.IntN(Feedbacks))
		}
		want := false
	next:
		for _, w := range texts {
			for _, turn := range turns {
				if Score(turn.Guess, w) != turn.Feedback {
					continue next
				}
			}
			want = true
			break
		}
		seen[want]++
		if got := Consistent(turns); got != want {
			t.Fatalf("%v: %v, want %v", turns, got, want)
		}
	}
	if seen[true] < 100 || seen[false] < 100 {
		t.Errorf("one answer was hardly tested: %v", seen)
	}
}
