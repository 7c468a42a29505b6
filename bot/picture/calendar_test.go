package picture

import (
	"strings"
	"testing"
	"time"
)

// month returns a calendar with every kind of result, and the start of a month.
func month() Calendar {
	cal := Calendar{Kinds: []string{"Word game", "Pokle"}, Today: time.Date(2026, time.November, 11, 0, 0, 0, 0, time.UTC)}
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

// TestCalendar compares calendars with reviewed pictures: weeks begin on Monday, and there are as many as there are days.
func TestCalendar(t *testing.T) {
	short := month()
	short.Days = short.Days[CalendarDays-5:]
	golden(t, "testdata/calendar-standard.png", month().Draw(false))
	sunday := month()
	sunday.Today = sunday.Today.AddDate(0, 0, 4)
	golden(t, "testdata/calendar-contrast.png", sunday.Draw(true))
	golden(t, "testdata/calendar-short.png", short.Draw(false))
}

func TestCalendarAlt(t *testing.T) {
	few := month()
	for day := range CalendarDays {
		if day != 5 && day != 14 && day != 12 && day != 27 {
			few.Days[day] = make([]DayResult, 2)
		}
	}
	few.Days[5][0] = DayResult{Guesses: 4, Hints: 1}
	none := month()
	none.Days = make([][]DayResult, CalendarDays)
	for _, c := range []struct {
		name string
		cal  Calendar
		want string
	}{
		{"full", month(), "Guesses in daily puzzles, 19 October to today, 11 November 2026. Mon 19 October: Word game 3, Pokle 6. Tue 20: Word game 2, Pokle 5. " +
			"Wed 21: Pokle lost. Thu 22: Word game 6, Pokle 3 with 2 hints. Fri 23: Word game 5, Pokle 2. Sat 24: Word game 4, Pokle 1. " +
			"Mon 26: Word game lost, Pokle 5. Tue 27: Word game 1 with 2 hints, Pokle lost with a hint. Wed 28: Word game 6, Pokle 3. " +
			"Thu 29: Word game 5, Pokle 2. Fri 30: Word game 4, Pokle 1. Sat 31: Word game 3, Pokle 6. Sun 1 November: Pokle lost. " +
			"Mon 2: Word game 1, Pokle 4 with 2 hints. Tue 3: Word game 6, Pokle 3. Wed 4: Word game 5, Pokle 2. Thu 5: Word game 4, Pokle 1. " +
			"Fri 6: Word game lost, Pokle 6. Sat 7: Word game 2 with 2 hints. Sun 8: Word game 1, Pokle 4. Mon 9: Word game 6, Pokle 3. " +
			"Tue 10: Word game 5, Pokle 2. Wed 11: Word game 4. Not played on 1 of 24 days."},
		{"few", few, "Guesses in daily puzzles, 19 October to today, 11 November 2026. Tue 20 October: Word game 4 with a hint, Pokle 5. " +
			"Tue 27: Word game 1 with 2 hints, Pokle lost with a hint. Thu 29: Word game 5, Pokle 2. Wed 11 November: Word game 4. " +
			"Not played on 20 of 24 days."},
		{"none", none, "Guesses in daily puzzles, 19 October to today, 11 November 2026. Not played on 24 of 24 days."},
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
	start := "Guesses in daily puzzles, 7 September to today, 3 October 2026. Each day: A long name, Pokle. A star means hints. " +
		"Mon 7 September: lost*, not played. Tue 8: lost*, not played. "
	end := " Wed 30: lost*, not played. Thu 1 October: lost*, not played. Fri 2: lost*, not played. Sat 3: lost*, not played."
	if len(got) > maxAlt || !strings.HasPrefix(got, start) || !strings.HasSuffix(got, end) {
		t.Errorf("got %d bytes: %s", len(got), got)
	}
}
