package wordle

import "fivefold/game/marks"

// Feedback is the five marks of one guess: see [marks.Feedback].
type Feedback = marks.Feedback

// Mark is the feedback for one letter of a guess.
type Mark = marks.Mark

// The three marks, worst first.
const (
	Black  = marks.Black  // the hidden word has no (further) such letter
	Yellow = marks.Yellow // the letter is in the hidden word, elsewhere
	Green  = marks.Green  // the letter is in its place
)

const (
	// Feedbacks is the number of values a Feedback can have.
	Feedbacks = marks.Feedbacks
	// AllGreen is the feedback of the hidden word itself.
	AllGreen = marks.AllGreen
)

// FeedbackError says what is wrong with a text that is not a feedback.
type FeedbackError = marks.Error

// ParseFeedback reads a feedback as [marks.Parse] does.
func ParseFeedback(text string) (Feedback, error) { return marks.Parse(text) }
