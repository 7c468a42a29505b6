package main

import (
	"io"
	"strings"
	"testing"
)

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
