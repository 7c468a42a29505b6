package game

import (
	"slices"

	"fivefold/game/wordle"
)

// Notes are what the helper keeps of a player, wherever the player asks. They are
// a value like a [Match]. The zero Notes with a player are those of somebody new.
type Notes struct {
	Player PlayerID
	// Version counts the commits.
	Version uint64
	Puzzle  Puzzle
	Record  PuzzleRecord // of word puzzles
	// Board is the player's puzzle of the poker game. It counts in no record.
	Board BoardPuzzle
	// Requests are the latest ones that led to a version, oldest first.
	Requests []RequestID
}

// PuzzleRecord counts the puzzles that a player finished with help.
type PuzzleRecord struct {
	Lost         int
	Distribution [wordle.Attempts]int // puzzles solved by number of guesses, from 1
}

// Won returns how many puzzles were solved.
func (r PuzzleRecord) Won() int {
	won := 0
	for _, n := range r.Distribution {
		won += n
	}
	return won
}

// Played returns how many puzzles were finished.
func (r PuzzleRecord) Played() int { return r.Won() + r.Lost }

// Share returns the share of puzzles solved, 0 to 1; 0 before the first.
func (r PuzzleRecord) Share() float64 {
	if r.Played() == 0 {
		return 0
	}
	return float64(r.Won()) / float64(r.Played())
}

// Average returns the mean number of guesses of the puzzles solved, or 0 before
// the first one.
func (r PuzzleRecord) Average() float64 {
	if r.Won() == 0 {
		return 0
	}
	guesses := 0
	for i, n := range r.Distribution {
		guesses += (i + 1) * n
	}
	return float64(guesses) / float64(r.Won())
}

// count returns the record with a puzzle counted n times more, if it is over.
func (r PuzzleRecord) count(p Puzzle, n int) PuzzleRecord {
	switch p.Status() {
	case Won:
		r.Distribution[len(p.Turns)-1] += n
	case Lost:
		r.Lost += n
	}
	return r
}

// change returns the notes with the puzzle as it is after a change. A puzzle
// counts once it is over, and no longer when that is taken back.
func (n Notes) change(p Puzzle) Notes {
	n.Record = n.Record.count(n.Puzzle, -1).count(p, 1)
	n.Puzzle = p
	return n
}

// begin returns the notes with a new puzzle. The one before stays counted if it
// was over, and otherwise counts for nothing.
func (n Notes) begin(hard bool) Notes {
	n.Puzzle = Puzzle{Hard: hard, Strategy: n.Puzzle.Strategy}
	return n
}

// requestsKept is how many requests are remembered. Fronts deliver one again
// within seconds, before a player can ask for so much else.
const requestsKept = 20

// next returns the notes as they are to be committed by a request.
func (n Notes) next(r RequestID) Notes {
	n.Version++
	n.Requests = append(slices.Clone(n.Requests[max(0, len(n.Requests)-requestsKept+1):]), r)
	return n
}
