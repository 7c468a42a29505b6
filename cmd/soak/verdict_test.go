package main

import (
	"io"
	"strings"
	"testing"
	"time"
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
		v.slow(time.Now(), time.Now(), "slow to connect again", "after %d s", 12)
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

// TestHalted: what was slow does not count where this process did not run, and counts before and after that.
func TestHalted(t *testing.T) {
	at := time.Now()
	v := verdict{halts: []halt{{at, 400 * time.Millisecond}, {at.Add(time.Second), 200 * time.Millisecond}}}
	for seconds, want := range map[float64]int{-2: 1, -1.7: 0, -1: 0, 0.3: 0, 0.5: 1, 2: 1} {
		v.begin("faults")
		v.found = map[string]int{}
		from := at.Add(time.Duration(seconds * float64(time.Second)))
		if v.slow(from, from.Add(3*time.Second), "slow", "it was"); v.found["slow"] != want {
			t.Errorf("from %v s on: %d findings, want %d", seconds, v.found["slow"], want)
		}
	}
}

// TestSettle: an interaction whose player still waits is counted, if it is not answered, before what comes next.
func TestSettle(t *testing.T) {
	w, got := &world{}, make(chan int64, 1)
	w.hold.RLock() // an exchange
	go func() { got <- w.settle() }()
	for waits := false; !waits; {
		if len(got) > 0 {
			t.Fatal("it did not wait")
		}
		if waits = !w.hold.TryRLock(); !waits {
			w.hold.RUnlock()
		}
	}
	w.unanswered.Add(1)
	w.hold.RUnlock()
	if n := <-got; n != 1 {
		t.Errorf("%d were not answered", n)
	}
}
