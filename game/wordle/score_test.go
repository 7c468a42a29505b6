package wordle

import (
	"math/rand/v2"
	"testing"
)

// scorePlain is the rules of feedback as they are written down, the oracle of Score.
func scorePlain(guess, hidden string) string {
	marks := []byte("BBBBB")
	unused := map[byte]int{}
	for i := range guess {
		if guess[i] == hidden[i] {
			marks[i] = 'G'
		} else {
			unused[hidden[i]]++
		}
	}
	for i := range guess {
		if marks[i] != 'G' && unused[guess[i]] > 0 {
			marks[i] = 'Y'
			unused[guess[i]]--
		}
	}
	return string(marks)
}

// worked are examples worked by hand from the rules. The second half corrects published explanations that break rule 1 or 2.
var worked = []struct{ guess, hidden, want string }{
	{"APPLE", "TUPLE", "BBGGG"},
	{"ANNAL", "BANAL", "YBGGG"},
	{"UNION", "BANAL", "BYBBB"},
	{"APPLE", "FOUND", "BBBBB"},
	{"CHAIR", "CHAIR", "GGGGG"},
	{"PLANT", "PLACE", "GGGBB"},
	{"TRACE", "LACEY", "BBYYY"},
	{"RIPEN", "APPLE", "BBGYB"},
	{"SAREE", "ERASE", "YYYYG"},

	{"PAPER", "APPLE", "YYGYB"},
	{"ROBOT", "FLOOR", "YYBGB"},
	{"TEASE", "SWEET", "YYBYY"},
	{"CRANE", "SLATE", "BBGBG"},
	{"SPEED", "ERASE", "YBYYB"},
	{"APPLE", "APPLY", "GGGGB"},
	{"PETTY", "TRAIT", "BBYYB"},
	{"APPLE", "RIPEN", "BBGBY"},
	{"RATES", "STARE", "YYYYY"},
}

func TestScoreWorkedExamples(t *testing.T) {
	for _, c := range worked {
		if got := Score(MustParse(c.guess), MustParse(c.hidden)).String(); got != c.want {
			t.Errorf("Score(%s, %s) = %s, want %s", c.guess, c.hidden, got, c.want)
		}
		if got := scorePlain(c.guess, c.hidden); got != c.want {
			t.Errorf("the oracle scores %s for %s as %s, want %s", c.guess, c.hidden, got, c.want)
		}
	}
}

// TestScoreAgainstPlain uses few letters, so that repeats of every kind occur: all pairs over three letters, random ones over
// more.
func TestScoreAgainstPlain(t *testing.T) {
	check := func(guess, hidden Word) {
		t.Helper()
		if got, want := Score(guess, hidden).String(), scorePlain(guess.String(), hidden.String()); got != want {
			t.Fatalf("Score(%v, %v) = %s, want %s", guess, hidden, got, want)
		}
	}
	const letters = 3
	var all []Word
	for n := range letters * letters * letters * letters * letters {
		var w [Length]byte
		for i := range w {
			w[i] = "AMZ"[n%letters] | 0x20
			n /= letters
		}
		all = append(all, pack(w))
	}
	for _, guess := range all {
		for _, hidden := range all {
			check(guess, hidden)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for alphabet := 4; alphabet <= 26; alphabet++ {
		for range 20_000 {
			check(randomWord(random, alphabet), randomWord(random, alphabet))
		}
	}
}

func randomWord(r *rand.Rand, alphabet int) Word {
	var w [Length]byte
	for i := range w {
		w[i] = 'a' + byte(r.IntN(alphabet))
	}
	return pack(w)
}

// BenchmarkScore scores random pairs of the embedded guesses and answers, so that branches cannot be learnt; each iteration is
// one pair.
func BenchmarkScore(b *testing.B) {
	lists := mustEmbedded(b)
	r := rand.New(rand.NewPCG(3, 4))
	var guesses, hidden [1 << 12]Word
	for i := range guesses {
		guesses[i] = lists.Guesses()[r.IntN(len(lists.Guesses()))]
		hidden[i] = lists.Answers()[r.IntN(len(lists.Answers()))]
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		Score(guesses[i%len(guesses)], hidden[i%len(hidden)])
	}
}
