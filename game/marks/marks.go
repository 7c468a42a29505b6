// Package marks holds what all kinds of games share: feedback, which is a black, yellow or green mark for each of a guess's five
// letters or cards; the guesses that were made; and the state of a game.
package marks

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Length is the number of marks of a guess.
const Length = 5

// Mark is the feedback for one letter or card of a guess. The rules of each game say exactly what it means.
type Mark uint8

// The three marks, worst first.
const (
	Black  Mark = iota // nothing like it is hidden; some puzzles show it in grey
	Yellow             // something like it is hidden
	Green              // it is hidden in this place
)

// Feedback is the five marks of one guess in one byte: Σ mark·3^position, the first at position 0. It ranges from 0 (all black)
// to [AllGreen].
type Feedback uint8

const (
	// Feedbacks is the number of values a Feedback can have.
	Feedbacks = 3 * 3 * 3 * 3 * 3
	// AllGreen is the feedback that wins.
	AllGreen Feedback = Feedbacks - 1
)

// powers holds 3^position.
var powers = [Length]Feedback{1, 3, 9, 27, 81}

// Mark returns the mark at position i, 0 to 4.
func (f Feedback) Mark(i int) Mark {
	return Mark(f / powers[i] % 3)
}

// With returns the feedback with another mark at position i, 0 to 4.
func (f Feedback) With(i int, m Mark) Feedback {
	return f + powers[i]*(Feedback(m)-Feedback(f.Mark(i)))
}

// letters writes each mark.
const letters = "BYG"

// Colour returns the mark in a word: "grey", "yellow" or "green".
func (m Mark) Colour() string {
	return [...]string{Black: "grey", Yellow: "yellow", Green: "green"}[m]
}

// String returns five letters of B, Y and G, such as "BYBGB".
func (f Feedback) String() string {
	var b [Length]byte
	for i := range b {
		b[i] = letters[f.Mark(i)]
	}
	return string(b[:])
}

// MarshalText writes the stored form, [Feedback.String].
func (f Feedback) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads what [Feedback.MarshalText] writes.
func (f *Feedback) UnmarshalText(text []byte) (err error) {
	*f, err = Parse(string(text))
	return err
}

// ErrFeedback means that a text is not a feedback.
var ErrFeedback = errors.New("feedback is five marks: g for green, y for yellow, b or e for black or grey")

// Error says what is wrong with a text that is not a feedback. It wraps [ErrFeedback] and does not contain the text.
type Error struct {
	Unknown int // the first character that is not a mark, counted from 1; 0 if all are marks
	Marks   int // how many marks there are; meaningless unless Unknown is 0
}

func (e *Error) Error() string {
	if e.Unknown > 0 {
		return fmt.Sprintf("character %d is no mark; %v", e.Unknown, ErrFeedback)
	}
	return ErrFeedback.Error()
}

// Unwrap returns [ErrFeedback].
func (e *Error) Unwrap() error { return ErrFeedback }

// written are the characters that [Parse] reads, by mark: letters in lower case for both cases, digits, signs, and the squares in
// which puzzles show results. Some colour schemes for the colour-blind have squares of their own.
var written = [...]string{Black: "bxew.-_0⬛⬜⚫◼◻🔳🔲🟥", Yellow: "y1🟨🟦🟡🔵", Green: "g2🟩🟧🟢"}

// named maps English colour names to marks, in the usual colours and in those for the colour-blind.
var named = map[string]Mark{
	"black": Black, "grey": Black, "gray": Black, "white": Black, "red": Black,
	"yellow": Yellow, "blue": Yellow,
	"green": Green, "orange": Green,
}

// variation follows a character that is to be drawn as an emoji. Copied squares contain it.
const variation = '\uFE0F'

// Parse reads what [Feedback.String] writes, and other people's ways to write feedback, in any mixture:
//
//	black:  b x e w . - _ 0 ⬛ ⬜ ⚫ ◼ ◻ 🔳 🔲 🟥 (e for grey, w for white)
//	yellow: y 1 🟨 🟦 🟡 🔵
//	green:  g 2 🟩 🟧 🟢
//
// It also reads the names of squares, as in [Squares], and colours in words: black grey gray white red, yellow blue, green
// orange. Spaces or commas separate words; elsewhere spaces do not matter. Case never matters. The error is a *[Error].
func Parse(text string) (Feedback, error) {
	var f Feedback
	n := 0
	for _, c := range inLetters(Squares(text)) {
		if unicode.IsSpace(c) || c == variation {
			continue
		}
		mark := slices.IndexFunc(written[:], func(all string) bool { return strings.ContainsRune(all, unicode.ToLower(c)) })
		if mark < 0 {
			return 0, &Error{Unknown: n + 1}
		}
		if n < Length {
			f += powers[n] * Feedback(mark)
		}
		n++
	}
	if n != Length {
		return 0, &Error{Marks: n}
	}
	return f, nil
}

var (
	squareName = regexp.MustCompile(`(?i):([a-z]+)(?:_(?:large|medium|small))*_(?:square|circle):`)
	squares    = [...]string{Black: "⬛", Yellow: "🟨", Green: "🟩"}
)

// Squares replaces the names of squares, such as :black_large_square:, by squares of their marks. Discord copies them as names.
func Squares(text string) string {
	return squareName.ReplaceAllStringFunc(text, func(name string) string {
		mark, ok := named[strings.ToLower(squareName.FindStringSubmatch(name)[1])]
		if !ok {
			return name
		}
		return squares[mark]
	})
}

// inLetters writes a text of colour names in letters: "grey, green" → "BG". It returns any other text as it is.
func inLetters(text string) string {
	var b strings.Builder
	for _, name := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
		mark, ok := named[strings.ToLower(name)]
		if !ok {
			return text
		}
		b.WriteByte(letters[mark])
	}
	return b.String()
}
