package simulate

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/solver"
)

// mustWrite writes a file.
func mustWrite(tb testing.TB, path string, b []byte) {
	tb.Helper()
	if err := os.WriteFile(path, b, 0o644); err != nil {
		tb.Fatal(err)
	}
}

func mustRead(tb testing.TB, path string) []byte {
	tb.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// counted returns the strategy, and how often it was asked.
func counted(strategy solver.Strategy) (solver.Strategy, *atomic.Int64) {
	var asked atomic.Int64
	return func(ctx context.Context, p solver.Position, k int) ([]solver.Suggestion, error) {
		asked.Add(1)
		return strategy(ctx, p, k)
	}, &asked
}

func create(path string, content []byte) error { return os.WriteFile(path, content, 0o600) }

// TestResume stops a run again and again; in the end the games are the same.
func TestResume(t *testing.T) {
	lists := embeddedSample(t, 300, 100)
	strategy, asked := counted(mustStrategy(t, lists, "expected"))
	want, err := Run(t.Context(), Options{Lists: lists, Strategy: strategy})
	if err != nil {
		t.Fatal(err)
	}
	questions := asked.Swap(0)
	o := Options{Lists: lists, Strategy: strategy, Settings: "expected", Checkpoint: filepath.Join(t.TempDir(), "run.jsonl"), Create: create}
	stops := 0
	for {
		ctx, cancel := context.WithCancel(t.Context())
		calls, first := 0, 0
		o.Progress = func(done, _ int) {
			if calls++; calls == 2 { // the first is before the checkpoint is read
				first = done
			}
			if done > first+60 && calls > 2 {
				cancel()
			}
		}
		got, err := Run(ctx, o)
		cancel()
		if got.Resumed != first {
			t.Fatalf("%d games are resumed, and %d were there at first", got.Resumed, first)
		}
		if err == nil {
			if !reflect.DeepEqual(got.Games, want.Games) || got.Opener != want.Opener {
				t.Error("the games are others after resuming")
			}
			break
		}
		if !errors.Is(err, context.Canceled) || stops > 20 {
			t.Fatalf("after %d stops: %v", stops, err)
		}
		stops++
	}
	if stops < 2 {
		t.Errorf("it was stopped %d times", stops)
	}
	if n := asked.Load(); n < questions || n > 2*questions {
		t.Errorf("%d questions were asked instead of %d", n, questions)
	}
	asked.Store(0)
	got, err := Run(t.Context(), o)
	if err != nil || asked.Load() != 0 || got.Resumed < 299 || !reflect.DeepEqual(got.Games, want.Games) {
		t.Errorf("a finished run asks %d questions, resumes %d games, %v", asked.Load(), got.Resumed, err)
	}
}

// TestTornLine cuts a checkpoint off at every byte of its last line and before.
func TestTornLine(t *testing.T) {
	lists := wordletest.Lists(t, alike+" brave slope", alike+" brave slope slate")
	path := filepath.Join(t.TempDir(), "run.jsonl")
	o := Options{Lists: lists, Strategy: mustStrategy(t, lists, "parts"), Checkpoint: path, Create: create, Workers: 1}
	want, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	whole := mustRead(t, path)
	header := bytes.IndexByte(whole, '\n') + 1
	if bytes.Count(whole, []byte("\n")) < 3 {
		t.Fatalf("the checkpoint is too short for this test:\n%s", whole)
	}
	for end := header; end < len(whole); end++ {
		for _, torn := range []string{"", "\x00\x00\n"} { // some file systems leave zeros
			if torn != "" && whole[end-1] != '\n' {
				continue
			}
			mustWrite(t, path, append(bytes.Clone(whole[:end]), torn...))
			got, err := Run(t.Context(), o)
			if err != nil || !reflect.DeepEqual(got.Games, want.Games) {
				t.Fatalf("cut off after %q: %v", whole[:end], err)
			}
			if again := mustRead(t, path); !sameLines(again, whole) {
				t.Fatalf("cut off after %q it became\n%s", whole[:end], again)
			}
		}
	}
}

func sameLines(a, b []byte) bool {
	count := func(b []byte) map[string]int {
		n := map[string]int{}
		for _, l := range strings.Split(string(b), "\n") {
			n[l]++
		}
		return n
	}
	return reflect.DeepEqual(count(a), count(b))
}

// TestCheckpointDoesNotFit: what does not fit is refused and left as it is.
func TestCheckpointDoesNotFit(t *testing.T) {
	lists := wordletest.Lists(t, alike+" brave slope", alike+" brave slope slate")
	path := filepath.Join(t.TempDir(), "run.jsonl")
	base := Options{Lists: lists, Strategy: mustStrategy(t, lists, "parts"), Settings: "parts", Checkpoint: path, Create: create, Workers: 1}
	if _, err := Run(t.Context(), base); err != nil {
		t.Fatal(err)
	}
	whole := mustRead(t, path)
	lines := strings.SplitAfter(string(whole), "\n")
	edited := func(edit func(*Options)) Options {
		o := base
		edit(&o)
		return o
	}
	for _, c := range []struct {
		name    string
		content string
		o       Options
		want    string
		is      error
	}{
		{"strategy", string(whole), edited(func(o *Options) { o.Settings = "entropy" }), "(strategy parts, not entropy)", ErrOtherRun},
		{"mode", string(whole), edited(func(o *Options) { o.Hard = true }), "(hard mode false, not true)", ErrOtherRun},
		{"sample", string(whole), edited(func(o *Options) { o.Sample, o.Seed = 3, 4 }), "(sample 0, not 3; seed 0, not 4)", ErrOtherRun},
		{"opener", string(whole), edited(func(o *Options) { o.Opener = wordle.MustParse("slate") }), "(given opener none, not SLATE)", ErrOtherRun},
		{"lists", string(whole), edited(func(o *Options) { o.Lists = wordletest.Lists(t, alike+" brave slope", alike+" brave slope crane") }), "(other word lists)", ErrOtherRun},
		{"another format", strings.Replace(string(whole), `"checkpoint":1`, `"checkpoint":2`, 1), base, "(format 2, not 1)", ErrOtherRun},
		{"a text", "my notes\nof today\n", base, "not a checkpoint", ErrNoCheckpoint},
		{"a text without an end", "my notes", base, "not a checkpoint", ErrNoCheckpoint},
		{"another JSON file", `{"a":1}` + "\n", base, "not a checkpoint", ErrNoCheckpoint},
		{"a line damaged", lines[0] + "{\n" + lines[1], base, "line 2: damaged", ErrNoCheckpoint},
		{"a feedback damaged", lines[0] + strings.Replace(lines[1], `:"`, `:"X`, 1), base, "line 2: damaged", ErrNoCheckpoint},
		{"a word damaged", lines[0] + strings.Replace(lines[1], `atch"]`, `itch"]`, 1) + lines[2], base, "damaged", ErrNoCheckpoint},
		{"a game missing", lines[0] + lines[1][:strings.Index(lines[1], `[[`)] + "[]}\n" + lines[2], base, "has other words: damaged", ErrNoCheckpoint},
		{"an opener damaged", lines[0] + strings.ReplaceAll(lines[1], `[["`, `[["slate","`) + lines[2], base, "damaged", ErrNoCheckpoint},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustWrite(t, path, []byte(c.content))
			_, err := Run(t.Context(), c.o)
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if got := string(mustRead(t, path)); got != c.content {
				t.Errorf("the file was changed to\n%s", got)
			}
		})
	}
	t.Run("an empty file", func(t *testing.T) {
		mustWrite(t, path, nil)
		if _, err := Run(t.Context(), base); err != nil || !sameLines(mustRead(t, path), whole) {
			t.Errorf("%v, and the file is\n%s", err, mustRead(t, path))
		}
	})
	t.Run("no folder", func(t *testing.T) {
		o := edited(func(o *Options) { o.Checkpoint = filepath.Join(t.TempDir(), "none", "run.jsonl") })
		if _, err := Run(t.Context(), o); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("got %v", err)
		}
	})
}
