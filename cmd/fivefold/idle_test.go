package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestIdleInTheTerminal: a game in which nobody has moved for a day is over when the
// terminal starts again, unless that is off.
func TestIdleInTheTerminal(t *testing.T) {
	tuned := tuning
	store := "FIVEFOLD_STORE=bolt:" + filepath.Join(t.TempDir(), "test.db")
	began := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		later            time.Duration
		idle, says, want string
	}{
		{0, "", "/wordle start\nlakes\n", "5 guesses left"},
		{50 * time.Hour, "off", "/wordle board\n", "5 guesses left"},
		{25 * time.Hour, "25h1m", "/wordle board\n", "5 guesses left"},
		{25 * time.Hour, "", "/wordle board\n", "Given up\n"},
	} {
		tuned.Now = func() time.Time { return began.Add(test.later) }
		var out, errOut strings.Builder
		env := []string{store, "FIVEFOLD_IDLE=" + test.idle, "USER=ana", "HOME=" + t.TempDir()}
		if err := runWith(t.Context(), tuned, []string{"play"}, env, strings.NewReader(test.says), &out, &errOut); err != nil {
			t.Fatal(err, errOut.String())
		}
		if !strings.Contains(out.String(), test.want) || errOut.String() != "" {
			t.Errorf("after %v with %q: no %q in\n%s%s", test.later, test.idle, test.want, out.String(), errOut.String())
		}
	}
}
