package game

import (
	"strconv"
	"strings"
)

// PuzzleID names a puzzle that several matches share, such as the puzzle of a day: all
// matches of a kind with the same PuzzleID have the same answer. It is empty for a
// match with a puzzle of its own.
type PuzzleID string

// dailyPrefix begins the ids of daily puzzles.
const dailyPrefix = "daily-"

// DailyPuzzle returns the id of the daily puzzle with a number, from 1.
func DailyPuzzle(number int) PuzzleID {
	return PuzzleID(dailyPrefix + strconv.Itoa(number))
}

// racePrefix begins the ids of races, which are those of their puzzles too.
const racePrefix = "race-"

// Daily reports whether it is a daily puzzle, and returns its number.
func (p PuzzleID) Daily() (number int, ok bool) {
	text, ok := strings.CutPrefix(string(p), dailyPrefix)
	if !ok {
		return 0, false
	}
	number, err := strconv.Atoi(text)
	return number, err == nil && number > 0
}
