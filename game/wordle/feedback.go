package wordle

import "fivefold/game/marks"

// Feedback is the five marks of one guess: see [marks.Feedback].
type Feedback = marks.Feedback

// What the marks mean, worst first.
const (
	Black  = marks.Black  // the hidden word has no (further) such letter
	Yellow = marks.Yellow // the letter is in the hidden word, elsewhere
	Green  = marks.Green  // the letter is in its place

	Feedbacks = marks.Feedbacks
	AllGreen  = marks.AllGreen // of the hidden word itself
)

// ParseFeedback reads a feedback as [marks.Parse] does.
func ParseFeedback(text string) (Feedback, error) { return marks.Parse(text) }
