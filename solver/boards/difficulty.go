package boards

// Difficulty is how hard a puzzle is, by how many boards fit its deal. It says nothing
// about the hidden one that the deal does not say.
type Difficulty uint8

// The difficulties: each is a third of the puzzles that [Solver.Generate] makes.
const (
	Easy   Difficulty = iota // up to 650 boards
	Medium                   // up to 2900
	Hard
)

// String returns "easy", "medium" or "hard".
func (d Difficulty) String() string { return [...]string{"easy", "medium", "hard"}[d] }

// DifficultyOf returns how hard a puzzle is whose deal this many boards fit.
func DifficultyOf(boards int) Difficulty {
	switch {
	case boards <= 650:
		return Easy
	case boards <= 2900:
		return Medium
	}
	return Hard
}
