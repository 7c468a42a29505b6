package main

import (
	"strings"
	"testing"
)

// TestExplainInColour: on a terminal, feedback is the guess in coloured tiles.
func TestExplainInColour(t *testing.T) {
	s := inTerminal(t, []string{"explain", "favor", "--after", "slate:bbybb", "--after", "crony:byybb"}, "")
	s.shows("feedback         words", " F [A] V [O][R]  2      MAJOR RAZOR")
	if text := s.coloured(); !strings.Contains(text, "\x1b[0;1;97;100m F \x1b[0;1;30;42m[A]") {
		t.Errorf("the tiles have no colours:\n%q", text)
	}
	s.ends()
	plain := inTerminal(t, []string{"explain", "favor", "--after", "slate:bbybb"}, "", "NO_COLOR=1")
	plain.shows("feedback  words", "BGBBB     36     BAGGY")
	plain.ends()
}
