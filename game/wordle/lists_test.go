package wordle

import (
	"crypto/sha256"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"fivefold/game/racetest"
	"fivefold/game/wordle/dictionary"
)

func mustEmbedded(tb testing.TB) *Lists {
	tb.Helper()
	lists, err := Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	return lists
}

func source(name, text string) Source { return Source{Name: name, Reader: strings.NewReader(text)} }

func TestReadLists(t *testing.T) {
	lists, err := ReadLists(
		source("answers", "\ufeffSlate\r\n\r\ncrane\n"),
		source("guesses", "# ours\ncrane\n slate \nAAHED"))
	if err != nil {
		t.Fatal(err)
	}
	if got := lists.Answers(); !slices.Equal(got, []Word{MustParse("crane"), MustParse("slate")}) {
		t.Errorf("answers are %v", got)
	}
	if !lists.CanGuess(MustParse("aahed")) || lists.CanHide(MustParse("aahed")) || lists.CanGuess(MustParse("zebra")) {
		t.Error("AAHED can be guessed but not hidden, ZEBRA neither")
	}
}

func TestReadListsReportsEveryFault(t *testing.T) {
	_, err := ReadLists(
		source("a.txt", "crane\ncranes\ncr4ne\nzebra\nCRANE\n"),
		source("g.txt", "crane\n\nslat\n"))
	want := []string{
		`a.txt: line 2: "cranes": 6 letters: not five letters`,
		`a.txt: line 3: "cr4ne": character 3: a character outside A–Z`,
		"a.txt: line 5: CRANE is already on line 1",
		`g.txt: line 3: "slat": 4 letters: not five letters`,
		"a.txt: line 4: ZEBRA is not in g.txt",
	}
	if err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("got\n%v\nwant\n%s", err, strings.Join(want, "\n"))
	}
	_, err = ReadLists(source("a.txt", "\n# nothing\n"), source("g.txt", "crane"))
	if !errors.Is(err, ErrEmptyList) {
		t.Errorf("an empty list gives %v", err)
	}
	_, g := EmbeddedSources()
	a, _ := EmbeddedSources()
	if _, err = ReadLists(a, source("g.txt", "crane")); err == nil || strings.Count(err.Error(), "\n") != 0 ||
		!strings.HasPrefix(err.Error(), "g.txt: ") || !strings.HasSuffix(err.Error(), "such as ABACK, ABASH, ABATE; replace the answers too") {
		t.Errorf("guesses without the built-in answers give %v", err)
	}
	if _, err = ReadLists(Source{Name: "a.txt", Reader: iotest.ErrReader(io.ErrClosedPipe)}, g); err == nil || err.Error() != "a.txt: "+io.ErrClosedPipe.Error() {
		t.Errorf("answers that cannot be read give %v", err)
	}
	_, err = ReadLists(source("a.txt", "crane"), source("g.txt", "crane\n"+strings.Repeat("x", 1<<20)))
	if err == nil || !strings.HasPrefix(err.Error(), "g.txt: line 2: ") {
		t.Errorf("an endless line gives %v", err)
	}
}

// endless is a text that repeats without end, and how much of it was read.
type endless struct {
	text string
	read int
}

func (e *endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = e.text[(e.read+i)%len(e.text)]
	}
	e.read += len(b)
	return len(b), nil
}

// TestReadListsEnds: a file that is not a list is not read to its end, and its faults are few.
func TestReadListsEnds(t *testing.T) {
	racetest.Skip(t)
	for _, c := range []struct {
		name, text string
		want       string // how the faults begin
		more       string // how they end
		most       int    // bytes read
	}{
		{"zeros", "\x00", "a: line 1: it is longer than 1000 bytes: this is not a list of words", "", 5000},
		{"a long line", "crane" + strings.Repeat(" ", 2000), "a: line 1: it is longer than 1000 bytes", "", 5000},
		{"binary", "ELF\x00\n", "a: line 1: it is not text: this is not a list of words", "", 5000},
		{"no UTF-8", "caf\xe9\n", "a: line 1: it is not text", "", 5000},
		{"comments", "# again\n", "a: line 2000001: a list may have up to 2000000 lines", "", 33 << 20},
		{"faults", "ox\n", `a: line 1: "ox": 2 letters`, "a: … and 1999990 more\na: line 2000001: a list may have up to 2000000 lines", 13 << 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &endless{text: c.text}
			_, err := ReadLists(Source{Name: "a", Reader: e}, source("g", "crane"))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || !strings.HasSuffix(err.Error(), c.more) {
				t.Errorf("got %v\nwant %s\n%s", err, c.want, c.more)
			}
			if n := strings.Count(err.Error(), "\n"); n > maxFaults+1 || len(err.Error()) > 2000 {
				t.Errorf("the faults have %d lines, %d bytes", n+1, len(err.Error()))
			}
			if e.read > c.most {
				t.Errorf("%d bytes were read", e.read)
			}
		})
	}
}

func TestReadListsTenFaults(t *testing.T) {
	var text strings.Builder
	for i := range 14 {
		text.WriteString("crane"[:1+i%4] + "\n")
	}
	text.WriteString("zebra\nzebra\n")
	_, err := ReadLists(source("a", text.String()), source("g", "slate\n"))
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 12 || lines[9] != `a: line 10: "cr": 2 letters: not five letters` || lines[10] != "a: … and 5 more" || lines[11] != "a: line 15: ZEBRA is not in g" {
		t.Errorf("got\n%v", err)
	}
}

// manyWords writes that many different words.
func manyWords(n int) string {
	b := make([]byte, 0, n*6)
	for i := range n {
		for range Length {
			b = append(b, 'a'+byte(i%26))
			i /= 26
		}
		b = append(b, '\n')
	}
	return string(b)
}

// TestReadListsMillion: a million words can be read, with memory in proportion, and not one
// more.
func TestReadListsMillion(t *testing.T) {
	racetest.Skip(t)
	text := manyWords(MaxWords)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	lists, err := ReadLists(source("a", text), source("g", text))
	runtime.ReadMemStats(&after)
	if err != nil || len(lists.Guesses()) != MaxWords {
		t.Fatal(err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 400<<20 {
		t.Errorf("%d MB were allocated on the way", used>>20)
	}
	text = manyWords(MaxWords + 1)
	if _, err = ReadLists(source("a", text), source("g", text)); err == nil ||
		err.Error() != "a: line 1000001: a list may have up to 1000000 words\ng: line 1000001: a list may have up to 1000000 words" {
		t.Errorf("one more word gives %v", err)
	}
}

func TestWithPrefix(t *testing.T) {
	lists := mustEmbedded(t)
	for _, prefix := range []string{"", "a", "cr", "CRA", "cran", "crane", "zzz", "zy", "cranes", "ü", "~"} {
		var want []Word
		for _, w := range lists.Proposals() {
			if strings.HasPrefix(w.String(), strings.ToUpper(prefix)) {
				want = append(want, w)
			}
		}
		if got := lists.WithPrefix(prefix); !slices.Equal(got, want) {
			t.Errorf("WithPrefix(%q) has %d words, want %d", prefix, len(got), len(want))
		}
	}
}

// TestWithPrefixWithheld: a withheld word is never completed, but it is not
// said to be missing either.
func TestWithPrefixWithheld(t *testing.T) {
	lists := mustEmbedded(t)
	lynch := MustParse("lynch")
	if slices.Contains(lists.WithPrefix("lyn"), lynch) {
		t.Error("lyn is completed to LYNCH")
	}
	if got := lists.WithPrefix("lynch"); !slices.Equal(got, []Word{lynch}) {
		t.Errorf("lynch is completed to %v", got)
	}
}

// TestProposals: of the built-in guesses some are withheld, unless an operator hides
// them; of an operator's guesses, none.
func TestProposals(t *testing.T) {
	answers, guesses := EmbeddedSources()
	ours, err := ReadLists(answers, guesses)
	if err != nil {
		t.Fatal(err)
	}
	_, guesses = EmbeddedSources()
	ownAnswers, err := ReadLists(source("answers", "crane\nlynch\n"), guesses)
	if err != nil {
		t.Fatal(err)
	}
	own, err := ReadLists(source("answers", "crane\n"), source("guesses", "crane\nlynch\nspunk\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name        string
		lists       *Lists
		word        string
		can         bool // be proposed
		withheldToo int  // how many are, of all
	}{
		{"built in", ours, "crane", true, dictionary.WithheldCount},
		{"built in, withheld", ours, "lynch", false, dictionary.WithheldCount},
		{"own answers, withheld", ownAnswers, "spunk", false, dictionary.WithheldCount - 1},
		{"own answers, one of them", ownAnswers, "lynch", true, dictionary.WithheldCount - 1},
		{"own guesses", own, "spunk", true, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := MustParse(test.word)
			if !test.lists.CanGuess(w) {
				t.Errorf("%v cannot be guessed", w)
			}
			if got := test.lists.CanPropose(w); got != test.can || got != slices.Contains(test.lists.Proposals(), w) {
				t.Errorf("%v can be proposed: got %t, want %t", w, got, test.can)
			}
			if got := len(test.lists.Guesses()) - len(test.lists.Proposals()); got != test.withheldToo {
				t.Errorf("withheld words: got %d, want %d", got, test.withheldToo)
			}
			for _, answer := range test.lists.Answers() {
				if !test.lists.CanPropose(answer) {
					t.Errorf("%v is an answer and cannot be proposed", answer)
				}
			}
		})
	}
}

// TestChecksum: trees made for other lists must be refused, and those for an
// operator's own lists must stay good from release to release.
func TestChecksum(t *testing.T) {
	read := func(answers, guesses Source) *Lists {
		t.Helper()
		lists, err := ReadLists(answers, guesses)
		if err != nil {
			t.Fatal(err)
		}
		return lists
	}
	own := read(source("answers", "crane\n"), source("guesses", "slate\ncrane\n"))
	h := sha256.Sum256([]byte("CRANE\nCRANESLATE\nCRANESLATE\n"))
	if own.Checksum() != h {
		t.Errorf("own lists: got %x, want %x", own.Checksum(), h)
	}
	ours := mustEmbedded(t)
	same := read(source("answers", dictionary.Answers()), source("guesses", dictionary.Guesses()))
	if ours.Checksum() == same.Checksum() {
		t.Error("lists with and without withheld words have the same checksum")
	}
}

func TestEmbedded(t *testing.T) {
	lists := mustEmbedded(t)
	if n := len(lists.Answers()); n < 2300 || n > 3200 {
		t.Errorf("%d answers", n)
	}
	if n := len(lists.Guesses()); n < 11_000 || n > 11_500 {
		t.Errorf("%d guesses", n)
	}
}

func BenchmarkEmbedded(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		mustEmbedded(b)
	}
}

func TestCanHurt(t *testing.T) {
	withheld, _, _ := strings.Cut(dictionary.Withheld(), "\n")
	lines := strings.Fields(dictionary.Blocked())
	blocked := lines[len(lines)-1]
	for text, want := range map[string]bool{
		"crane":                             false,
		"a bird, not a plane":               false,
		"":                                  false,
		"slurs":                             false, // in a comment of the list
		"so, " + withheld + "!":             true,
		strings.ToUpper(blocked) + "-proof": true,
	} {
		if got := CanHurt(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
