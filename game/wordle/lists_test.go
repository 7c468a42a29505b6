package wordle

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
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
		for _, w := range lists.Guesses() {
			if strings.HasPrefix(w.String(), strings.ToUpper(prefix)) {
				want = append(want, w)
			}
		}
		if got := lists.WithPrefix(prefix); !slices.Equal(got, want) {
			t.Errorf("WithPrefix(%q) has %d words, want %d", prefix, len(got), len(want))
		}
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
