package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// simulateIn runs the subcommand in the folder, where a file words.txt is both
// lists, and returns what it prints.
func simulateIn(ctx context.Context, t *testing.T, folder string, args ...string) (string, error) {
	t.Helper()
	words := filepath.Join(folder, "words.txt")
	if err := os.WriteFile(words, []byte("batch\ncatch\nhatch\nmatch\nbrave\nslope\ncrane\ntrace\nslate\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errOut bytes.Buffer
	err := runWith(ctx, tuning, append([]string{"simulate", "--answers", words, "--guesses", words}, args...), nil, strings.NewReader(""), &out, &errOut)
	if errOut.Len() > 0 {
		t.Errorf("on standard error: %s", errOut.String())
	}
	return out.String(), err
}

// TestSimulateStopped: Ctrl-C prints the results so far and how to continue, and leaves
// the files of an earlier run alone.
func TestSimulateStopped(t *testing.T) {
	folder := t.TempDir()
	checkpoint, table := filepath.Join(folder, "run.jsonl"), filepath.Join(folder, "all.csv")
	if _, err := simulateIn(t.Context(), t, folder, "--checkpoint", checkpoint, "--csv", table); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	if err := os.WriteFile(checkpoint, bytes.Join(lines[:3], nil), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out, err := simulateIn(ctx, t, folder, "--checkpoint", checkpoint, "--csv", table)
	if err == nil || !strings.Contains(err.Error(), " of 9 hidden words; the same command continues from "+checkpoint+"\nno file was written") ||
		!strings.Contains(out, "expected, games by guesses") {
		t.Errorf("%v, and\n%s", err, out)
	}
	out, err = simulateIn(ctx, t, folder, "--checkpoint", checkpoint, "--json")
	var stopped struct{ Strategies []struct{ Complete bool } }
	if json.Unmarshal([]byte(out), &stopped) != nil || len(stopped.Strategies) != 1 || stopped.Strategies[0].Complete || err == nil {
		t.Errorf("%v, and\n%s", err, out)
	}
	if got, err := os.ReadFile(table); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the table is now\n%s (%v)", got, err)
	}
	out, err = simulateIn(t.Context(), t, folder, "--checkpoint", checkpoint, "--csv", table)
	if err != nil || !strings.Contains(out, " games are from ") {
		t.Errorf("going on: %v, and\n%s", err, out)
	}
	if got, err := os.ReadFile(table); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the table is now\n%s (%v), want\n%s", got, err, want)
	}

	out, err = simulateIn(ctx, t, folder)
	if out != "" || err == nil || err.Error() != "expected was stopped after 0 of 9 hidden words; with --checkpoint it could be continued" {
		t.Errorf("at once: %v, and\n%s", err, out)
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
