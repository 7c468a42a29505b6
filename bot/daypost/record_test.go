package daypost

import (
	"testing"
	"time"

	"fivefold/storage/record"
)

// TestRecord: what is stored must be read for ever, so no field may get another name.
func TestRecord(t *testing.T) {
	const want = `{"Format":1,"Value":{"Channel":"c","Hour":9,"Zone":"Europe/Berlin","Due":"2026-11-21T08:00:00Z","Day":"2026-11-20","Reported":323,"Named":"2026-10",` +
		`"Refused":"2026-11-20T08:00:01Z","Why":"Unknown Channel","Pending":{"Channel":"c","Day":"2026-11-20","From":322,"To":323,"At":"2026-11-20T08:00:01Z","Month":"2026-10"}}}`
	at := time.Date(2026, 11, 20, 8, 0, 1, 0, time.UTC)
	r := schedule{"c", 9, "Europe/Berlin", time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), "2026-11-20", 323, "2026-10", at, "Unknown Channel", &post{"c", "2026-11-20", 322, 323, at, "2026-10"}}
	if got, err := record.Encode(r); string(got) != want || err != nil {
		t.Errorf("it is stored as\n%s, %v, want\n%s", got, err, want)
	}
}
