package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"fivefold/game"
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

// TestDamagedFiles: reading a file with any damage fails, or shows nothing wrong but values that are called damaged. After a
// salvage, a file is whole, and what is missing lies in the gap, or something was called damaged.
func TestDamagedFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("faults of addresses are slow then, and nothing here is concurrent")
	}
	path := filepath.Join(t.TempDir(), "test.db")
	data, content := makeFile(t, path)
	if os.Getpagesize() != 4096 {
		t.Skip("the damages are made for pages of 4096 bytes")
	}
	outcomes := map[string]int{}
	for n := range *damagedFiles {
		broken := damages[n%len(damages)](bytes.Clone(data), rand.New(rand.NewPCG(uint64(n), 9)))
		mustWrite(t, path, broken)
		outcomes[checkDamaged(t, path, broken, content)]++
		outcomes[checkSalvaged(t, path, broken, content)]++
		if t.Failed() {
			t.Fatalf("file %d", n)
		}
	}
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

// checkDamaged reads a damaged file.
func checkDamaged(t *testing.T, path string, data []byte, content map[string]string) (outcome string) {
	t.Helper()
	m, err := OpenReadOnly(path)
	if err != nil {
		if !errors.Is(err, game.ErrDamaged) && !errors.Is(err, ErrForeign) {
			t.Errorf("opening: %v", err)
		}
		return "refused"
	}
	defer m.Close()
	pages := m.CheckPages(t.Context())
	answers, err := m.Read(t.Context(), everything)
	for _, err := range []error{pages, err} {
		if err != nil && !errors.Is(err, game.ErrDamaged) {
			t.Errorf("got %v", err)
		}
	}
	damaged := false
	if err == nil {
		damaged, _ = compare(t, "read", answers[0], content)
	}
	checkUntouched(t, "read", path, data)
	switch {
	case pages != nil || err != nil:
		return "damaged pages"
	case damaged:
		return "damaged values"
	}
	return "whole" // the damage is where nothing is
}

// checkSalvaged salvages a damaged file.
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
		if !damaged && s.Problem == nil {
			t.Errorf("%q is lost, and nothing says so", key)
		}
	}
	for key := range got {
		if _, ok := content[key]; !ok {
			t.Errorf("%q is new", key)
		}
	}
	kept, err := s.Replace(true)
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
	if kept, err := s.Replace(true); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %q, %v", kept, err)
	}
	mustHave(t, filepath.Dir(path), "test.db")
}

// TestSalvageGap: of a file in which some leaves cannot be read, what lies before the first and after the last one is kept.
func TestSalvageGap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	data, content := makeFile(t, path)
	keys := slices.Sorted(maps.Keys(content))
	broken, leaves := bytes.Clone(data), 0
	for at := 0; at < len(data); at += os.Getpagesize() {
		page := broken[at:][:os.Getpagesize()]
		if bytes.Contains(page, []byte(keys[len(keys)/3])) || bytes.Contains(page, []byte(keys[2*len(keys)/3])) {
			clear(page)
			leaves++
		}
	}
	mustWrite(t, path, broken)
	if m, err := OpenReadOnly(path); err != nil {
		t.Error(err)
	} else if err := errors.Join(m.CheckPages(t.Context()), m.Close()); !errors.Is(err, game.ErrDamaged) {
		t.Errorf("the pages: %v", err)
	}
	s, err := Salvage(t.Context(), path, func(ordered.Pair) {})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Abandon(); err != nil {
			t.Error(err)
		}
		checkUntouched(t, "it was salvaged", path, broken)
		mustHave(t, filepath.Dir(path), "test.db")
		mustWrite(t, path, data)
	}()
	if !s.Gap || s.Problem == nil || s.After < keys[len(keys)/4] || s.Before > keys[3*len(keys)/4] || leaves < 2 {
		t.Errorf("%d leaves cleared: a gap %v from %q to %q, %v", leaves, s.Gap, s.After, s.Before, s.Problem)
	}
	got := all(t, s.Map)
	for _, key := range keys {
		if value, there := got[key]; there != (key <= s.After || key >= s.Before) || there && value != content[key] {
			t.Errorf("%q is there: %v", key, there)
		}
	}
}

// TestLostPage: a check finds a page that is neither used nor free, though every record can be read, and a salvage loses none.
func TestLostPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	data, content := makeFile(t, path)
	broken := bytes.Clone(data)
	for at := 0; at < len(data); at += os.Getpagesize() {
		page := broken[at:]
		if n := binary.NativeEndian.Uint16(page[10:]); page[8] == 0x10 && n > 0 { // a list of free pages, and how many it has
			binary.NativeEndian.PutUint16(page[10:], n-1)
		}
	}
	mustWrite(t, path, broken)
	if outcome := checkDamaged(t, path, broken, content); outcome != "damaged pages" {
		t.Error(outcome)
	}
	if outcome := checkSalvaged(t, path, broken, content); outcome != "lost nothing" {
		t.Error(outcome)
	}
}

// TestEndlessPage: a page that says it goes on for billions of pages is damaged; bbolt's check would count them.
func TestEndlessPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	data, content := makeFile(t, path)
	broken := bytes.Clone(data)
	for at := 0; at < len(data); at += os.Getpagesize() {
		page := broken[at:]
		if binary.NativeEndian.Uint64(page) == uint64(at/os.Getpagesize()) && page[8] == 0x02 { // the first leaf
			binary.NativeEndian.PutUint32(page[12:], 1<<32-1)
			break
		}
	}
	mustWrite(t, path, broken)
	if outcome := checkDamaged(t, path, broken, content); outcome != "damaged pages" {
		t.Error(outcome)
	}
	mustWrite(t, path, data)
}

// TestFileShrinksWhileOpen: reads and commits of a file that has lost pages fail. None waits for a lock that bbolt did not
// release. The first two pages must be there: see guarded.
func TestFileShrinksWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	data, _ := makeFile(t, path)
	for pages := 2; pages < 6; pages++ {
		mustWrite(t, path, data)
		m := mustOpenDamaged(t, path)
		if err := os.Truncate(path, int64(pages*os.Getpagesize())); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			_, read := m.Read(t.Context(), everything)
			for what, err := range map[string]error{"a read": read, "a commit": m.Commit(t.Context(), set("match/00001", "x")), "pages": m.CheckPages(t.Context())} {
				if !errors.Is(err, game.ErrDamaged) {
					t.Errorf("%d pages: %s: %v", pages, what, err)
				}
			}
		}
		if err := m.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	}
	mustWrite(t, path, data)
}
