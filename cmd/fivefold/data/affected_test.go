package data

import (
	"fmt"
	"strings"
	"testing"

	"fivefold/storage/check"
)

// TestAffectedLines: however much is affected, the table has twenty lines at most, and says how much it leaves out.
func TestAffectedLines(t *testing.T) {
	for n, want := range map[int]struct {
		lines int
		more  string
	}{0: {0, ""}, 1: {2, ""}, 19: {20, ""}, 20: {20, "… and 2 more"}, 500: {20, "… and 482 more"}} {
		var all []check.Affected
		for i := range n {
			all = append(all, check.Affected{Game: fmt.Sprint("game ", i)})
		}
		var b strings.Builder
		printAffected(&b, all)
		if got := b.String(); strings.Count(got, "\n") != want.lines || !strings.Contains(got, want.more) || n > 0 && !strings.Contains(got, "\ngame 0 ") {
			t.Errorf("%d affected: want %d lines, %q:\n%s", n, want.lines, want.more, got)
		}
	}
}
