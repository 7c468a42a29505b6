package wordle

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fivefold/game/wordle/dictionary"
)

// Lists are the words a game is played with: the answers, from which hidden
// words are drawn, and the guesses, which contain every answer. Some guesses are
// withheld: players may make them, and they are proposed only where no other word
// fits. Lists are immutable and safe for concurrent use.
type Lists struct {
	answers   []Word
	guesses   []Word
	proposals []Word
	builtIn   bool // whether answers and guesses are the built-in ones
}

// Answers returns the possible hidden words in alphabetical order. The caller
// must not change the slice.
func (l *Lists) Answers() []Word { return l.answers }

// Guesses returns the words that may be guessed in alphabetical order. The
// caller must not change the slice.
func (l *Lists) Guesses() []Word { return l.guesses }

// Proposals returns the guesses that may be suggested to players, in alphabetical
// order: all but the withheld ones, and so every answer. The caller must not change
// the slice.
func (l *Lists) Proposals() []Word { return l.proposals }

// CanGuess reports whether w may be guessed.
func (l *Lists) CanGuess(w Word) bool { return contains(l.guesses, w) }

// CanHide reports whether w can be a hidden word.
func (l *Lists) CanHide(w Word) bool { return contains(l.answers, w) }

// CanPropose reports whether w may be suggested to players.
func (l *Lists) CanPropose(w Word) bool { return contains(l.proposals, w) }

// Checksum identifies the lists: it is the same for the same words in the same
// lists, however their files were ordered.
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

// WithPrefix returns the words that may be proposed and begin with the prefix,
// in either case, in alphabetical order; for a whole word that may be guessed, that
// word. The caller must not change the slice.
func (l *Lists) WithPrefix(prefix string) []Word {
	words := l.proposals
	if len(prefix) == Length { // there is nothing left to propose
		words = l.guesses
	}
	prefix = strings.ToUpper(prefix)
	before := func(w Word, p string) int { return strings.Compare(w.String()[:min(len(p), Length)], p) }
	from, _ := slices.BinarySearchFunc(words, prefix, before)
	to, _ := slices.BinarySearchFunc(words[from:], prefix, func(w Word, p string) int {
		if before(w, p) > 0 {
			return 1
		}
		return -1
	})
	return words[from : from+to]
}

func contains(words []Word, w Word) bool {
	_, found := slices.BinarySearchFunc(words, w, Word.Compare)
	return found
}

// Embedded returns the product's own lists. An error means that the program was
// built from damaged files.
func Embedded() (*Lists, error) {
	for _, c := range []struct{ name, text, sum string }{
		{"answers", dictionary.Answers(), dictionary.AnswersSHA256},
		{"guesses", dictionary.Guesses(), dictionary.GuessesSHA256},
		{"withheld guesses", dictionary.Withheld(), dictionary.WithheldSHA256},
		{"weights", dictionary.Weights(), dictionary.WeightsSHA256},
	} {
		if sum := sha256.Sum256([]byte(c.text)); hex.EncodeToString(sum[:]) != c.sum {
			return nil, fmt.Errorf("the embedded list of %s does not match its checksum", c.name)
		}
	}
	return ReadLists(EmbeddedSources())
}

// EmbeddedSources returns the product's own lists as sources, so that one of them can be
// replaced.
func EmbeddedSources() (answers, guesses Source) {
	return Source{Name: "the built-in answers", Reader: strings.NewReader(dictionary.Answers()), builtIn: true},
		Source{Name: "the built-in guesses", Reader: strings.NewReader(dictionary.Guesses()), builtIn: true}
}

// Source is a word list to read: one word per line, in either case. Empty lines,
// and lines that begin with #, are skipped.
type Source struct {
	Name string // as it is called in errors
	io.Reader

	builtIn bool // there is no file, so errors name no lines
}

// LineError is one fault in a word list.
type LineError struct {
	Source string
	Line   int // from 1
	Err    error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s: line %d: %v", e.Source, e.Line, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// ErrEmptyList says that a source has no words.
var ErrEmptyList = errors.New("the list has no words")

// How much a [Source] may hold.
const (
	MaxWords = 1_000_000
	maxLines = 2 * MaxWords // with comments and lines that are not words
	maxLine  = 1000         // bytes; a comment may be long
)

// maxFaults is how many faults of a kind are listed one by one.
const maxFaults = 10

// ErrNoList says that a source is not a text with a word on each line.
var ErrNoList = errors.New("this is not a list of words")

// ReadLists reads and checks both lists. Faults are reported together, joined into
// one error: a line that is not a word, a word twice, an answer that is not among
// the guesses (each a *[LineError]), an empty list ([ErrEmptyList]), and what
// reading itself returns. Of each list, ten are named and the others counted. At a line
// that cannot be in a list ([ErrNoList]), and after [MaxWords] words, reading ends.
//
// Of the built-in guesses some are withheld, unless they are among the answers; of
// other guesses, none.
func ReadLists(answers, guesses Source) (*Lists, error) {
	a, _, faultsA := readList(answers)
	g, whole, faultsG := readList(guesses)
	faults := append(faultsA, faultsG...)
	if whole && len(g) > 0 {
		faults = append(faults, missing(answers, a, guesses, g)...)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	l := &Lists{answers: sorted(a), guesses: sorted(g), builtIn: answers.builtIn && guesses.builtIn}
	l.proposals = l.guesses
	if guesses.builtIn {
		withheld := withheldWords()
		l.proposals = slices.DeleteFunc(slices.Clone(l.guesses), func(w Word) bool { return withheld[w] && !l.CanHide(w) })
	}
	return l, nil
}

// ReadWords reads and checks one list, as [ReadLists] does, and returns its words in
// alphabetical order.
func ReadWords(s Source) ([]Word, error) {
	entries, _, faults := readList(s)
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return sorted(entries), nil
}

// withheldWords returns the built-in guesses that are not to be proposed.
func withheldWords() map[Word]bool {
	words := map[Word]bool{}
	for text := range strings.FieldsSeq(dictionary.Withheld()) {
		words[MustParse(text)] = true // a test checks that these are words
	}
	return words
}

// CanHurt reports whether a text has a word that the program itself never brings up, by the built-in lists.
func CanHurt(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	for line := range strings.Lines(dictionary.Withheld() + dictionary.Blocked()) {
		if slices.Contains(words, strings.TrimSpace(line)) {
			return true
		}
	}
	return false
}

// missing returns faults for the answers that are not among the guesses, or one
// for all where the answers are the built-in ones.
func missing(answers Source, a []entry, guesses Source, g []entry) []error {
	known := new(wordSet)
	for _, e := range g {
		known.add(e.word)
	}
	faults := faultList{source: answers.Name}
	var words []string
	for _, e := range a {
		if known.has(e.word) {
			continue
		}
		faults.add(e.line, "%v is not in %s", e.word, guesses.Name)
		if len(words) < 3 {
			words = append(words, e.word.String())
		}
	}
	if answers.builtIn && len(words) > 0 {
		return []error{fmt.Errorf("%s: %d of the built-in answers are missing, such as %s; replace the answers too",
			guesses.Name, faults.count, strings.Join(words, ", "))}
	}
	return faults.all()
}

// faultList has the first faults of a source, and how many there are.
type faultList struct {
	source string
	first  []error
	count  int
}

// add adds a fault, with its text made as by [fmt.Errorf].
func (f *faultList) add(line int, format string, args ...any) {
	if f.count++; f.count <= maxFaults {
		f.first = append(f.first, &LineError{f.source, line, fmt.Errorf(format, args...)})
	}
}

// all returns the first faults and, if there are others, how many.
func (f *faultList) all() []error {
	if f.count > maxFaults {
		return append(f.first, fmt.Errorf("%s: … and %d more", f.source, f.count-maxFaults))
	}
	return f.first
}

// wordSet is a set of words: a bit for each of all possible ones, 1.5 MB, which is much less
// than a map of a million words takes.
type wordSet [(26*26*26*26*26 + 63) / 64]uint64

func (s *wordSet) add(w Word) {
	i := w.number()
	s[i/64] |= 1 << (i % 64)
}

func (s *wordSet) has(w Word) bool {
	i := w.number()
	return s[i/64]>>(i%64)&1 != 0
}

// number returns the number of the word among all possible ones, from 0.
func (w Word) number() uint32 {
	var n uint32
	for i := range Length {
		n = n*26 + uint32(w.Letter(i)-'A')
	}
	return n
}

type entry struct {
	word Word
	line int
}

// readList returns the good entries of a list, whether it was read to its end, and its
// faults.
func readList(s Source) (entries []entry, whole bool, faults []error) {
	seen := new(wordSet)
	bad := faultList{source: s.Name}
	end := func(line int, err error) ([]entry, bool, []error) {
		return entries, false, append(bad.all(), &LineError{s.Name, line, err})
	}
	scanner := bufio.NewScanner(s)
	scanner.Buffer(nil, maxLine)
	line := 0
	for scanner.Scan() {
		if line++; line > maxLines {
			return end(line, fmt.Errorf("a list may have up to %d lines", maxLines))
		}
		if bytes.IndexByte(scanner.Bytes(), 0) >= 0 || !utf8.Valid(scanner.Bytes()) {
			return end(line, fmt.Errorf("it is not text: %w", ErrNoList))
		}
		text := strings.TrimSpace(scanner.Text())
		if line == 1 {
			text = strings.TrimPrefix(text, "\ufeff") // some editors begin a file with it
		}
		if text == "" || text[0] == '#' {
			continue
		}
		w, err := ParseWord(text)
		switch {
		case err != nil:
			bad.add(line, "%.20q: %w", text, err)
		case seen.has(w):
			bad.add(line, "%v is already on line %d", w, lineOf(entries, w))
		case len(entries) == MaxWords:
			return end(line, fmt.Errorf("a list may have up to %d words", MaxWords))
		default:
			seen.add(w)
			entries = append(entries, entry{w, line})
		}
	}
	faults = bad.all()
	switch err := scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return end(line+1, fmt.Errorf("it is longer than %d bytes: %w", maxLine, ErrNoList))
	case err != nil:
		return entries, false, append(faults, fmt.Errorf("%s: %w", s.Name, err))
	case len(entries) == 0 && len(faults) == 0:
		faults = append(faults, fmt.Errorf("%s: %w", s.Name, ErrEmptyList))
	}
	return entries, true, faults
}

// lineOf returns the line of a word that is among the entries.
func lineOf(entries []entry, w Word) int {
	return entries[slices.IndexFunc(entries, func(e entry) bool { return e.word == w })].line
}

func sorted(entries []entry) []Word {
	words := make([]Word, len(entries))
	for i, e := range entries {
		words[i] = e.word
	}
	slices.SortFunc(words, Word.Compare)
	return words
}
