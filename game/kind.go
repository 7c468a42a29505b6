package game

// Kind is a kind of game. It is stored by this name, and players type it in filters:
// letters a to z.
type Kind string

// The games.
const (
	Wordle Kind = "wordle" // the word game
	Pokle  Kind = "pokle"  // the poker game
)
