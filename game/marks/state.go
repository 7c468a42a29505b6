package marks

// State is one game by the rules of its kind: a value that never changes. Each kind has a type of its own, whose methods make the
// moves.
type State interface {
	// Status is Playing, Won or Lost.
	Status() Status
	// Used returns the number of accepted guesses.
	Used() int
	// AttemptsLeft returns how many guesses are left, even after the end of the game.
	AttemptsLeft() int
	// Hard says which guesses the game allows.
	Hard() Hardness
	// Rewind returns the game after its first guesses, at most [State.Used] of them.
	Rewind(used int) State
	// Fresh returns the same puzzle without a guess. A kind without hard mode ignores hard.
	Fresh(hard Hardness) State
	// Answer is the hidden word or board, as players can type it.
	Answer() string
	// String describes the game without its answer and guesses.
	String() string
}
