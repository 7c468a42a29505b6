package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"fivefold/game/racetest"
)

// mustAsk types lines in the terminal's channel of a program that is started again
// each time, and returns what it answers.
func mustAsk(t *testing.T, data string, lines ...string) string {
	t.Helper()
	var out, errOut bytes.Buffer
	err := runWith(t.Context(), tuning, []string{"play"}, []string{"FIVEFOLD_DATA=" + data}, strings.NewReader(strings.Join(lines, "\n")), &out, &errOut)
	if err != nil || errOut.Len() > 0 {
		t.Fatalf("%v: %v, %s", lines, err, &errOut)
	}
	return out.String()
}

// TestPokleInTerminal plays a whole game of Pokle as somebody who follows every hint would, and
// starts the program again for each line.
func TestPokleInTerminal(t *testing.T) {
	if racetest.Enabled {
		t.Skip("lists all boards again for each line, which takes minutes; TestPokleGame of bot/commands plays one under the detector")
	}
	data := t.TempDir()
	if got := mustAsk(t, data, "/pokle start"); !strings.Contains(got, "A new game of Pokle") || !strings.Contains(got, "Player 3") || !strings.Contains(got, "6 attempts left.") {
		t.Fatalf("the start is answered by\n%s", got)
	}
	if got := mustAsk(t, data, "/pokle guess 2c 2c 3d 4h 5s"); !strings.Contains(got, "has the 2♣ twice") {
		t.Errorf("a card twice is answered by\n%s", got)
	}
	try := regexp.MustCompile(`Try ([^.]*)\.`)
	for n := 1; ; n++ {
		hint := try.FindStringSubmatch(mustAsk(t, data, "/pokle hint"))
		if hint == nil {
			t.Fatal("there is no hint")
		}
		got := mustAsk(t, data, "/pokle guess "+hint[1])
		if strings.Contains(got, "Won in") || strings.Contains(got, "Lost.") {
			for _, want := range []string{"The board was", "Hints: ", "/review game"} {
				if !strings.Contains(got, want) {
					t.Errorf("the end has no %q:\n%s", want, got)
				}
			}
			break
		}
		if n == 6 {
			t.Fatalf("after six guesses the answer is\n%s", got)
		}
	}
	got := mustAsk(t, data, "/pokle stats", "/review game", "/review list game:pokle", "/stats")
	if !regexp.MustCompile(`In all: skill (about )?\d+ · luck \d+\.`).MatchString(got) {
		t.Errorf("the game is not judged:\n%s", got)
	}
	for _, want := range []string{"Pokle: daily puzzles, ", "Game 1, ", "\nRiver ", "1. 20", "You have finished none here this month."} {
		if !strings.Contains(got, want) {
			t.Errorf("afterwards there is no %q:\n%s", want, got)
		}
	}
}
