package poker

// Difficulty is how hard a puzzle is, by the number of boards that fit its deal. It tells no more
// about the hidden board than the deal does.
type Difficulty uint8

// The difficulties. Each has a third of the puzzles that [Solver.Generate] makes.
const (
	Easy   Difficulty = iota // up to 650 boards
	Medium                   // up to 2900
	Hard
)

// String returns "easy", "medium" or "hard".
func (d Difficulty) String() string { return [...]string{"easy", "medium", "hard"}[d] }

// DifficultyOf returns the difficulty of a deal that this many boards fit.
func DifficultyOf(boards int) Difficulty {
	switch {
	case boards <= 650:
		return Easy
	case boards <= 2900:
		return Medium
	}
	return Hard
}
