package wordle

import (
	"crypto/sha256"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

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

// TestWithPrefixWithheld: a withheld word is completed for nobody, but it is not
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
// operator's own lists stay good from release to release.
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
	h := sha256.Sum256([]byte("CRANE\nCRANESLATE\n"))
	if own.Checksum() != h {
		t.Errorf("own lists: got %x, want %x as in earlier releases", own.Checksum(), h)
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
