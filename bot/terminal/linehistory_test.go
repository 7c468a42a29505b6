package terminal

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func mustLines(t *testing.T, path string) *typedLines {
	t.Helper()
	l, err := readLines(path)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestTypedLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	l := mustLines(t, path)
	for _, line := range []string{"crane", "crane", "/hint", "crane"} {
		if err := l.add(line); err != nil {
			t.Fatal(err)
		}
	}
	mustBePrivate(t, path)
	want := []string{"crane", "/hint", "crane"}
	if again := mustLines(t, path); !slices.Equal(again.all, want) || !slices.Equal(l.all, want) {
		t.Errorf("the lines are %q, and %q in the next run", l.all, again.all)
	}
}

// TestTypedLinesAreBounded: a long file is cut to the latest lines, and stays private.
func TestTypedLinesAreBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines")
	var long strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&long, "line %d\n", i)
	}
	if err := os.WriteFile(path, []byte(long.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	l := mustLines(t, path)
	if len(l.all) != keptLines || l.all[keptLines-1] != "line 19999" {
		t.Errorf("%d lines are read, up to %q", len(l.all), l.all[len(l.all)-1])
	}
	mustBePrivate(t, path)
	if again := mustLines(t, path); !slices.Equal(again.all, l.all) {
		t.Error("the file that was cut has other lines")
	}
	for i := range 100 { // long lines of one run
		if err := l.add(fmt.Sprint(i) + strings.Repeat("x", maxLine)); err != nil {
			t.Fatal(err)
		}
		mustBePrivate(t, path)
	}
	if last := mustLines(t, path).all; !strings.HasPrefix(last[len(last)-1], "99x") || len(last) > 20 {
		t.Errorf("%d long lines are kept", len(last))
	}
}

// mustBePrivate checks that only its owner can read the file, where systems have modes, and
// that it is small.
func mustBePrivate(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > maxLinesFile || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has %d bytes and the mode %v", info.Size(), info.Mode())
	}
}

// TestTypedLinesWithoutFile: lines that cannot be kept are remembered until the end.
func TestTypedLinesWithoutFile(t *testing.T) {
	l := mustLines(t, "")
	if err := l.add("crane"); err != nil || len(l.all) != 1 {
		t.Errorf("%q, %v", l.all, err)
	}
	l = mustLines(t, filepath.Join(t.TempDir(), "no folder", "lines"))
	if err := l.add("crane"); err == nil || len(l.all) != 1 {
		t.Errorf("%q, %v", l.all, err)
	}
}
