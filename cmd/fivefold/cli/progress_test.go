package cli

import (
	"testing"
	"time"
)

func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		took     time.Duration
		done, of int
		want     string
	}{
		{10 * time.Second, 1, 3, "20s"},
		{10 * time.Second, 3, 4, "4s"}, // rounded up
		{time.Second, 1, 61, "1m"},
		{time.Second, 2, 121, "1m"},
		{time.Second, 1, 62, "2m"},
		{time.Minute, 1, 121, "2h0m"},
		{time.Minute, 5, 5, "0s"},
	} {
		if got := timeLeft(c.took, c.done, c.of); got != c.want {
			t.Errorf("%v for %d of %d: %s left, want %s", c.took, c.done, c.of, got, c.want)
		}
	}
}
