package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSolveDamagedSession: a player whose puzzles cannot be read is told so once, and starts
// again.
func TestSolveDamagedSession(t *testing.T) {
	home := t.TempDir()
	help := func(args, line string) string {
		var out bytes.Buffer
		environ := []string{"HOME=" + home, "USER=ana", "FIVEFOLD_DATA=" + home}
		if err := runWith(t.Context(), tuning, strings.Fields(args), environ, strings.NewReader(line), &out, io.Discard); err != nil {
			t.Errorf("%s: %v", args, err)
		}
		return out.String()
	}
	const notice = "I cannot read your puzzles and your record here any more: their data is damaged."
	for _, args := range []string{"solve", "pokle solve"} {
		help("solve", "new\ncrane bbygb\n")
		path := filepath.Join(home, "terminal.db")
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		damaged := bytes.ReplaceAll(content, []byte("crane"), []byte("crank"))
		damaged = bytes.ReplaceAll(damaged, []byte("CRANE"), []byte("CRANK"))
		if bytes.Equal(content, damaged) {
			t.Fatal("the file does not have the guess")
		}
		mustWriteFile(t, path, string(damaged), 0o600)
		if got := help(args, ""); !strings.HasPrefix(got, notice) {
			t.Errorf("%s: it begins with\n%.300s", args, got)
		}
		if got := help(args, ""); strings.Contains(got, "damaged") {
			t.Errorf("%s, once more: it begins with\n%.300s", args, got)
		}
	}
}
