package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/cmd/fivefold/cli"
	"fivefold/game/wordle"
)

// TestInterrupted: SIGINT ends every search with what it has, and the exit code says so.
func TestInterrupted(t *testing.T) {
	lists, err := wordle.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	var words strings.Builder
	for _, w := range lists.Guesses()[:2000] {
		words.WriteString(w.String() + "\n")
	}
	folder := t.TempDir()
	t.Chdir(folder)
	mustWriteFile(t, "words", words.String(), 0o600)
	mustWriteFile(t, "many", manyWords(100_000), 0o600)
	for _, c := range []struct{ args, out, err string }{
		{"tree --opener crane", "Every hidden word was played", "interrupted"},
		{"tree --opener crane -o -", "", "interrupted"},
		{"simulate --answers many --guesses many --csv games.csv", "", " of 100000 hidden words"},
		{"simulate --against words", "", " of 2000 hidden words"},
		{"review --answers many --guesses many slate:bbbbb crony:bbbbb", "", "stopped before the game was judged"},
	} {
		t.Run(c.args, func(t *testing.T) {
			if strings.HasPrefix(c.args, "tree") {
				if testing.Short() {
					t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
				}
			}
			var (
				out, errs bytes.Buffer
				err       error
			)
			for after := 10 * time.Millisecond; after < time.Hour; after *= 2 {
				ctx, end := context.WithCancelCause(t.Context())
				time.AfterFunc(after, func() { end(cli.ErrInterrupted) })
				out.Reset()
				err = runWith(ctx, tuning, strings.Fields(c.args), []string{"HOME=" + folder}, strings.NewReader(""), &out, &errs)
				end(nil)
				readingLists := errors.Is(err, cli.ErrInterrupted) && (c.err != "interrupted" || !strings.Contains(out.String(), c.out))
				if !readingLists {
					break
				}
			}
			if cli.ExitCode(err) != cli.ExitInterrupted || !strings.HasSuffix(err.Error(), c.err) || strings.Contains(err.Error(), "context") {
				t.Errorf("got %v", err)
			}
			if !strings.Contains(out.String(), c.out) {
				t.Errorf("it prints %q", out.String())
			}
		})
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 2 {
		t.Errorf("files were left: %v, %v", files, err)
	}
}

// manyWords returns a list of n words, from all over the alphabet, one a line.
func manyWords(n int) string {
	var b strings.Builder
	every := 26 * 26 * 26 * 26 * 26 / n
	for i := range n {
		for _, place := range []int{26 * 26 * 26 * 26, 26 * 26 * 26, 26 * 26, 26, 1} {
			b.WriteByte(byte('a' + i*every/place%26))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestTooManyWords: what needs more memory than there is for it is refused with the bound,
// before it begins.
func TestTooManyWords(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	few, many := filepath.Join(folder, "few"), filepath.Join(folder, "many")
	mustWriteFile(t, few, manyWords(40_000), 0o600)
	mustWriteFile(t, many, manyWords(70_000), 0o600)
	for _, c := range []struct{ args, words, want string }{
		{"tree --opener crane", many, "up to 65535 hidden words can be searched, not 70000"},
		{"tree --opener crane", few, "with 40000 words to guess, up to 26843 hidden words can be searched, not 40000"},
	} {
		args := append(strings.Fields(c.args), "--answers", c.words, "--guesses", c.words)
		var out, errs bytes.Buffer
		err := runWith(t.Context(), tuning, args, []string{"HOME=" + folder}, strings.NewReader(""), &out, &errs)
		if err == nil || !strings.Contains(err.Error(), c.want) || cli.ExitCode(err) != cli.ExitFailure || out.Len() > 0 {
			t.Errorf("%s with %s: got %v and %q, want %q", c.args, c.words, err, out.String(), c.want)
		}
	}
}

// TestExitCodes: docs/operating.md has every exit code that the program has, and no other. A setting that is wrong
// is no reason to start again, and neither is a file that it names.
func TestExitCodes(t *testing.T) {
	documented := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \| `).FindAllStringSubmatch(mustRead(t, "../../docs/operating.md"), -1) {
		documented[row[1]] = true
	}
	if declared := []int{0, cli.ExitFailure, cli.ExitWrongUse, cli.ExitRestart, cli.ExitInterrupted}; len(documented) != len(declared) ||
		slices.ContainsFunc(declared, func(code int) bool { return !documented[fmt.Sprint(code)] }) {
		t.Errorf("docs/operating.md has %v, the program %v", documented, declared)
	}
	for _, c := range []struct {
		args, environ string
		code          int
	}{
		{"solve slate bbybb", "", 0},
		{"check missing.db", "", cli.ExitFailure},
		{"bot", "", cli.ExitWrongUse}, // without a token
		{"bot", "DISCORD_TOKEN=x FIVEFOLD_LOG=xml", cli.ExitWrongUse},
		{"play", "FIVEFOLD_ANSWERS=missing", cli.ExitWrongUse},
		{"simulate", "FIVEFOLD_ANSWERS=missing", cli.ExitWrongUse},
		{"solve --json --trees missing", "", cli.ExitWrongUse},
		{"play --env-file missing", "", cli.ExitWrongUse},
	} {
		folder := t.TempDir()
		t.Chdir(folder)
		environ := append(strings.Fields(c.environ), "HOME="+folder)
		err := runWith(t.Context(), tuning, strings.Fields(c.args), environ, strings.NewReader(""), io.Discard, io.Discard)
		if got := cli.ExitCode(err); got != c.code {
			t.Errorf("%s with %s: exit code %d, want %d: %v", c.args, c.environ, got, c.code, err)
		}
	}
}
