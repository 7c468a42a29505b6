package daypost

import (
	"testing"
	"time"

	"fivefold/bot/settings"
)

// TestChangeDays: on the days around both changes of summer time, each local date gets one post, within an hour of its hour, and
// on that date.
func TestChangeDays(t *testing.T) {
	for zone, changes := range map[string][]string{
		"Europe/Berlin":       {"2026-03-29", "2026-10-25"},
		"America/New_York":    {"2026-03-08", "2026-11-01"},
		"Pacific/Auckland":    {"2026-04-05", "2026-09-27"},
		"Australia/Lord_Howe": {"2026-04-05", "2026-10-04"}, // by half an hour
		"Africa/Cairo":        {"2026-04-24", "2026-10-29"}, // at midnight
	} {
		in, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 24 * len(changes) {
			change, err := time.Parse(time.DateOnly, changes[n/24])
			if err != nil {
				t.Fatal(err)
			}
			chosen := settings.Settings{PostChannel: "c", PostHour: n % 24, PostZone: zone}
			r, days := progress{Day: change.AddDate(0, 0, -3).Format(time.DateOnly)}, map[string]int{}
			for now := change.Add(-48 * time.Hour); now.Before(change.Add(72 * time.Hour)); now = now.Add(5 * time.Minute) {
				day, due := r.next(chosen, now)
				if !due {
					continue
				}
				r.Day = day
				days[r.Day]++
				if late := now.In(in).Hour() - chosen.PostHour; r.Day != now.In(in).Format(time.DateOnly) || len(days) > 1 && (late < -1 || late > 1) {
					t.Errorf("%s at %d: a post for %s came at %v", zone, chosen.PostHour, r.Day, now.In(in))
				}
			}
			for more := range 3 {
				if day := change.AddDate(0, 0, more-1).Format(time.DateOnly); days[day] != 1 {
					t.Errorf("%s at %d: %d posts on %s", zone, chosen.PostHour, days[day], day)
				}
			}
		}
	}
}
