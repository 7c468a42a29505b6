package picture

import (
	"testing"
	"time"
)

// year returns a year up to 28 November with every kind of result.
func year() Year {
	y := Year{Card: card(), Name: "ana", Title: "Word game 2026", First: time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)}
	y.Figures = []Figure{{"281", "solved"}, {"3.71", "average"}, {"45", "best streak"}, {"Oct", "best month"}}
	y.Won, y.Latest = []int{1, 23, 101, 95, 44, 17}, 0
	for day := range 332 {
		r := DayResult{Guesses: 2 + (day*7+day/3+day*day%5)%5}
		switch (day*3 + day/7) % 23 {
		case 0:
			r.Lost = true
		case 3:
			r.Hints = 1
		case 7, 8:
			r = DayResult{}
		}
		if day > 200 && day < 214 {
			r = DayResult{}
		}
		y.Days = append(y.Days, r)
	}
	y.Days[77] = DayResult{Guesses: 1}
	return y
}

// TestYear compares a year with reviewed pictures.
func TestYear(t *testing.T) {
	golden(t, "testdata/year.png", year().Draw(false))
	full := year()
	full.First, full.Name = time.Date(2028, time.January, 1, 0, 0, 0, 0, time.UTC), "A very long name that has no room beside it"
	for len(full.Days) < 366 {
		full.Days = append(full.Days, full.Days[len(full.Days)-50])
	}
	golden(t, "testdata/year-contrast.png", full.Draw(true))
}

func TestYearAlt(t *testing.T) {
	y := year()
	y.Days = y.Days[:40]
	want := "Word game 2026, solved 281, average 3.71, best streak 45, best month Oct. Won in 1: 1, in 2: 23, in 3: 101, in 4: 95, in 5: 44, in 6: 17." +
		" January: 27 solved, 2 lost. February: 7 solved, 0 lost."
	if got := y.Alt(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func BenchmarkYear(b *testing.B) {
	for b.Loop() {
		b.ReportMetric(float64(len(year().Draw(false))), "bytes")
	}
}
