package main

import (
	"io"
	"strings"
	"testing"
	"time"
)

func TestKeepTime(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]time.Duration{"": 0, "7d": 7 * day, "365d": 365 * day, "36500d": 36_500 * day, "168h": 7 * day, "720h30m": 30*day + 30*time.Minute} {
		if got, err := keepTime(text); got != want || err != nil {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"6d", "0", "0d", "-7d", "167h", "36501d", "99999999999999999999d", "d", "7", "1y", "365 d", "7.5d", "for ever"} {
		if got, err := keepTime(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

func TestIdleTime(t *testing.T) {
	for text, want := range map[string]time.Duration{"": 24 * time.Hour, "off": 0, "1m": time.Minute, "90m": 90 * time.Minute, "720h": 720 * time.Hour} {
		if got, err := idleTime(text); got != want || err != nil {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"0", "59s", "-24h", "24", "1d", "Off", "never"} {
		if got, err := idleTime(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// TestSettingsExit: a setting that is wrong is wrong use, and no reason to start again; a file
// that cannot be read may be there next time.
func TestSettingsExit(t *testing.T) {
	for _, c := range []struct {
		args, environ string
		code          int
	}{
		{"bot", "", exitWrongUse}, // without a token
		{"bot", "DISCORD_TOKEN=x FIVEFOLD_LOG=xml", exitWrongUse},
		{"play", "FIVEFOLD_LOG_LEVEL=loud", exitWrongUse},
		{"play", "FIVEFOLD_ANSWERS=missing", exitFailure},
		{"play", "FIVEFOLD_ANSWERS=missing FIVEFOLD_LOG=xml", exitFailure},
	} {
		folder := t.TempDir()
		t.Chdir(folder)
		environ := append(strings.Fields(c.environ), "HOME="+folder)
		err := run(t.Context(), strings.Fields(c.args), environ, strings.NewReader(""), io.Discard, io.Discard)
		if got := exitCode(err); got != c.code {
			t.Errorf("%s with %s: exit code %d, want %d: %v", c.args, c.environ, got, c.code, err)
		}
	}
}
