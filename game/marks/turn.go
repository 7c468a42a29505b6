package marks

// Turn is a guess that was made, and the feedback it got.
type Turn[G any] struct {
	Guess    G
	Feedback Feedback
}
