package pokle

import (
	"strings"

	"fivefold/game/marks"
)

// Feedback is the five marks of one guess, the first card of the flop at position 0: see [marks.Feedback].
type Feedback = marks.Feedback

// What the marks mean, worst first.
const (
	Grey   = marks.Black  // neither rank nor suit
	Yellow = marks.Yellow // rank or suit
	Green  = marks.Green  // the card is there

	Feedbacks = marks.Feedbacks
	AllGreen  = marks.AllGreen
)

// ParseFeedback reads a feedback as [marks.Parse] does.
func ParseFeedback(text string) (Feedback, error) { return marks.Parse(text) }

// WriteFeedback returns a feedback as players of this game write it: five letters, g for green, y for yellow and e for grey, such
// as "gyeyg".
func WriteFeedback(f Feedback) string {
	return strings.ReplaceAll(strings.ToLower(f.String()), "b", "e")
}
