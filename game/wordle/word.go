package wordle

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"fivefold/game/wordle/dictionary"
)

// Length is the number of letters in every word.
const Length = 5

// Word is a word of five letters A–Z. The zero value is not a word.
//
// Words are equal with == exactly when their letters are; [Word.Compare] orders them. Each letter, 1 for A to 26 for Z, has a
// lane of twelve bits, the first letter the highest; bit 63 is set when a letter occurs more than once. The letters need five
// bits only: the wide lanes are for [Score], which counts in all five at once.
type Word uint64

const (
	laneBits   = 12
	laneMask   = 1<<laneBits - 1
	letterBits = Word(1)<<(laneBits*Length) - 1
	repeatsBit = Word(1) << 63
)

// Errors of [ParseWord].
var (
	ErrLength = errors.New("not five letters")
	ErrLetter = errors.New("not a letter from A to Z")
)

// ParseWord reads a word in either case; spaces around it are ignored.
//
// The error wraps [ErrLetter] when any character is outside A–Z and is [ErrLength] when the letters are not five. It never
// contains the text.
func ParseWord(text string) (Word, error) {
	text = strings.TrimSpace(text)
	n := 0
	var letters [Length]byte
	for _, r := range text {
		lower := r | 0x20
		if r > unicode.MaxASCII || lower < 'a' || lower > 'z' {
			return 0, fmt.Errorf("character %d is %w", n+1, ErrLetter)
		}
		if n < Length {
			letters[n] = byte(lower)
		}
		n++
	}
	if n != Length {
		return 0, ErrLength
	}
	return pack(letters), nil
}

// MustParse is [ParseWord] for words written in the source; it panics where ParseWord returns an error.
func MustParse(text string) Word {
	w, err := ParseWord(text)
	if err != nil {
		panic(fmt.Sprintf("wordle: %q: %v", text, err))
	}
	return w
}

// pack builds the word of five lower-case letters.
func pack(letters [Length]byte) Word {
	var w Word
	var seen uint32 // the set of letters
	for _, c := range letters {
		i := c - 'a' + 1
		if seen>>i&1 != 0 {
			w |= repeatsBit
		}
		seen |= 1 << i
		w = w<<laneBits&letterBits | w&repeatsBit | Word(i)
	}
	return w
}

// Letter returns the letter at position i, 0 to 4, as 'A' to 'Z'.
func (w Word) Letter(i int) byte {
	return 'A' - 1 + byte(w>>(laneBits*(Length-1-i))&laneMask)
}

// Count returns how often the letter, 'A' to 'Z', occurs in the word.
func (w Word) Count(letter byte) int {
	n := 0
	for i := range Length {
		if w.Letter(i) == letter {
			n++
		}
	}
	return n
}

// String returns the word in upper case, or "" for the zero Word.
func (w Word) String() string {
	if w == 0 {
		return ""
	}
	var b [Length]byte
	for i := range b {
		b[i] = w.Letter(i)
	}
	return string(b[:])
}

// Meaning returns the word's meaning in a line of at most 93 characters; "" if it is not known.
func (w Word) Meaning() string { return dictionary.Meaning(strings.ToLower(w.String())) }

// Compare orders words alphabetically: negative when w comes before v.
func (w Word) Compare(v Word) int {
	return cmp.Compare(w&letterBits, v&letterBits)
}

// MarshalText writes the stored form: the word in lower case.
func (w Word) MarshalText() ([]byte, error) {
	return []byte(strings.ToLower(w.String())), nil
}

// UnmarshalText reads what [Word.MarshalText] writes; an empty text is the zero Word.
func (w *Word) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*w = 0
		return nil
	}
	v, err := ParseWord(string(text))
	if err != nil {
		return err
	}
	*w = v
	return nil
}
