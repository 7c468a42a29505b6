package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// transcript is a recording of a terminal, an asciicast.
type transcript struct {
	name, title   string
	columns, rows int
}

var transcripts = []transcript{
	{"80", "80 columns, with colours", 80, 24},
	{"120", "120 columns, with colours", 120, 40},
	{"40", "40 columns, with colours", 40, 20},
}

const transcriptFolder = "testdata/firstminutes"

// TestFirstMinutes plays the first minutes in three terminals, and compares every screen
// with the recordings. With -update it records them again.
func TestFirstMinutes(t *testing.T) {
	if racetest.Enabled {
		t.Skip("lists all boards, which takes minutes under the race detector")
	}
	for _, r := range transcripts {
		t.Run(r.name, func(t *testing.T) {
			file := filepath.Join(transcriptFolder, r.name+".cast")
			var want []string
			if !*update {
				want = r.read(t, file)
			}
			if got := r.play(t, want); *update {
				r.write(t, file, got)
			}
		})
	}
}

// play starts the program twice and types the steps. It returns what the recording has
// after each. It waits for what is wanted, if that is known.
func (r transcript) play(t *testing.T, want []string) (frames []string) {
	folder := t.TempDir()
	start := func() *screen {
		cmd := process(t, "play")
		cmd.Env = []string{beFirstMinutes + "=1"}
		cmd.Dir = folder
		return startOn(t, r.columns, r.rows, cmd, "USER=ana", "FIVEFOLD_DATA=games", "TERM=xterm-256color")
	}
	s := start()
	frame := func() string { return "\x1b[2J\x1b[H" + strings.ReplaceAll(s.coloured(), "\n", "\r\n") }
	record := func(typed, shown string) {
		t.Helper()
		switch n := len(frames); {
		case n < len(want):
			s.until(fmt.Sprintf("screen %d, after %q:\n%s\n", n, typed, want[n]), func() bool { return frame() == want[n] })
		case shown != "":
			s.until(fmt.Sprintf("%q", shown), func() bool { return strings.Contains(strings.Join(strings.Fields(frame()), " "), shown) })
			s.quiet()
		}
		frames = append(frames, frame())
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

// write keeps a recording in the second version of the asciicast format, see
// docs.asciinema.org/manual/asciicast/v2.
func (r transcript) write(t *testing.T, file string, frames []string) {
	t.Helper()
	header, err := json.Marshal(struct {
		Version int    `json:"version"`
		Width   int    `json:"width"`
		Height  int    `json:"height"`
		Title   string `json:"title"`
	}{2, r.columns, r.rows, "Fivefold: the first five minutes, " + r.title})
	if err != nil {
		t.Fatal(err)
	}
	text := string(header) + "\n"
	for i, f := range frames {
		event, err := json.Marshal([]any{i * 3, "o", f}) // three seconds to look at each
		if err != nil {
			t.Fatal(err)
		}
		text += string(event) + "\n"
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// read returns what a recording has after each step.
func (r transcript) read(t *testing.T, file string) []string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var frames []string
	lines := strings.Split(strings.TrimSpace(string(content)), "\n")
	for _, line := range lines[1:] {
		var event []any
		if err := json.Unmarshal([]byte(line), &event); err != nil || len(event) != 3 {
			t.Fatalf("%s has %q, %v", file, line, err)
		}
		frames = append(frames, event[2].(string))
	}
	if len(frames) != len(firstSteps)+1 {
		t.Fatalf("%s has %d screens, want %d; record it again", file, len(frames), len(firstSteps)+1)
	}
	return frames
}
