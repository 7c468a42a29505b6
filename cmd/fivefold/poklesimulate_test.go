package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// TestPokleSimulateStopped: Ctrl-C prints what was reached.
func TestPokleSimulateStopped(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for name, c := range map[string]struct {
		args string
		out  func(string) bool
	}{
		"text": {"", func(out string) bool { return out == "" }},
		"JSON": {"--json", func(out string) bool {
			var got dealsJSON
			return json.Unmarshal([]byte(out), &got) == nil && !got.Complete && got.Of == 5 && got.Average == 0
		}},
	} {
		var out, errOut bytes.Buffer
		err := runWith(ended, tuning, strings.Fields("pokle simulate --deals 5 "+c.args), nil, strings.NewReader(""), &out, &errOut)
		if err == nil || err.Error() != "stopped after 0 of 5 deals" || !c.out(out.String()) || errOut.Len() > 0 {
			t.Errorf("%s: %v, and %s%s", name, err, out.String(), errOut.String())
		}
	}

	// In the middle: those that were played to the end count.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d := dealRun{wanted: 1000, seed: 1}
	err := d.play(ctx, func(done, of int) {
		if of != 1000 {
			t.Errorf("%d of %d deals", done, of)
		}
		if done == 3 {
			cancel()
		}
	})
	if err != context.Canceled || len(d.played) < 3 || len(d.played) > 100 {
		t.Errorf("%d deals, %v", len(d.played), err)
	}
	for _, one := range d.played {
		if one.boards < 1 || one.guesses < 1 {
			t.Errorf("a deal that was not played: %+v", one)
		}
	}
}
