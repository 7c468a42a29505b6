package wordle

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"fivefold/game/wordle/dictionary"
)

// Lists are the words a game is played with: the answers, from which hidden words are drawn, and the guesses, which contain every
// answer. Some guesses are withheld, since they can hurt or since hardly any puzzle hides them: players may make them, and they
// are proposed only where no other word fits. Lists are immutable and safe for concurrent use.
type Lists struct {
	answers   []Word
	guesses   []Word
	proposals []Word
	builtIn   bool // whether answers and guesses are the built-in ones
}

// Answers returns the possible hidden words in alphabetical order. The caller must not change the slice.
func (l *Lists) Answers() []Word { return l.answers }

// Guesses returns the words that may be guessed in alphabetical order. The caller must not change the slice.
func (l *Lists) Guesses() []Word { return l.guesses }

// Proposals returns the guesses that may be suggested to players, in alphabetical order: all but the withheld ones, and so every
// answer. The caller must not change the slice.
func (l *Lists) Proposals() []Word { return l.proposals }

// CanGuess reports whether w may be guessed.
func (l *Lists) CanGuess(w Word) bool { return contains(l.guesses, w) }

// CanHide reports whether w can be a hidden word.
func (l *Lists) CanHide(w Word) bool { return contains(l.answers, w) }

// CanPropose reports whether w may be suggested to players.
func (l *Lists) CanPropose(w Word) bool { return contains(l.proposals, w) }

// Checksum identifies the lists: it is the same for the same words in the same lists, however their files were ordered.
func (l *Lists) Checksum() [sha256.Size]byte {
	h := sha256.New()
	for _, words := range [][]Word{l.answers, l.guesses, l.proposals} {
		for _, w := range words {
			io.WriteString(h, w.String()) // a hash never fails
		}
		io.WriteString(h, "\n")
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// WithPrefix returns the words that may be proposed and begin with the prefix, in either case. The heaviest come first, equally
// heavy ones in alphabetical order. For a whole word that may be guessed, it returns that word. The caller owns the slice.
func (l *Lists) WithPrefix(prefix string) []Word {
	words := l.proposals
	if len(prefix) == Length { // there is nothing left to propose
		words = l.guesses
	}
	prefix = strings.ToUpper(prefix)
	from, _ := slices.BinarySearchFunc(words, prefix, func(w Word, p string) int { return strings.Compare(w.String(), p) })
	to := from
	for to < len(words) && strings.HasPrefix(words[to].String(), prefix) {
		to++
	}
	weights, weighed := l.Weights(), map[Word]int32{}
	for _, w := range words[from:to] {
		i, _ := slices.BinarySearchFunc(l.guesses, w, Word.Compare)
		weighed[w] = weights[i]
	}
	found := slices.Clone(words[from:to])
	slices.SortStableFunc(found, func(a, b Word) int { return cmp.Compare(weighed[b], weighed[a]) })
	return found
}

func contains(words []Word, w Word) bool {
	_, found := slices.BinarySearchFunc(words, w, Word.Compare)
	return found
}

// Embedded returns the product's own lists. An error means that the program was built from damaged files.
func Embedded() (*Lists, error) { return ReadLists(EmbeddedSources()) }

// EmbeddedSources returns the product's own lists as sources, so that one of them can be replaced.
func EmbeddedSources() (answers, guesses Source) {
	return Source{Name: "the built-in answers", Reader: strings.NewReader(dictionary.Answers()), builtIn: true},
		Source{Name: "the built-in guesses", Reader: strings.NewReader(dictionary.Guesses()), builtIn: true}
}

// Source is a word list to read: one word per line, in either case. Empty lines, and lines that begin with #, are skipped.
type Source struct {
	Name string // as it is called in errors
	io.Reader

	builtIn bool
}

const (
	maxList   = 16 << 20 // bytes: room for more than a million words
	maxFaults = 10       // named of one list
)

// ReadLists reads and checks both lists. It joins all faults into one error, ten of each list at most: a line that is not a word,
// a word twice, a list without words or one that cannot be read. If there are none of these, it looks for answers that are not
// among the guesses.
//
// Some of the built-in guesses are withheld, unless they are among the answers. Other guesses are never withheld.
func ReadLists(answers, guesses Source) (*Lists, error) {
	a, failedA := readList(answers)
	g, failedG := readList(guesses)
	if err := errors.Join(failedA, failedG); err != nil {
		return nil, err
	}
	if err := missing(answers, a, guesses, g); err != nil {
		return nil, err
	}
	l := &Lists{answers: sorted(a), guesses: sorted(g), builtIn: answers.builtIn && guesses.builtIn}
	if l.proposals = l.guesses; guesses.builtIn {
		withheld, err := ReadWords(Source{Reader: strings.NewReader(dictionary.Withheld())})
		if err != nil {
			return nil, err
		}
		weights := builtInWeights()
		l.proposals = nil
		for i, w := range l.guesses {
			if l.CanHide(w) || !contains(withheld, w) && weights[i] > 0 {
				l.proposals = append(l.proposals, w)
			}
		}
	}
	return l, nil
}

// ReadWords reads and checks one list, as [ReadLists] does, and returns its words in alphabetical order.
func ReadWords(s Source) ([]Word, error) {
	lines, err := readList(s)
	return sorted(lines), err
}

// missing returns an error for the answers that are not among the guesses.
func missing(answers Source, a map[Word]int, guesses Source, g map[Word]int) error {
	words := slices.DeleteFunc(sorted(a), func(w Word) bool { return g[w] > 0 })
	if answers.builtIn && len(words) > 0 {
		few := fmt.Sprint(words[:min(len(words), 3)])
		return fmt.Errorf("%s: %d of the built-in answers are missing, such as %s; replace the answers too",
			guesses.Name, len(words), strings.ReplaceAll(strings.Trim(few, "[]"), " ", ", "))
	}
	slices.SortFunc(words, func(v, w Word) int { return a[v] - a[w] })
	var faults []error
	for _, w := range words[:min(len(words), maxFaults)] {
		faults = append(faults, fmt.Errorf("%s: line %d: %v is not in %s", answers.Name, a[w], w, guesses.Name))
	}
	return errors.Join(faults...)
}

// readList returns the words of a list with the numbers of their lines, from 1.
func readList(s Source) (map[Word]int, error) {
	text, err := io.ReadAll(io.LimitReader(s, maxList+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	case len(text) > maxList, !utf8.Valid(text), bytes.IndexByte(text, 0) >= 0:
		return nil, fmt.Errorf("%s: this is not a list of words, or it has more than %d MB", s.Name, maxList>>20)
	}
	lines := map[Word]int{}
	var faults []error
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) { // some editors begin a file with this mark
		n++
		line = strings.TrimSpace(line)
		switch w, err := ParseWord(line); {
		case line == "" || line[0] == '#':
		case err != nil:
			faults = append(faults, fmt.Errorf("%s: line %d: %.20q: %w", s.Name, n, line, err))
		case lines[w] > 0:
			faults = append(faults, fmt.Errorf("%s: line %d: %v is already on line %d", s.Name, n, w, lines[w]))
		default:
			lines[w] = n
		}
		if len(faults) == maxFaults {
			break
		}
	}
	if len(lines) == 0 && len(faults) == 0 {
		faults = append(faults, fmt.Errorf("%s: the list has no words", s.Name))
	}
	return lines, errors.Join(faults...)
}

func sorted(lines map[Word]int) []Word {
	return slices.SortedFunc(maps.Keys(lines), Word.Compare)
}
