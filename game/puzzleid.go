package game

import (
	"strconv"
	"strings"
	"time"
)

// PuzzleID names a puzzle that several matches share, such as the puzzle of a day: all
// matches of a kind with the same PuzzleID have the same answer. It is empty for a
// match whose puzzle is its own.
type PuzzleID string

// dailyPrefix begins the names of daily puzzles.
const dailyPrefix = "daily-"

// firstDay is the day of daily puzzle number 1. Days are those of UTC.
var firstDay = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// DailyPuzzle returns the name of the daily puzzle with a number, from 1.
func DailyPuzzle(number int) PuzzleID {
	return PuzzleID(dailyPrefix + strconv.Itoa(number))
}

// Daily reports whether it is a daily puzzle, and returns its number.
func (p PuzzleID) Daily() (number int, ok bool) {
	text, ok := strings.CutPrefix(string(p), dailyPrefix)
	if !ok {
		return 0, false
	}
	number, err := strconv.Atoi(text)
	return number, err == nil && number > 0
}

// Today returns the number of today's daily puzzle.
func (m *Manager) Today() int {
	return int(m.now().Sub(firstDay)/(24*time.Hour)) + 1
}
