package wordle

import (
	"crypto/sha256"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"fivefold/game/wordle/dictionary"
)

func mustRead(tb testing.TB, answers, guesses Source) *Lists {
	tb.Helper()
	lists, err := ReadLists(answers, guesses)
	if err != nil {
		tb.Fatal(err)
	}
	return lists
}

func mustEmbedded(tb testing.TB) *Lists {
	tb.Helper()
	answers, guesses := EmbeddedSources()
	return mustRead(tb, answers, guesses)
}

func source(name, text string) Source { return Source{Name: name, Reader: strings.NewReader(text)} }

func TestReadLists(t *testing.T) {
	lists := mustRead(t, source("answers", "\ufeffSlate\r\n\r\ncrane\n"), source("guesses", "# ours\ncrane\n slate \nAAHED"))
	if got := lists.Answers(); !slices.Equal(got, []Word{MustParse("crane"), MustParse("slate")}) {
		t.Errorf("answers are %v", got)
	}
	if !lists.CanGuess(MustParse("aahed")) || lists.CanHide(MustParse("aahed")) || lists.CanGuess(MustParse("zebra")) {
		t.Error("AAHED can be guessed but not hidden, ZEBRA neither")
	}
}

func TestReadListsFaults(t *testing.T) {
	a, g := EmbeddedSources()
	const noList = ": this is not a list of words, or it has more than 16 MB"
	for _, c := range []struct {
		answers, guesses Source
		want             string
	}{
		{source("a", "crane\ncranes\ncr4ne\nzebra\nCRANE\n"), source("g", "crane\n\nslat\n"), `a: line 2: "cranes": not five letters
a: line 3: "cr4ne": character 3 is not a letter from A to Z
a: line 5: CRANE is already on line 1
g: line 3: "slat": not five letters`},
		{source("a", "zebra\ncrane\nabbey\n"), source("g", "crane"), "a: line 1: ZEBRA is not in g\na: line 3: ABBEY is not in g"},
		{source("a", "\n# nothing\n"), source("g", "crane"), "a: the list has no words"},
		{source("a", strings.Repeat("ox\n", 99)), source("g", "crane"), `a: line 1: "ox": not five letters … 10`},
		{source("a", dictionary.Answers()), source("g", "crane"), "a: line 1: ABACK is not in g … 10"},
		{a, source("g", "crane"), "g: 2318 of the built-in answers are missing, such as ABACK, ABASH, ABATE; replace the answers too"},
		{Source{Name: "a", Reader: iotest.ErrReader(io.ErrClosedPipe)}, g, "a: " + io.ErrClosedPipe.Error()},
		{source("a", "ELF\x00\n"), source("g", "caf\xe9\n"), "a" + noList + "\ng" + noList},
		{Source{Name: "a", Reader: endless{}}, source("g", "crane"), "a" + noList},
	} {
		_, err := ReadLists(c.answers, c.guesses)
		if err == nil {
			t.Fatalf("no error, want %s", c.want)
		}
		got := err.Error()
		if lines := strings.Split(got, "\n"); len(lines) == maxFaults {
			got = lines[0] + " … 10"
		}
		if got != c.want {
			t.Errorf("got\n%v\nwant\n%s", got, c.want)
		}
	}
}

// endless are comments without end.
type endless struct{}

func (endless) Read(b []byte) (int, error) { return copy(b, "# again\n"), nil }

// TestWithPrefix: a withheld word is never completed, but it is not said to be missing either.
func TestWithPrefix(t *testing.T) {
	lists := mustEmbedded(t)
	for _, prefix := range []string{"", "a", "cr", "CRA", "cran", "crane", "lyn", "zzz", "zy", "cranes", "ü", "~"} {
		var want []Word
		for _, w := range lists.Proposals() {
			if strings.HasPrefix(w.String(), strings.ToUpper(prefix)) {
				want = append(want, w)
			}
		}
		got := lists.WithPrefix(prefix)
		first := append(slices.Clone(got), 0)[0]
		if slices.SortFunc(got, Word.Compare); !slices.Equal(got, want) {
			t.Errorf("WithPrefix(%q) has %d words, want %d", prefix, len(got), len(want))
		}
		if known := map[string]string{"a": "ABOUT", "cr": "CRASH", "zy": "ZYGAL"}[prefix]; known != "" && first.String() != known {
			t.Errorf("WithPrefix(%q) begins with %v, not with %s", prefix, first, known)
		}
	}
	if got := lists.WithPrefix("lynch"); !slices.Equal(got, []Word{MustParse("lynch")}) {
		t.Errorf("lynch is completed to %v", got)
	}
}

// TestProposals: of the built-in guesses some are withheld, unless an operator hides them; of an operator's guesses, none.
func TestProposals(t *testing.T) {
	all := len(strings.Fields(dictionary.Withheld()))
	for line := range strings.Lines(dictionary.Weights()) {
		if line == "0\n" {
			all++
		}
	}
	_, guesses := EmbeddedSources()
	ours, own := mustEmbedded(t), mustRead(t, source("answers", "crane\nlynch\n"), guesses)
	for _, test := range []struct {
		name        string
		lists       *Lists
		word        string
		can         bool // be proposed
		withheldToo int  // how many are, of all
	}{
		{"built in", ours, "crane", true, all},
		{"built in, withheld", ours, "lynch", false, all},
		{"built in, accepted only", ours, "judgy", false, all},
		{"own answers, withheld", own, "spunk", false, all - 1},
		{"own answers, one of them", own, "lynch", true, all - 1},
		{"own guesses", mustRead(t, source("answers", "crane\n"), source("guesses", "crane\nlynch\nspunk\n")), "spunk", true, 0},
	} {
		w := MustParse(test.word)
		if got := test.lists.CanPropose(w); !test.lists.CanGuess(w) || got != test.can || got != slices.Contains(test.lists.Proposals(), w) {
			t.Errorf("%s: %v can be proposed: %t", test.name, w, got)
		}
		if got := len(test.lists.Guesses()) - len(test.lists.Proposals()); got != test.withheldToo {
			t.Errorf("%s: %d words are withheld, want %d", test.name, got, test.withheldToo)
		}
		if slices.ContainsFunc(test.lists.Answers(), func(w Word) bool { return !test.lists.CanPropose(w) }) {
			t.Errorf("%s: an answer cannot be proposed", test.name)
		}
	}
}

// TestChecksum: trees made for other lists must be refused, and those for an operator's own lists must stay good from release to
// release.
func TestChecksum(t *testing.T) {
	own := mustRead(t, source("answers", "crane\n"), source("guesses", "slate\ncrane\n"))
	if own.Checksum() != sha256.Sum256([]byte("CRANE\nCRANESLATE\nCRANESLATE\n")) {
		t.Errorf("own lists: got %x", own.Checksum())
	}
	same := mustRead(t, source("answers", dictionary.Answers()), source("guesses", dictionary.Guesses()))
	if mustEmbedded(t).Checksum() == same.Checksum() {
		t.Error("lists with and without withheld words have the same checksum")
	}
}

func TestWeights(t *testing.T) {
	ours, own := mustEmbedded(t), mustRead(t, source("answers", "crane\n"), source("guesses", "aalii\ncrane\nhouse\n"))
	for _, test := range []struct {
		name  string
		lists *Lists
		word  string
		want  int32
	}{
		{"everyday word", ours, "house", 9950},
		{"its plural", ours, "trees", 110},
		{"first of the list", ours, "aahed", 10},
		{"answer of other lists", own, "crane", 9950},
		{"other word of other lists", own, "house", 10},
	} {
		weights := test.lists.Weights()
		if i := slices.Index(test.lists.Guesses(), MustParse(test.word)); weights[i] != test.want || len(weights) != len(test.lists.Guesses()) {
			t.Errorf("%s: %d weights, %s weighs %d", test.name, len(weights), test.word, weights[i])
		}
	}
}
