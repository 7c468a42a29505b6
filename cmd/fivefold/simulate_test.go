package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// TestSimulateStopped: Ctrl-C leaves the file of an earlier run alone.
func TestSimulateStopped(t *testing.T) {
	t.Chdir(t.TempDir())
	mustWriteFile(t, "words", "batch\ncatch\nhatch\nmatch\nbrave\nslope\ncrane\ntrace\nslate\n", 0o600)
	mustWriteFile(t, "old.csv", "old", 0o600)
	ended, end := context.WithCancel(t.Context())
	end()
	var out, errOut bytes.Buffer
	err := runWith(ended, tuning, strings.Fields("simulate --answers words --guesses words --csv old.csv"), nil, strings.NewReader(""), &out, &errOut)
	if err == nil || err.Error() != "expected was stopped after 0 of 9 hidden words" || out.Len()+errOut.Len() > 0 {
		t.Errorf("%v, and %s%s", err, out.String(), errOut.String())
	}
	if got := mustRead(t, "old.csv"); got != "old" {
		t.Errorf("the table is now %q", got)
	}
}

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
			var got struct {
				Complete bool
				Of       int
				Average  float64
			}
			return json.Unmarshal([]byte(out), &got) == nil && !got.Complete && got.Of == 5 && got.Average == 0
		}},
	} {
		var out, errOut bytes.Buffer
		err := runWith(ended, tuning, strings.Fields("pokle simulate --deals 5 "+c.args), nil, strings.NewReader(""), &out, &errOut)
		if err == nil || err.Error() != "stopped after 0 of 5 deals" || !c.out(out.String()) || errOut.Len() > 0 {
			t.Errorf("%s: %v, and %s%s", name, err, out.String(), errOut.String())
		}
	}
}
