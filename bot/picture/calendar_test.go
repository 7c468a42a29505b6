package picture

import (
	"strings"
	"testing"
	"time"
)

// month returns a calendar with every kind of result, and the start of a month.
func month() Calendar {
	cal := Calendar{Kinds: []string{"Word game", "Pokle"}, Today: time.Date(2026, time.November, 25, 0, 0, 0, 0, time.UTC)}
	for day := range CalendarDays {
		var results []DayResult
		for kind := range cal.Kinds {
			r := DayResult{Guesses: 1 + (day*5+kind*3)%6}
			switch (day*3 + kind*4) % 11 {
			case 0:
				r.Lost = true
			case 3:
				r.Hints = 2
			case 7:
				r = DayResult{}
			}
			results = append(results, r)
		}
		cal.Days = append(cal.Days, results)
	}
	cal.Days[10] = make([]DayResult, 2)
	cal.Days[12][1] = DayResult{Guesses: 6, Lost: true, Hints: 1}
	cal.Days[CalendarDays-1][1] = DayResult{}
	return cal
}

// TestCalendar compares calendars with reviewed pictures. With fewer days, the earlier places are empty.
func TestCalendar(t *testing.T) {
	short := month()
	short.Days = short.Days[CalendarDays-3:]
	golden(t, "testdata/calendar-standard.png", month().Draw(false))
	golden(t, "testdata/calendar-contrast.png", month().Draw(true))
	golden(t, "testdata/calendar-short.png", short.Draw(false))
}

func TestCalendarAlt(t *testing.T) {
	few := month()
	for day := range CalendarDays {
		if day != 2 && day != 3 && day != 12 && day != 27 {
			few.Days[day] = make([]DayResult, 2)
		}
	}
	few.Days[2][0] = DayResult{Guesses: 4, Hints: 1}
	none := month()
	none.Days = make([][]DayResult, CalendarDays)
	for _, c := range []struct {
		name string
		cal  Calendar
		want string
	}{
		{"full", month(), "Guesses in daily puzzles, 29 October to today, 25 November 2026. Thu 29 October: Word game lost, Pokle 4. Fri 30: Word game 6 with 2 hints. " +
			"Sat 31: Word game 5, Pokle 2. Sun 1 November: Word game 4, Pokle 1. Mon 2: Word game 3, Pokle 6. Tue 3: Word game 2, Pokle 5. Wed 4: Pokle lost. " +
			"Thu 5: Word game 6, Pokle 3 with 2 hints. Fri 6: Word game 5, Pokle 2. Sat 7: Word game 4, Pokle 1. Mon 9: Word game lost, Pokle 5. " +
			"Tue 10: Word game 1 with 2 hints, Pokle lost with a hint. Wed 11: Word game 6, Pokle 3. Thu 12: Word game 5, Pokle 2. " +
			"Fri 13: Word game 4, Pokle 1. Sat 14: Word game 3, Pokle 6. Sun 15: Pokle lost. Mon 16: Word game 1, Pokle 4 with 2 hints. " +
			"Tue 17: Word game 6, Pokle 3. Wed 18: Word game 5, Pokle 2. Thu 19: Word game 4, Pokle 1. Fri 20: Word game lost, Pokle 6. " +
			"Sat 21: Word game 2 with 2 hints. Sun 22: Word game 1, Pokle 4. Mon 23: Word game 6, Pokle 3. Tue 24: Word game 5, Pokle 2. " +
			"Wed 25: Word game 4. Not played on 1 of 28 days."},
		{"few", few, "Guesses in daily puzzles, 29 October to today, 25 November 2026. Sat 31 October: Word game 4 with a hint, Pokle 2. " +
			"Sun 1 November: Word game 4, Pokle 1. Tue 10: Word game 1 with 2 hints, Pokle lost with a hint. Wed 25: Word game 4. Not played on 24 of 28 days."},
		{"none", none, "Guesses in daily puzzles, 29 October to today, 25 November 2026. Not played on 28 of 28 days."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.cal.Alt(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestCalendarAltFits: the names of the kinds are listed once if they take too much room in each result.
func TestCalendarAltFits(t *testing.T) {
	cal := month()
	cal.Kinds[0] = "A long name"
	cal.Today = time.Date(2026, time.October, 3, 0, 0, 0, 0, time.UTC)
	for day := range cal.Days {
		cal.Days[day] = []DayResult{{Lost: true, Hints: 12}, {}}
	}
	got := cal.Alt()
	start := "Guesses in daily puzzles, 6 September to today, 3 October 2026. Each day: A long name, Pokle. A star means hints. " +
		"Sun 6 September: lost*, not played. Mon 7: lost*, not played. "
	end := " Wed 30: lost*, not played. Thu 1 October: lost*, not played. Fri 2: lost*, not played. Sat 3: lost*, not played."
	if len(got) > maxAlt || !strings.HasPrefix(got, start) || !strings.HasSuffix(got, end) {
		t.Errorf("got %d bytes: %s", len(got), got)
	}
}
