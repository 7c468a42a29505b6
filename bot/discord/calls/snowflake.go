package calls

import (
	"strconv"
	"time"
)

// IsSnowflake reports whether a text has the form of Discord's ids. Such a text can be part of a path unescaped.
func IsSnowflake(id string) bool {
	for _, c := range id {
		if c < '0' || c > '9' {
			return false
		}
	}
	return id != "" && len(id) <= 20
}

// IsLater reports whether an id is younger than another one.
func IsLater(id, other string) bool {
	return len(id) > len(other) || len(id) == len(other) && id > other
}

// epoch is the beginning of the times in ids, in milliseconds of Unix time.
const epoch = 1420070400000

// Made returns when something was made, by Discord's clock: its id holds that. See
// discord.com/developers/docs/reference#snowflakes.
func Made(id string) time.Time {
	n, _ := strconv.ParseUint(id, 10, 64) // the greatest number for an id that is too great
	return time.UnixMilli(int64(n>>22) + epoch).UTC()
}
