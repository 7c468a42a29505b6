package wordle

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"fivefold/game/wordle/dictionary"
)

// Lists are the words a game is played with: the answers, from which hidden
// words are drawn, and the guesses, which contain every answer. Some guesses are
// withheld: players may make them, and they are never proposed. Lists are
// immutable and safe for concurrent use.
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
	all := [][]Word{l.answers, l.guesses}
	if len(l.proposals) < len(l.guesses) { // so other lists keep the checksum of earlier releases
		all = append(all, l.proposals)
	}
	for _, words := range all {
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

// Source is a word list to read: one word a line, in either case. Empty lines,
// and lines that begin with #, are skipped.
type Source struct {
	Name string // as it is called in errors
	io.Reader

	builtIn bool // errors name no lines, since nobody can look them up
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

// ReadLists reads and checks both lists. Every fault is reported, joined into
// one error: a line that is no word, a word twice, an answer that is not among
// the guesses (each a *[LineError]), an empty list ([ErrEmptyList]), and what
// reading itself returns.
//
// Of the built-in guesses some are withheld, unless they are among the answers; of
// other guesses, none.
func ReadLists(answers, guesses Source) (*Lists, error) {
	a, faultsA := readList(answers)
	g, faultsG := readList(guesses)
	faults := append(faultsA, faultsG...)
	if len(g) > 0 {
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

// withheldWords returns the built-in guesses that are not to be proposed.
func withheldWords() map[Word]bool {
	words := map[Word]bool{}
	for text := range strings.FieldsSeq(dictionary.Withheld()) {
		words[MustParse(text)] = true // a test checks that these are words
	}
	return words
}

// missing returns a fault for each answer that is not among the guesses, or one
// for all where the answers are the built-in ones.
func missing(answers Source, a []entry, guesses Source, g []entry) []error {
	known := make(map[Word]bool, len(g))
	for _, e := range g {
		known[e.word] = true
	}
	var faults []error
	var words []string
	for _, e := range a {
		if !known[e.word] {
			words = append(words, e.word.String())
			faults = append(faults, &LineError{answers.Name, e.line, fmt.Errorf("%v is not in %s", e.word, guesses.Name)})
		}
	}
	if answers.builtIn && len(words) > 0 {
		return []error{fmt.Errorf("%s: %d of the built-in answers are missing, such as %s; replace the answers too",
			guesses.Name, len(words), strings.Join(words[:min(len(words), 3)], ", "))}
	}
	return faults
}

type entry struct {
	word Word
	line int
}

// readList returns the good entries of a list and all of its faults.
func readList(s Source) (entries []entry, faults []error) {
	first := map[Word]int{}
	scanner := bufio.NewScanner(s)
	line := 0
	for scanner.Scan() {
		line++
		text := strings.TrimSpace(scanner.Text())
		if line == 1 {
			text = strings.TrimPrefix(text, "\ufeff") // some editors begin a file so
		}
		if text == "" || text[0] == '#' {
			continue
		}
		w, err := ParseWord(text)
		if err != nil {
			err = fmt.Errorf("%.20q: %w", text, err)
		} else if first[w] != 0 {
			err = fmt.Errorf("%v is already on line %d", w, first[w])
		}
		if err != nil {
			faults = append(faults, &LineError{s.Name, line, err})
			continue
		}
		first[w] = line
		entries = append(entries, entry{w, line})
	}
	switch err := scanner.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		faults = append(faults, &LineError{s.Name, line + 1, errors.New("far longer than a word; is this a list?")})
	case err != nil:
		faults = append(faults, fmt.Errorf("%s: %w", s.Name, err))
	case len(entries) == 0 && len(faults) == 0:
		faults = append(faults, fmt.Errorf("%s: %w", s.Name, ErrEmptyList))
	}
	return entries, faults
}

func sorted(entries []entry) []Word {
	words := make([]Word, len(entries))
	for i, e := range entries {
		words[i] = e.word
	}
	slices.SortFunc(words, Word.Compare)
	return words
}
