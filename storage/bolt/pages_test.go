package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// layout is where the pages of a file are.
type layout struct {
	data               []byte
	branch, leaf, free page // parts of data
	size               int
}

// mustLayout returns where the list of free pages and a branch and a leaf of the records are.
func mustLayout(t *testing.T, path string, data []byte) (l layout) {
	t.Helper()
	db, _, err := openFile(path, bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	l.data, l.size = data, db.Info().PageSize
	at := func(id uint64) page { return page(data[int(id)*l.size:][:l.size]) }
	if err := view(db, func(tx *bbolt.Tx) error {
		l.branch = at(at(uint64(tx.Bucket(bucketRecords).Root())).child(1))
		l.leaf = at(l.branch.child(1))
		l.free = at(at(uint64(tx.ID() % 2)).u64(metaFreelist))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if l.branch.kind() != branchPage || l.leaf.kind() != leafPage || l.free.kind() != freePage || l.free.count() == 0 {
		t.Fatalf("the file has too little in it: %v %v %v", l.branch[:headerSize], l.leaf[:headerSize], l.free[:headerSize])
	}
	return l
}

// TestPages: damage that no checksum of a value shows is found before it does harm: as a file
// is opened, or by a look at all pages.
func TestPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	data, content := makeFile(t, path)
	put := binary.NativeEndian.PutUint64
	for _, c := range []struct {
		name   string
		damage func(l layout)
		opens  bool // it is found only by a look at all pages
	}{
		{"a branch leads to itself", func(l layout) { put(l.branch[headerSize+8+3*elementSize:], l.branch.u64(0)) }, false},
		{"a branch leads to a page twice", func(l layout) { put(l.branch[headerSize+8:], l.branch.child(1)) }, false},
		{"a branch leads out of the file", func(l layout) { put(l.branch[headerSize+8:], 1<<40) }, false},
		{"a branch is called a leaf", func(l layout) { l.branch[8] = leafPage }, false},
		{"a branch has too few keys", func(l layout) { l.branch[10]-- }, false},
		{"a branch has another key", func(l layout) { key, _, _ := l.branch.pair(2); key[len(key)-1]++ }, true},
		{"keys of a branch are out of order", func(l layout) { copy(l.branch[headerSize+2*elementSize:][:8], l.branch[headerSize:]) }, false},
		{"a page in use is free", func(l layout) { put(l.free[headerSize:], l.leaf.u64(0)) }, false},
		{"a page is free twice", func(l layout) { put(l.free[headerSize:], l.free.u64(headerSize+8)) }, false},
		{"more pages are free than fit", func(l layout) { binary.NativeEndian.PutUint16(l.free[10:], 0xFFFE) }, false},
		{"the list of free pages is cleared", func(l layout) { clear(l.free) }, false},
		{"a leaf has too few keys", func(l layout) { l.leaf[10]-- }, true},
		{"a leaf has too many keys", func(l layout) { l.leaf[10]++ }, true},
		{"a leaf has no keys", func(l layout) { l.leaf[10] = 0 }, true},
		{"a leaf's first key is another", func(l layout) { l.leaf[headerSize+l.leaf.count()*elementSize]++ }, true},
		{"a leaf is longer than the file", func(l layout) { binary.NativeEndian.PutUint32(l.leaf[12:], 1<<30) }, true},
		{"a leaf goes on over the next page", func(l layout) { l.leaf[12] = 200 }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustWrite(t, path, data)
			l := mustLayout(t, path, bytes.Clone(data))
			c.damage(l)
			mustWrite(t, path, l.data)
			m, err := Open(path, Options{})
			if c.opens && err == nil {
				err = errors.Join(m.CheckPages(t.Context()), m.Close())
			} else if c.opens {
				t.Errorf("it does not open: %v", err)
			} else if err == nil {
				t.Error("it opens", m.Close())
			}
			if !errors.Is(err, game.ErrDamaged) {
				t.Errorf("got %v", err)
			}
			mustWrite(t, path, l.data)
			if outcome := checkSalvaged(t, path, l.data, content); outcome == "not salvaged" {
				t.Error(outcome)
			}
		})
	}
	mustWrite(t, path, data)
}

// TestFileShrinksWhileOpen: reads and commits of a file that has lost pages fail. None waits
// for a lock that bbolt did not release. The first two pages must be there: see guard.
func TestFileShrinksWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	data, _ := makeFile(t, path)
	for pages := 2; pages < 6; pages++ {
		path := filepath.Join(t.TempDir(), "test.db")
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
}

// TestSalvageOfNothing: where bbolt cannot open a file, nothing can be salvaged.
func TestSalvageOfNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	data, _ := makeFile(t, path)
	broken := bytes.Clone(data)
	clear(broken[:2*os.Getpagesize()])
	mustWrite(t, path, broken)
	if s, err := Salvage(t.Context(), path, nil); !errors.Is(err, game.ErrDamaged) {
		t.Errorf("got %v, %v", s, err)
	}
	checkUntouched(t, "it was salvaged", path, broken)
	mustHave(t, filepath.Dir(path), "test.db")
	mustWrite(t, path, data)
}

// TestSalvageGoesOn: of a file in which some leaves cannot be read, only their keys are lost,
// and the gaps are just where they were.
func TestSalvageGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	data, content := makeFile(t, path)
	broken := bytes.Clone(data)
	keys := slices.Sorted(maps.Keys(content))
	var want []Gap
	lost := 0
	for i := range 3 { // the second and third are neighbours
		leaf := mustLayout(t, path, broken).leafAt([]int{4, 9, 10}[i])
		first, _, _ := leaf.pair(0)
		last, _, _ := leaf.pair(leaf.count() - 1)
		lost += leaf.count()
		gap := Gap{Before: keys[slices.Index(keys, string(last))+1]}
		if from := slices.Index(keys, string(first)); i == 2 {
			gap.After = want[1].After
			want = want[:1]
		} else if from > 0 {
			gap.After = keys[from-1]
		}
		want = append(want, gap)
		clear(leaf)
	}
	mustWrite(t, path, broken)
	got := map[string]string{}
	s, err := Salvage(t.Context(), path, func(p ordered.Pair) { got[p.Key] = string(p.Value) })
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(content)-lost || s.Problem == nil || !slices.Equal(s.Gaps, want) {
		t.Errorf("%d of %d keys are lost, want %d; %v and the gaps %v, want %v", len(content)-len(got), len(content), lost, s.Problem, s.Gaps, want)
	}
	if n, err := ordered.Count(t.Context(), s.Map, everything); n != len(got) || err != nil {
		t.Errorf("%d of %d were kept, %v", n, len(got), err)
	}
	if err := s.Abandon(); err != nil {
		t.Error(err)
	}
	checkUntouched(t, "it was salvaged", path, broken)
	mustHave(t, filepath.Dir(path), "test.db")
	mustWrite(t, path, data)
}

// leafAt returns a leaf below the branch, with the pages that it goes on over.
func (l layout) leafAt(i int) page {
	p := page(l.data[int(l.branch.child(i))*l.size:])
	return p[:l.size*(1+p.more())]
}
