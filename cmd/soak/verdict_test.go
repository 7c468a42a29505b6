package main

import (
	"io"
	"strings"
	"testing"
)

// TestViolations: answers may come too late or too early, and nothing else may be refused.
func TestViolations(t *testing.T) {
	for text, want := range map[string]int{
		"POST /callback: 10062 Unknown interaction":                    0,
		"POST /webhooks/1/t: 0 this bot edits what it has deferred":    0,
		"PATCH /channels/1/messages/2: 50001 Missing Access":           1,
		"mentions: POST /callback: allowed_mentions has no parse list": 1,
	} {
		v := verdict{untimed: true}
		v.begin("violations")
		if v.violation(text); len(v.found) != want {
			t.Errorf("%q: %v", text, v.found)
		}
	}
}

// TestUntimed: what was slow fails only a run that judges times; what was lost fails both.
func TestUntimed(t *testing.T) {
	for _, untimed := range []bool{false, true} {
		v := verdict{untimed: untimed}
		v.begin("faults")
		v.slow("slow to connect again", "after %d s", 12)
		if well := v.conclude(io.Discard, 1); well != untimed {
			t.Errorf("untimed %t: all is well is %t", untimed, well)
		}
		var out strings.Builder
		v.print(&out)
		if text := out.String(); !strings.Contains(text, "slow to connect again") || !strings.Contains(text, "after 12 s") {
			t.Errorf("untimed %t: it prints\n%s", untimed, text)
		}
		v.finding(lost, "a guess")
		if v.conclude(io.Discard, 1) {
			t.Errorf("untimed %t: all is well though a guess was lost", untimed)
		}
	}
}
