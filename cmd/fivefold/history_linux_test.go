package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestHistoryInTerminal: for a person in a terminal, a replay waits for Enter and clearing
// asks.
func TestHistoryInTerminal(t *testing.T) {
	folder := t.TempDir()
	words := filepath.Join(folder, "words.txt")
	if err := os.WriteFile(words, []byte("crane\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	env := []string{"HOME=" + folder, "USER=ana", "TERM=xterm", "NO_COLOR=1", "FIVEFOLD_ANSWERS=" + words}
	play := process(t, "play")
	play.Env = append(play.Env, env...)
	play.Stdin = strings.NewReader("/wordle start\n/guess slate\n/guess crane\n")
	if out, err := play.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const next = "Enter shows the next step, q ends."

	s := startOn(t, 80, 24, process(t, "history", "1"), env...)
	for _, step := range []string{"step 0 of 2", "ana guessed SLATE"} {
		s.shows(step)
		s.shows(next)
		s.typed("\r")
	}
	s.shows("[C][R][A][N][E]", "Won in 2 of 6!")
	s.ends()
	if strings.ContainsAny(s.raw.String(), "🔳🟨🟩") {
		t.Errorf("there are squares, without colours, in\n%s", s.raw.String())
	}

	for name, leave := range map[string]func(*screen){
		"q":            func(s *screen) { s.typed("q\r") },
		"end of input": func(s *screen) { s.typed("\x04") },
		"a signal": func(s *screen) {
			if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := startOn(t, 80, 24, process(t, "history", "1"), env...)
			s.shows(next)
			leave(s)
			s.ends()
		})
	}

	for _, c := range []struct{ typed, want string }{
		{"no\r", "Nothing was changed."},
		{"\x04", "Nothing was changed."},
		{"Yes\r", "The history of ana is cleared."},
	} {
		s := startOn(t, 80, 24, process(t, "history", "clear", "ana"), env...)
		s.shows("Type yes to do it:")
		s.typed(c.typed)
		s.shows(c.want)
		s.ends()
	}
}
