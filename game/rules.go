package game

import (
	"context"
	"math"

	"fivefold/game/marks"
)

// Kind names a kind of game, in letters a to z. Stores keep the name, and players type it in filters.
type Kind string

// State is one game by the rules of its kind: see [marks.State].
type State = marks.State

// Rules are the rules of one kind of game, with its solver. They are safe for concurrent use, obey their context while they wait
// or search, and keep none of their arguments. States, matches and hints must be of the kind. The type Game of bot/kinds/wordgame
// and that of bot/kinds/pokergame implement it.
type Rules interface {
	Kind() Kind
	// Races reports whether the game can be raced.
	Races() bool
	// NoRepeat is how many of the latest answers a new match must not repeat; 0 for none.
	NoRepeat() int
	// New makes a game without a guess.
	New(context.Context, NewGame) (State, error)
	// Given makes a game from a puzzle that a player has typed, without a guess. The error is one of the rules, or [ErrKind] for
	// a kind without challenges.
	Given(typed string) (State, error)
	// Guess returns the game after one more guess, as a player has typed it. The error is one of the rules.
	Guess(s State, typed string) (State, error)
	// Hint returns the content of a hint for the match, which proposes none of the words in never. The error may wrap [ErrHint], [ErrAllKnown] or [ErrNothingFits].
	Hint(ctx context.Context, m Match, kind HintKind, pick Pick, never []string) (HintContent, error)
	// Review judges the guesses of a finished match. The error may wrap [ErrNothingFits].
	Review(context.Context, Match) (Review, error)
	// Remaining returns how many answers were possible before the first guess of a game and after each, going by what its players
	// saw.
	Remaining(context.Context, State) ([]Possible, error)
	// Difficulty rates a game without a guess in a word, such as "hard"; it is empty for a kind without ratings.
	Difficulty(context.Context, State) (string, error)
}

// Possible is how many answers are possible on each board of a game. Of several boards, those that are found are left out.
type Possible []int

// OnOneBoard returns numbers for a game of one board.
func OnOneBoard(counts []int) []Possible {
	return Each(counts, func(n int) Possible { return Possible{n} })
}

// Total is the sum over the boards.
func (p Possible) Total() (sum int) {
	for _, n := range p {
		sum += n
	}
	return sum
}

// Bits is how much is unknown: the sum of the binary logarithms. It is below 0 if nothing is possible on a board.
func (p Possible) Bits() (sum float64) {
	for _, n := range p {
		sum += math.Log2(float64(n))
	}
	return sum
}

// Pick returns a number from 0 to n−1, all equally likely.
type Pick func(n int) int

// Seed draws a number of 63 bits.
func (p Pick) Seed() uint64 { return uint64(p(math.MaxInt)) }

// NewGame describes a new game.
type NewGame struct {
	Daily bool // it is a daily puzzle
	Hard  marks.Hardness
	// Avoid are the answers that came up too recently to be used again.
	Avoid []string
	// Never are answers that are not used at all.
	Never []string
	Pick  Pick
}
