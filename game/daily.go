package game

import (
	"crypto/hmac"
	"crypto/sha256"
	"math/rand/v2"
	"time"
)

// firstDay is the day of daily puzzle number 1. Days change at midnight UTC.
var firstDay = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Today returns the number of today's daily puzzle. By a wrong clock it can be below 1: there
// is no puzzle then.
func (m *Manager) Today() int { return DailyNumber(m.now()) }

// DailyNumber returns the number of the daily puzzle of a time.
func DailyNumber(at time.Time) int {
	const day = 24 * time.Hour
	return int(at.UTC().Truncate(day).Sub(firstDay)/day) + 1
}

// DailyMonth returns the month of the daily puzzle with a number, such as "2026-11".
func DailyMonth(number int) string { return DailyDate(number).Format("2006-01") }

// DailyDate returns when the daily puzzle with a number comes: at midnight UTC of its day.
func DailyDate(number int) time.Time { return firstDay.AddDate(0, 0, number-1) }

// pickByPuzzle returns a Pick for a puzzle: the same for the same secret, kind and
// puzzle, and unpredictable without the secret.
func pickByPuzzle(secret []byte, k Kind, p PuzzleID) Pick {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(string(k) + "\x00" + string(p)))
	return rand.New(rand.NewChaCha8([32]byte(mac.Sum(nil)))).IntN
}
