package main

import "testing"

// TestExplainInColour: on a terminal, feedback is the guess in coloured tiles.
func TestExplainInColour(t *testing.T) {
	screen := startInTerminal(t, []string{"explain", "favor", "--after", "slate:bbybb", "--after", "crony:byybb"}, "TERM=xterm")
	screen.waitFor("feedback         words")
	screen.waitFor("\x1b[1;97;100m F \x1b[0m\x1b[1;30;42m[A]\x1b[0m\x1b[1;97;100m V \x1b[0m\x1b[1;30;42m[O]\x1b[0m\x1b[1;30;42m[R]\x1b[0m  2      MAJOR RAZOR")
	if err := screen.cmd.Wait(); err != nil {
		t.Error(err)
	}
	plain := startInTerminal(t, []string{"explain", "favor", "--after", "slate:bbybb"}, "TERM=xterm", "NO_COLOR=1")
	plain.waitFor("feedback  words")
	plain.waitFor("BGBBB     36     BAGGY")
}
