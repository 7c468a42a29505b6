package main

import (
	"bytes"
	"context"
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
	err := runWith(ended, tuning, strings.Fields("simulate --answers words --guesses words --csv old.csv --overwrite"), nil, strings.NewReader(""), &out, &errOut)
	if err == nil || err.Error() != "expected was stopped after 0 of 9 hidden words" || out.Len()+errOut.Len() > 0 {
		t.Errorf("%v, and %s%s", err, out.String(), errOut.String())
	}
	if got := mustRead(t, "old.csv"); got != "old" {
		t.Errorf("the table is now %q", got)
	}
}
