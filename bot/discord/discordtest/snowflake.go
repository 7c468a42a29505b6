package discordtest

import (
	"strconv"
	"time"
)

// discordEpoch is the first millisecond of 2015, from which Discord's ids count.
const discordEpoch = 1420070400000

// snowflakes makes ids that carry the time at which they were made, as
// Discord's do, each greater than the one before.
type snowflakes struct {
	now  func() time.Time
	last int64
}

func (f *snowflakes) next() string {
	id := (f.now().UnixMilli() - discordEpoch) << 22
	if id <= f.last {
		id = f.last + 1
	}
	f.last = id
	return strconv.FormatInt(id, 10)
}

// madeAt is the time in an id: 2015 for the short ids that tests make up.
func madeAt(id string) time.Time {
	n, _ := strconv.ParseInt(id, 10, 64) // ids that a test made up may say anything
	return time.UnixMilli(n>>22 + discordEpoch)
}

// isSnowflake reports whether s looks like an id: digits only, no leading zero.
func isSnowflake(s string) bool {
	n, err := strconv.ParseUint(s, 10, 64)
	return err == nil && strconv.FormatUint(n, 10) == s
}

// timeOf is the time in an id, as Discord writes times.
func timeOf(id string) string { return madeAt(id).UTC().Format("2006-01-02T15:04:05.000000-07:00") }
