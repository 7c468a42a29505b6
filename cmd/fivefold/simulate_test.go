package main

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
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
	err := run(ctx, append([]string{"simulate", "--answers", words, "--guesses", words}, args...), nil, strings.NewReader(""), &out, &errOut)
	if errOut.Len() > 0 {
		t.Errorf("on standard error: %s", errOut.String())
	}
	return out.String(), err
}

// TestSimulateStopped: Ctrl-C prints what was reached and how to go on, and leaves
// the files of an earlier run.
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
	if err == nil || !strings.Contains(err.Error(), " of 9 hidden words; the same command goes on from "+checkpoint+"\nnothing was written to files") ||
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
	if out != "" || err == nil || err.Error() != "expected was stopped after 0 of 9 hidden words; with --checkpoint it could go on another time" {
		t.Errorf("at once: %v, and\n%s", err, out)
	}
}

// TestHistogram: every strategy has bars of its own, which differ without colour.
func TestHistogram(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "bars.png")
	draw := func(strategies string) *image.Gray {
		t.Helper()
		if _, err := simulateIn(t.Context(), t, folder, "--png", path, "--strategy", strategies); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		picture, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		grey := image.NewGray(picture.Bounds())
		for y := range picture.Bounds().Dy() {
			for x := range picture.Bounds().Dx() {
				grey.Set(x, y, picture.At(x, y))
			}
		}
		return grey
	}
	one, all := draw("expected"), draw("expected,parts,entropy,minimax,optimal")
	if one.Rect.Dx() < 600 || one.Rect.Dy() < 400 || all.Rect.Dx() <= one.Rect.Dx() {
		t.Errorf("the pictures measure %v and %v", one.Rect, all.Rect)
	}
	seen := map[string]int{}
	for i := range 5 { // the boxes before the names
		box := image.Rect(margin, margin+lineHeight*(i+1)-14, margin+28, margin+lineHeight*(i+1))
		var dark strings.Builder
		for y := box.Min.Y; y < box.Max.Y; y++ {
			for x := box.Min.X; x < box.Max.X; x++ {
				if all.GrayAt(x, y).Y < 150 {
					dark.WriteByte('#')
				} else {
					dark.WriteByte(' ')
				}
			}
			dark.WriteByte('\n')
		}
		if j, ok := seen[dark.String()]; ok {
			t.Errorf("strategies %d and %d look the same:\n%s", j, i, dark.String())
		}
		seen[dark.String()] = i
		if !strings.Contains(dark.String(), "#") {
			t.Errorf("strategy %d is not drawn", i)
		}
	}
}
