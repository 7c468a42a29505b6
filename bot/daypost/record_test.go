package daypost

import (
	"encoding/json"
	"testing"
	"time"
)

// TestRecord: what is stored must be read for ever, so no field may get another name.
func TestRecord(t *testing.T) {
	const want = `{"format":1,"channel":"c","hour":9,"zone":"Europe/Berlin","due":"2026-11-21T08:00:00Z","day":"2026-11-20","reported":323,"named":"2026-10",` +
		`"refused":"2026-11-20T08:00:01Z","why":"Unknown Channel","pending":{"channel":"c","day":"2026-11-20","From":322,"To":323,"at":"2026-11-20T08:00:01Z","month":"2026-10"}}`
	at := time.Date(2026, 11, 20, 8, 0, 1, 0, time.UTC)
	r := record{1, "c", 9, "Europe/Berlin", time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), "2026-11-20", 323, "2026-10", at, "Unknown Channel", &post{"c", "2026-11-20", 322, 323, at, "2026-10"}}
	if got, err := json.Marshal(r); string(got) != want || err != nil {
		t.Errorf("it is stored as\n%s, %v, want\n%s", got, err, want)
	}
}
