package main

import (
	"strings"
	"testing"
)

// TestKills: what was acknowledged survives kills of the real program.
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("the program that it builds is built without the race detector")
	}
	var out strings.Builder
	well, err := run(t.Context(), strings.Fields("--only file/kill --for 3s"), &out)
	t.Logf("%s", out.String())
	if err != nil || !well || !strings.Contains(out.String(), "kill:") {
		t.Errorf("all is well: %t, %v", well, err)
	}
}
