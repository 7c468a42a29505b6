package main

import (
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
