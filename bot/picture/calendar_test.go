package picture

import (
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

// sixKinds returns a calendar of six kinds, some with up to 13 guesses.
func sixKinds() Calendar {
	cal := month()
	cal.Kinds = append(cal.Kinds, "Duo", "Quad", "Octo", "Evil")
	for day, results := range cal.Days {
		for kind := range 4 {
			r := DayResult{Guesses: 1 + (day*7+kind*5)%13, Lost: (day*3+kind)%7 == 0, Hints: (day + kind) % 6 / 5}
			if (day+kind)%5 == 0 {
				r = DayResult{}
			}
			results = append(results, r)
		}
		cal.Days[day] = results
	}
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
	golden(t, "testdata/calendar-six.png", sixKinds().Draw(false))
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
		{"full", month(), "Guesses in daily puzzles, 19 October to today, 11 November 2026. Each day: Word game, Pokle. A star means hints. Mon 19 October: 3, 6. Tue 20: 2, 5. " +
			"Wed 21: not played, lost. Thu 22: 6, 3*. Fri 23: 5, 2. Sat 24: 4, 1. " +
			"Mon 26: lost, 5. Tue 27: 1*, lost*. Wed 28: 6, 3. " +
			"Thu 29: 5, 2. Fri 30: 4, 1. Sat 31: 3, 6. Sun 1 November: not played, lost. " +
			"Mon 2: 1, 4*. Tue 3: 6, 3. Wed 4: 5, 2. Thu 5: 4, 1. " +
			"Fri 6: lost, 6. Sat 7: 2*, not played. Sun 8: 1, 4. Mon 9: 6, 3. " +
			"Tue 10: 5, 2. Wed 11: 4, not played. Not played on 1 of 24 days."},
		{"few", few, "Guesses in daily puzzles, 19 October to today, 11 November 2026. Each day: Word game, Pokle. A star means hints. Tue 20 October: 4*, 5. " +
			"Tue 27: 1*, lost*. Thu 29: 5, 2. Wed 11 November: 4, not played. " +
			"Not played on 20 of 24 days."},
		{"none", none, "Guesses in daily puzzles, 19 October to today, 11 November 2026. Each day: Word game, Pokle. A star means hints. Not played on 24 of 24 days."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.cal.Alt(); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
