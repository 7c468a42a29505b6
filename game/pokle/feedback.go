package pokle

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Mark is what one card of a guess is told.
type Mark uint8

// The three marks, in the order of what they tell.
const (
	Grey   Mark = iota // neither rank nor suit
	Yellow             // rank or suit
	Green              // the card is there
)

// Feedback is the five marks of one guess in one byte: Σ mark·3^position, the
// first card at position 0. It ranges from 0 (all grey) to [AllGreen].
type Feedback uint8

const (
	// Feedbacks is the number of values a Feedback can have.
	Feedbacks = 3 * 3 * 3 * 3 * 3
	// AllGreen is the feedback that wins.
	AllGreen Feedback = Feedbacks - 1
)

// powers holds 3^position.
var powers = [BoardCards]Feedback{1, 3, 9, 27, 81}

// Mark returns the mark of the card at position i, 0 to 4.
func (f Feedback) Mark(i int) Mark {
	return Mark(f / powers[i] % 3)
}

// marks are the letters of the written form, by Mark.
const marks = "eyg"

// String returns five letters, g for green, y for yellow and e for grey, such as
// "gyeyg".
func (f Feedback) String() string {
	var b [BoardCards]byte
	for i := range b {
		b[i] = marks[f.Mark(i)]
	}
	return string(b[:])
}

// ErrFeedback says that a text is not a feedback.
var ErrFeedback = errors.New("not five marks of g, y and e")

// FeedbackError says what is wrong with a text that is not a feedback. It wraps
// [ErrFeedback] and does not contain the text.
type FeedbackError struct {
	Unknown int // which mark, from 1, is none; 0 where each is one
	Marks   int // how many marks there are; meaningless unless Unknown is 0
}

func (e *FeedbackError) Error() string {
	if e.Unknown > 0 {
		return fmt.Sprintf("mark %d: %v", e.Unknown, ErrFeedback)
	}
	return fmt.Sprintf("%d marks: %v", e.Marks, ErrFeedback)
}

// Unwrap returns [ErrFeedback].
func (e *FeedbackError) Unwrap() error { return ErrFeedback }

// written are the characters that [ParseFeedback] reads, by mark: letters and
// digits, lower case standing for both cases, and the squares in which puzzles
// show their results, those of colour schemes for the colour-blind too.
var written = [...]string{Grey: "ebx.-0⬛⬜", Yellow: "y1🟨🟦", Green: "g2🟩🟧"}

// ParseFeedback reads what [Feedback.String] writes, and how people write it
// elsewhere, in any mixture:
//
//	grey:   e b x . - 0 ⬛ ⬜
//	yellow: y 1 🟨 🟦
//	green:  g 2 🟩 🟧
//
// Case and spaces do not matter. The error is a *[FeedbackError].
func ParseFeedback(text string) (Feedback, error) {
	var f Feedback
	n := 0
	for _, c := range text {
		if unicode.IsSpace(c) || c == variation {
			continue
		}
		mark := slices.IndexFunc(written[:], func(all string) bool { return strings.ContainsRune(all, lower(c)) })
		if mark < 0 {
			return 0, &FeedbackError{Unknown: n + 1}
		}
		if n < BoardCards {
			f += powers[n] * Feedback(mark)
		}
		n++
	}
	if n != BoardCards {
		return 0, &FeedbackError{Marks: n}
	}
	return f, nil
}
