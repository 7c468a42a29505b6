package game

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// PuzzleID names a puzzle that several matches share, such as the puzzle of a day: all matches of a kind with the same PuzzleID
// have the same answer. It is empty for a match with a puzzle of its own.
type PuzzleID string

// dailyPrefix begins the ids of daily puzzles.
const dailyPrefix = "daily-"

// DailyPuzzle returns the id of the daily puzzle with a number, from 1.
func DailyPuzzle(number int) PuzzleID {
	return PuzzleID(dailyPrefix + strconv.Itoa(number))
}

// Daily reports whether the puzzle is a daily one, and returns its number.
func (p PuzzleID) Daily() (number int, ok bool) {
	text, ok := strings.CutPrefix(string(p), dailyPrefix)
	if !ok {
		return 0, false
	}
	number, err := strconv.Atoi(text)
	return number, err == nil && number > 0
}

// newspaperPrefix begins the ids of the newspaper's daily puzzles, of which players bring results along.
const newspaperPrefix = "newspaper-"

// NewspaperPuzzle returns the id of the newspaper's puzzle with a number, from 0.
func NewspaperPuzzle(number int) PuzzleID { return PuzzleID(newspaperPrefix + strconv.Itoa(number)) }

// newspaperDay is the day of the newspaper's puzzle number 0.
var newspaperDay = time.Date(2021, 6, 19, 0, 0, 0, 0, time.UTC)

// NewspaperNumber returns the number of the newspaper's puzzle of a time, in UTC.
func NewspaperNumber(at time.Time) int { return int(at.Sub(newspaperDay) / (24 * time.Hour)) }

// Day returns the number of a daily puzzle, ours or the newspaper's, and its month, such as "2026-11". For any other puzzle the month is
// empty.
func (p PuzzleID) Day() (number int, month string) {
	if number, ok := p.Daily(); ok {
		return number, DailyMonth(number)
	}
	text, ok := strings.CutPrefix(string(p), newspaperPrefix)
	if number, err := strconv.Atoi(text); ok && err == nil && number >= 0 {
		return number, newspaperDay.AddDate(0, 0, number).Format("2006-01")
	}
	return 0, ""
}

// firstDay is the day of daily puzzle number 1. Days change at midnight UTC.
var firstDay = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// DailyNumber returns the number of the daily puzzle of a time.
func DailyNumber(at time.Time) int {
	const day = 24 * time.Hour
	return int(at.UTC().Truncate(day).Sub(firstDay)/day) + 1
}

// DailyMonth returns the month of the daily puzzle with a number, such as "2026-11".
func DailyMonth(number int) string { return DailyDate(number).Format("2006-01") }

// DailyDate returns when the daily puzzle with a number comes: at midnight UTC of its day.
func DailyDate(number int) time.Time { return firstDay.AddDate(0, 0, number-1) }

// DailyCloses returns when the daily puzzle with a number closes: at midnight UTC, two days after it came. Players who have not
// finished it by then lose it.
func DailyCloses(number int) time.Time { return DailyDate(number + 2) }

// MonthCloses returns when a month of daily puzzles closes: together with its last puzzle. From then on nothing changes its
// tables.
func MonthCloses(month string) time.Time {
	first, _ := time.Parse("2006-01", month)
	return first.AddDate(0, 1, 1)
}

// OpenMonths returns the months that are not closed at a time: two on the first day of a month, else one.
func OpenMonths(at time.Time) []string {
	today := DailyNumber(at)
	return slices.Compact([]string{DailyMonth(today - 1), DailyMonth(today)})
}

// LastClosedMonth returns the latest month that is closed at a time.
func LastClosedMonth(at time.Time) string {
	yesterday := DailyDate(DailyNumber(at) - 1)
	return yesterday.AddDate(0, 0, -yesterday.Day()).Format("2006-01")
}
