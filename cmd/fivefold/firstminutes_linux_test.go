package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"fivefold/game/racetest"
)

// firstSteps are what somebody types in the first minutes, and what the answer has.
var firstSteps = []struct{ typed, shown string }{
	{"/help\r", "Find the hidden"},
	{"crane\r", "A new game"},
	{"/gues favor\r", "Do you mean"},
	{"yes\r", "4 attempts left"},
	{"/wordle s\t", "/wordle stop"},
	{ctrlC + "major\r", "found by ana"},
	{"/pokle start\r", "A new game of Pokle"},
	{"2c 3d 10h 5c ks\r", "5 attempts left"},
	{"/wordle start daily\r", "Daily puzzle 326"},
	{"/wordle stop\r", "Stop daily puzzle 326?"},
	{"no\r", "Nothing was changed."},
	{"/quit\r", ""},
	{"", "Welcome"}, // the program is started again
	{"/quit\r", ""},
}

// TestFirstMinutes plays the first minutes in terminals of three sizes, and compares every screen
// with the recordings. With -update it records them again.
func TestFirstMinutes(t *testing.T) {
	if racetest.Enabled {
		t.Skip("lists all boards, which takes minutes under the race detector")
	}
	for _, size := range [][2]int{{40, 20}, {80, 24}, {120, 40}} {
		t.Run(fmt.Sprint(size[0]), func(t *testing.T) {
			t.Parallel()
			file := fmt.Sprintf("testdata/firstminutes/%d.json", size[0])
			var want []string
			if !*update {
				if err := json.Unmarshal([]byte(mustRead(t, file)), &want); err != nil || len(want) != len(firstSteps)+1 {
					t.Fatalf("%s has %d screens, %v; record it again", file, len(want), err)
				}
			}
			got := playFirstMinutes(t, size[0], size[1], want)
			if *update {
				text, err := json.MarshalIndent(got, "", " ")
				if err != nil {
					t.Fatal(err)
				}
				mustWriteFile(t, file, string(text)+"\n", 0o644)
			}
		})
	}
}

// playFirstMinutes starts the program twice and types the steps. It returns the screen after each, and
// waits for what is wanted, if that is known.
func playFirstMinutes(t *testing.T, columns, rows int, want []string) (frames []string) {
	folder := t.TempDir()
	start := func() *screen {
		cmd := process(t, "play")
		cmd.Env = []string{beFirstMinutes + "=1"}
		cmd.Dir = folder
		return startOn(t, columns, rows, cmd, "USER=ana", "FIVEFOLD_DATA=games", "TERM=xterm-256color")
	}
	s := start()
	record := func(typed, shown string) {
		t.Helper()
		switch n := len(frames); {
		case n < len(want):
			s.until(fmt.Sprintf("screen %d, after %q:\n%s\n", n, typed, want[n]), func() bool { return s.coloured() == want[n] })
		case shown != "":
			s.until(fmt.Sprintf("%q", shown), func() bool { return strings.Contains(strings.Join(strings.Fields(s.coloured()), " "), shown) })
			s.quiet()
		}
		frames = append(frames, s.coloured())
	}
	record("", "Welcome")
	for _, step := range firstSteps {
		if step.typed == "" {
			s = start()
		}
		s.typed(step.typed)
		if step.typed == "/quit\r" {
			s.ends()
		}
		record(step.typed, step.shown)
	}
	return frames
}

// quiet waits until nothing more comes for a while: only for a recording, which is looked
// at before it is kept.
func (s *screen) quiet() {
	for {
		select {
		case b := <-s.output:
			s.read(b)
		case <-time.After(time.Second):
			return
		}
	}
}
