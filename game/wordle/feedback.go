package wordle

import (
	"errors"
	"fmt"
	"strings"
)

// Mark is what one letter of a guess is told.
type Mark uint8

// The three marks, in the order of what they tell.
const (
	Black  Mark = iota // the hidden word has no (further) such letter
	Yellow             // the letter is in the hidden word, elsewhere
	Green              // the letter is in its place
)

// Feedback is the five marks of one guess in one byte: Σ mark·3^position, the
// first letter at position 0. It ranges from 0 (all black) to [AllGreen].
type Feedback uint8

const (
	// Feedbacks is the number of values a Feedback can have.
	Feedbacks = 3 * 3 * 3 * 3 * 3
	// AllGreen is the feedback of the hidden word itself.
	AllGreen Feedback = Feedbacks - 1
)

// powers holds 3^position.
var powers = [Length]Feedback{1, 3, 9, 27, 81}

// Mark returns the mark of the letter at position i, 0 to 4.
func (f Feedback) Mark(i int) Mark {
	return Mark(f / powers[i] % 3)
}

// marks are the letters of the written form, by Mark.
const marks = "BYG"

// String returns five letters of B, Y and G, such as "BYBGB".
func (f Feedback) String() string {
	var b [Length]byte
	for i := range b {
		b[i] = marks[f.Mark(i)]
	}
	return string(b[:])
}

// ErrFeedback says that a text is not a feedback.
var ErrFeedback = errors.New("not five marks of B, Y and G")

// ParseFeedback reads what [Feedback.String] writes, in either case. Its error
// wraps [ErrFeedback].
func ParseFeedback(text string) (Feedback, error) {
	if len(text) != Length {
		return 0, fmt.Errorf("%d characters: %w", len(text), ErrFeedback)
	}
	var f Feedback
	for i, c := range []byte(strings.ToUpper(text)) {
		m := strings.IndexByte(marks, c)
		if m < 0 {
			return 0, fmt.Errorf("mark %d: %w", i+1, ErrFeedback)
		}
		f += powers[i] * Feedback(m)
	}
	return f, nil
}
