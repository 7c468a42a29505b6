package bolt

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"fivefold/game"
	"fivefold/game/racetest"
	"fivefold/storage/ordered"
)

var damagedFiles = flag.Int("damaged", 50, "how many files TestDamagedFiles damages")

// makeFile makes a file of some hundred pages, with branches, long values and free pages, and
// returns what is in it.
func makeFile(tb testing.TB, path string) (data []byte, content map[string]string) {
	tb.Helper()
	m := mustOpen(tb, path)
	m.db.NoSync = true
	random := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		var c ordered.Change
		for range 100 {
			p := ordered.Pair{Key: fmt.Sprintf("%s/%0*d", []string{"match", "result", "totals"}[random.IntN(3)], 5+random.IntN(20), random.IntN(4000))}
			if random.IntN(3) > 0 {
				p.Value = bytes.Repeat([]byte{byte(random.IntN(256))}, random.IntN(250))
			}
			if random.IntN(300) == 0 {
				p.Value = make([]byte, random.IntN(20_000))
			}
			c.Set = append(c.Set, p)
		}
		mustCommit(tb, m, c)
	}
	// Where the newest meta page is damaged, bbolt goes back by one commit. This one changes
	// nothing.
	content = all(tb, m)
	mustCommit(tb, m, ordered.Change{Set: []ordered.Pair{{Key: "none"}}})
	if err := m.Close(); err != nil {
		tb.Fatal(err)
	}
	return mustRead(tb, path), content
}

// damages change a file in a way that disks do.
var damages = []func(b []byte, random *rand.Rand) []byte{
	func(b []byte, random *rand.Rand) []byte { // some bits
		for range 1 + random.IntN(20) {
			b[random.IntN(len(b))] ^= 1 << random.IntN(8)
		}
		return b
	},
	func(b []byte, random *rand.Rand) []byte { // bytes near the beginning of pages, where bbolt's numbers are
		for range 1 + random.IntN(4) {
			b[random.IntN(len(b)/4096)*4096+random.IntN(200)] = byte(random.IntN(256))
		}
		return b
	},
	func(b []byte, random *rand.Rand) []byte { // sectors
		for range 1 + random.IntN(3) {
			clear(b[random.IntN(len(b)/512)*512:][:512])
		}
		return b
	},
	func(b []byte, random *rand.Rand) []byte { // pages
		for range 1 + random.IntN(5) {
			clear(b[random.IntN(len(b)/4096)*4096:][:4096])
		}
		return b
	},
	func(b []byte, random *rand.Rand) []byte { // one page in another's place
		page := func() []byte { return b[random.IntN(len(b)/4096)*4096:][:4096] }
		copy(page(), page())
		return b
	},
	func(b []byte, random *rand.Rand) []byte { // garbage
		for i, from := 0, random.IntN(len(b)-3000); i < 3000; i++ {
			b[from+i] = byte(random.IntN(256))
		}
		return b
	},
	func(b []byte, random *rand.Rand) []byte { return b[:random.IntN(len(b))] },
}

// TestDamagedFiles: a file with any damage is refused, or shows nothing wrong but values that
// are called damaged, and misses nothing unless its pages or a value are called damaged. After
// a salvage, a file is whole, and what is missing lies in a gap, or something was called
// damaged.
func TestDamagedFiles(t *testing.T) {
	racetest.Skip(t) // faults of addresses are slow then, and nothing here is concurrent
	data, content := makeFile(t, filepath.Join(t.TempDir(), "test.db"))
	if os.Getpagesize() != 4096 {
		t.Skip("the damages are made for pages of 4096 bytes")
	}
	outcomes := map[string]int{}
	var mu sync.Mutex // protects outcomes
	var wg sync.WaitGroup
	next := make(chan int)
	for range 8 { // the disk is slow
		path := filepath.Join(t.TempDir(), "test.db")
		wg.Go(func() {
			for n := range next {
				broken := damages[n%len(damages)](bytes.Clone(data), rand.New(rand.NewPCG(uint64(n), 9)))
				mustWrite(t, path, broken)
				opened := checkDamaged(t, path, broken, content)
				mustWrite(t, path, broken)
				salvaged := checkSalvaged(t, path, broken, content)
				if t.Failed() {
					t.Errorf("file %d", n)
				}
				mu.Lock()
				outcomes[opened]++
				outcomes[salvaged]++
				mu.Unlock()
			}
		})
	}
	for n := range *damagedFiles {
		next <- n
	}
	close(next)
	wg.Wait()
	t.Log(outcomes)
	for _, want := range []string{"refused", "damaged pages", "damaged values", "lost nothing", "lost something", "not salvaged"} {
		if outcomes[want] == 0 {
			t.Errorf("no file was: %s", want)
		}
	}
}

// compare reports undamaged pairs that were never stored, and returns whether any is damaged and
// how many keys are missing.
func compare(t *testing.T, what string, pairs []ordered.Pair, content map[string]string) (damaged bool, missing int) {
	t.Helper()
	found := map[string]bool{}
	for _, p := range pairs {
		if p.Damaged {
			damaged = true
			continue
		}
		want, ok := content[p.Key]
		if !ok || want != string(p.Value) {
			t.Errorf("%s: %q is %.20q, want %.20q", what, p.Key, p.Value, want)
		}
		found[p.Key] = true
	}
	return damaged, len(content) - len(found)
}

func checkDamaged(t *testing.T, path string, data []byte, content map[string]string) (outcome string) {
	t.Helper()
	m, err := Open(path, Options{})
	if err != nil {
		if !errors.Is(err, game.ErrDamaged) && !errors.Is(err, ErrForeign) {
			t.Errorf("opening: %v", err)
		}
		checkUntouched(t, "refused", path, data)
		return "refused"
	}
	defer func() {
		if err := m.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	}()
	m.db.NoSync = true // no test here survives the machine
	ctx := context.Background()
	whole := true // as far as is known
	check := func(what string, err error) {
		t.Helper()
		if err != nil && !errors.Is(err, game.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
		whole = whole && err == nil
	}
	pages := m.CheckPages(ctx)
	check("pages", pages)
	answers, err := m.Read(ctx, everything)
	check("reading", err)
	if err == nil {
		damaged, missing := compare(t, "read", answers[0], content)
		if missing > 0 && !damaged && whole {
			t.Errorf("%d keys are missing, and nothing says so", missing)
		}
		whole = whole && !damaged
	}
	for key, want := range content {
		there, err := m.Get(ctx, key)
		check("a key", err)
		switch {
		case err != nil:
		case there[0].Value == nil && whole:
			t.Errorf("%q is missing, and nothing says so", key)
		case there[0].Value != nil && !there[0].Damaged && string(there[0].Value) != want:
			t.Errorf("%q is %.20q, want %.20q", key, there[0].Value, want)
		}
	}
	// What is written then overwrites nothing.
	for i := range 3 {
		check("a commit", m.Commit(ctx, set(fmt.Sprint("new", i), strings.Repeat("new", 3000))))
	}
	if answers, err := m.Read(ctx, ordered.Query{To: "new"}, ordered.Query{From: "newer", To: "\xff"}); err == nil {
		compare(t, "after commits", append(answers[0], answers[1]...), content)
	}
	switch {
	case pages != nil:
		return "damaged pages"
	case whole:
		return "whole" // the damage is where nothing is
	}
	return "damaged values"
}

func checkSalvaged(t *testing.T, path string, data []byte, content map[string]string) (outcome string) {
	t.Helper()
	var pairs []ordered.Pair
	s, err := Salvage(t.Context(), path, func(p ordered.Pair) { pairs = append(pairs, p) })
	checkUntouched(t, "salvaging", path, data)
	if err != nil {
		if !errors.Is(err, game.ErrDamaged) && !errors.Is(err, ErrForeign) {
			t.Errorf("salvaging: %v", err)
		}
		mustHave(t, filepath.Dir(path), filepath.Base(path))
		return "not salvaged"
	}
	damaged, _ := compare(t, "salvaged", pairs, content)
	got := all(t, s.Map)
	missing := 0
	for key, want := range content {
		if value, ok := got[key]; ok {
			if value != want {
				t.Errorf("%q is %.20q, want %.20q", key, value, want)
			}
			continue
		}
		missing++
		inGap := false
		for _, g := range s.Gaps {
			inGap = inGap || key > g.After && (key < g.Before || g.Before == "")
		}
		if !inGap && !damaged && s.Problem == nil {
			t.Errorf("%q is lost, and nothing says so", key)
		}
	}
	for key := range got {
		if _, ok := content[key]; !ok {
			t.Errorf("%q is new", key)
		}
	}
	kept, err := s.Replace()
	if err != nil {
		t.Error(err)
	} else if string(mustRead(t, kept)) != string(data) {
		t.Error("the damaged file is not what it was")
	}
	mustCheck(t, path)
	if err := os.Remove(kept); err != nil {
		t.Error(err)
	}
	mustHave(t, filepath.Dir(path), filepath.Base(path))
	if missing == 0 {
		return "lost nothing"
	}
	return "lost something"
}

// TestReplaceFails: the old file has its name again after a failure, also where it had to be renamed for want of
// links, of which a folder has none.
func TestReplaceFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be removed")
	}
	path, other := filepath.Join(t.TempDir(), "test.db"), mustOpen(t, filepath.Join(t.TempDir(), "other.db"))
	s := &Salvaged{Map: mustOpenDamaged(t, path+".new"), path: path, old: other.db}
	if err := errors.Join(os.Mkdir(path, 0o700), os.Remove(path+".new")); err != nil {
		t.Fatal(err)
	}
	if kept, err := s.Replace(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %q, %v", kept, err)
	}
	mustHave(t, filepath.Dir(path), "test.db")
}
