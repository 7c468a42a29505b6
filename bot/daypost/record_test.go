package daypost

import (
	"testing"
	"time"

	"fivefold/storage/record"
)

// TestRecord: what is stored must be read for ever, so no field may get another name.
func TestRecord(t *testing.T) {
	const want = `{"Format":1,"Value":{"Day":"2026-11-20","Reported":323,"Named":"2026-10","Since":"2026-11-19T08:00:01Z",` +
		`"Refused":{"Channel":"c","Begun":"2026-11-19T08:00:01Z","Since":"2026-11-20T08:00:01Z","Again":"2026-11-20T08:01:01Z","Why":"Unknown Channel"},` +
		`"Pending":{"Channel":"c","Day":"2026-11-20","From":322,"To":323,"At":"2026-11-20T08:00:01Z","Begun":"2026-11-19T08:00:01Z","Month":"2026-10","Role":"r","Message":"m"},` +
		`"Thread":{"Channel":"c","Day":"","From":0,"To":323,"At":"2026-11-20T08:00:01Z","Message":"m"},"NoThread":"Missing Permissions"}}`
	at := time.Date(2026, 11, 20, 8, 0, 1, 0, time.UTC)
	begun := at.AddDate(0, 0, -1)
	r := progress{"2026-11-20", 323, "2026-10", begun, refused{"c", begun, at, at.Add(time.Minute), "Unknown Channel"}, &post{"c", "2026-11-20", 322, 323, at, begun, "2026-10", "r", "m"},
		&post{Channel: "c", To: 323, At: at, Message: "m"}, "Missing Permissions"}
	if got, err := record.Encode(r); string(got) != want || err != nil {
		t.Errorf("it is stored as\n%s, %v, want\n%s", got, err, want)
	}
}
