package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fivefold/game"
	"fivefold/storage/bolt"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/record"
	"fivefold/storage/storagetest"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

var testCodecs = storagetest.Codecs(storagetest.Games())

// openTest opens a store with the games of the suite.
func openTest(t *testing.T, url string) storagetest.Whole {
	t.Helper()
	var s storagetest.Whole
	var err error
	if isDatabase(url) {
		s, err = postgres.Open(t.Context(), url, testCodecs, postgres.Options{})
	} else {
		s, err = bolt.Open(strings.TrimPrefix(url, "bolt:"), testCodecs, bolt.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newFile(t *testing.T) string { return "bolt:" + filepath.Join(t.TempDir(), "test.db") }

// filledFile is the content of the first file that mustFilled has made.
var filledFile []byte

// mustFilled returns the URL of a new file with something in every table.
func mustFilled(t *testing.T) string {
	t.Helper()
	url := newFile(t)
	path, _ := Path(url)
	if filledFile == nil {
		fillFile(t, path)
		var err error
		if filledFile, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	} else if err := os.WriteFile(path, filledFile, 0o600); err != nil {
		t.Fatal(err)
	}
	return url
}

func fillFile(t *testing.T, path string) {
	t.Helper()
	filled := newFile(t)
	s := openTest(t, filled)
	storagetest.Fill(t, s, 40)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// What is in progress, or damaged, is written as if it had been copied.
	target, err := bolt.OpenCopyTarget(path, testCodecs)
	if err != nil {
		t.Fatal(err)
	}
	rows := append(rowsOf(t, filled),
		record.Row{Table: record.TableClearing, Key: []byte("p9"), Value: binary.BigEndian.AppendUint64(nil, 7)},
		record.Row{Table: record.TableDamaged, Key: []byte("matches\x00\xff"), Value: []byte("no match")},
		record.Row{Table: record.TableDamaged, Key: []byte("matches\x00gone"), Value: []byte{}})
	if err := target.Write(t.Context(), rows, record.Mark{}); err != nil {
		t.Fatal(err)
	}
	if err := target.Finish(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := target.Close(); err != nil {
		t.Fatal(err)
	}
}

// rowsOf returns all rows of a store, sorted by table and key.
func rowsOf(t *testing.T, url string) (rows []record.Row) {
	t.Helper()
	c := &copying{codecs: testCodecs, o: CopyOptions{Progress: func(string, int, int) {}}}
	s, err := c.openSource(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, table := range record.Tables {
		if err := s.Rows(t.Context(), table, nil, func(r record.Row) error {
			rows = append(rows, record.Row{Table: table, Key: bytes.Clone(r.Key), Value: bytes.Clone(r.Value)})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	slices.SortStableFunc(rows, func(a, b record.Row) int {
		switch {
		case a.Table == b.Table:
			return bytes.Compare(a.Key, b.Key)
		case a.Table.Before(b.Table):
			return -1
		}
		return 1
	})
	return rows
}

func mustBeSame(t *testing.T, got, want []record.Row, where string) {
	t.Helper()
	text := func(all []record.Row) (lines []string) {
		for _, r := range all {
			lines = append(lines, fmt.Sprintf("%s %q %q", r.Table, r.Key, r.Value))
		}
		return lines
	}
	if a, b := text(got), text(want); !slices.Equal(a, b) {
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				t.Fatalf("%s: row %d is\n%s\nwant\n%s", where, i, a[i], b[i])
			}
		}
		t.Fatalf("%s: %d rows, want %d", where, len(a), len(b))
	}
}

func testOptions() CopyOptions { return CopyOptions{testOnlyCodecs: testCodecs, testOnlyBatch: 10} }

func mustCopy(t *testing.T, from, to string) {
	t.Helper()
	if done, err := Copy(t.Context(), from, to, testOptions()); err != nil || done.Records == 0 || done.Resumed {
		t.Fatalf("copying %s to %s: %+v, %v", Name(from), Name(to), done, err)
	}
}

// TestCopy copies a file through two databases and two files.
func TestCopy(t *testing.T) {
	first := mustFilled(t)
	want := rowsOf(t, first)
	for _, table := range record.Tables {
		if !slices.ContainsFunc(want, func(r record.Row) bool { return r.Table == table }) {
			t.Errorf("nothing is in the table %q: that it moves is not tested", table)
		}
	}
	from := first
	stores := []string{first}
	for _, to := range []string{newFile(t), postgrestest.Database(t), postgrestest.Database(t), newFile(t)} {
		mustCopy(t, from, to)
		mustBeSame(t, rowsOf(t, to), want, Name(to))
		from = to
		stores = append(stores, to)
	}
	if _, err := os.Stat(bolt.UnfinishedCopy(strings.TrimPrefix(from, "bolt:"))); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the unfinished file is still there: %v", err)
	}
	sameAnswers(t, stores)
}

// sameAnswers checks that all stores give the same answers, before and after the same further moves.
func sameAnswers(t *testing.T, urls []string) {
	t.Helper()
	ctx := t.Context()
	var want []any
	for _, url := range urls {
		s := openTest(t, url)
		var got []any
		ask := func(v any, err error) {
			t.Helper()
			if err != nil {
				t.Errorf("%s: %v", Name(url), err)
			}
			got = append(got, v)
		}
		read := func() {
			results, err := s.Results(ctx, 0, 1000)
			ask(results, err)
			unfinished, err := s.Unfinished(ctx, game.Unfinished{}, 100)
			ask(unfinished, err)
			for _, p := range []game.PlayerID{"p0", "p1", "p3"} {
				for _, community := range []string{"", "guild:g", game.Location{Guild: "g"}.Community(), game.Location{Channel: "dm1"}.Community()} {
					entries, err := s.History(ctx, game.Filter{Viewer: p, Community: community, Limit: 1000})
					ask(entries, err)
				}
				for _, g := range storagetest.Games() {
					board, err := s.Leaderboard(ctx, game.Scope{Kind: g.Kind(), Guild: "g"}, p, 10)
					ask(board, err)
				}
			}
			for _, r := range results {
				if m, err := s.Finished(ctx, r.Match); err == nil || !errors.Is(err, game.ErrNotInHistory) {
					ask(m, err)
				}
			}
		}
		read()
		secret, err := s.Secret(ctx)
		ask(secret, err)
		again := s.Clear(ctx, game.ClearRequest{Player: "p3", Request: "clear", At: storagetest.Epoch})
		ask(nil, again)
		for _, g := range storagetest.Games() {
			// A request that was made before, and the next match of a server, with its numbers.
			slot := game.ChannelSlot(g.Kind(), "c9")
			m, err := s.Load(ctx, slot)
			ask(m.Version, err)
			repeated, version, err := s.Repeated(ctx, slot, storagetest.Change(m).Request)
			ask([]any{repeated.ID, version}, err)
			if err := s.Commit(ctx, storagetest.Change(m)); !errors.Is(err, game.ErrConflict) {
				t.Errorf("%s: a repeated change: %v", Name(url), err)
			}
			storagetest.MustCommit(t, s, g.Guess(t, m, "p0", g.Answers[len(g.Answers)-1]))
		}
		read()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if want == nil {
			want = got
		}
		for i := range want {
			if len(got) != len(want) || !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("%s: answer %d of %d is\n%+v, want\n%+v of %d", Name(url), i, len(got), got[min(i, len(got)-1)], want[i], len(want))
			}
		}
	}
}

// TestCopyResumed: a copy that is interrupted again and again goes on where it ended.
func TestCopyResumed(t *testing.T) {
	first := mustFilled(t)
	want := rowsOf(t, first)
	from := first
	for _, to := range []string{postgrestest.Database(t), postgrestest.Database(t), newFile(t)} {
		resumed := 0
		for try := 1; ; try++ {
			ctx, cancel := context.WithCancel(t.Context())
			o := testOptions()
			batches := 0
			o.Progress = func(stage string, _, _ int) {
				if stage == "Copying" {
					if batches++; batches == 4*try {
						cancel()
					}
				}
			}
			done, err := Copy(ctx, from, to, o)
			cancel()
			if err == nil {
				if resumed = try - 1; !done.Resumed {
					t.Errorf("%s: %+v, not resumed", Name(to), done)
				}
				break
			}
			if !errors.Is(err, context.Canceled) || try > 100 {
				t.Fatalf("%s: try %d: %v", Name(to), try, err)
			}
			if isDatabase(to) {
				if s, err := postgres.Open(t.Context(), to, testCodecs, postgres.Options{}); !errors.Is(err, postgres.ErrUnfinished) {
					t.Fatalf("half a copy was opened: %v, %v", s, err)
				}
			} else if _, err := os.Stat(strings.TrimPrefix(to, "bolt:")); !errors.Is(err, os.ErrNotExist) {
				t.Fatalf("there is a file already: %v", err)
			} else if s, err := bolt.Open(bolt.UnfinishedCopy(strings.TrimPrefix(to, "bolt:")), testCodecs, bolt.Options{}); err == nil {
				t.Fatalf("half a copy was opened: %v", s)
			}
		}
		if resumed < 3 {
			t.Errorf("%s: resumed %d times: too few to have tested much", Name(to), resumed)
		}
		mustBeSame(t, rowsOf(t, to), want, Name(to))
		from = to
	}
}

// TestCopyChanged: if the source changes during a copy, the copy fails.
func TestCopyChanged(t *testing.T) {
	file, database := mustFilled(t), postgrestest.Database(t)
	mustCopy(t, file, database)
	start := func(url, id string) {
		t.Helper()
		s := openTest(t, url)
		g := storagetest.Wordle
		storagetest.MustCommit(t, s, g.Match(id, game.Location{Guild: "g", Channel: game.ChannelID(id)}, "p0", g.Answers[0]))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for _, from := range []string{file, database} {
		for _, to := range []string{newFile(t), postgrestest.Database(t)} {
			for _, last := range []bool{false, true} { // at the first batch of a copy, or while the records are compared
				if from == file && last {
					continue // it is locked
				}
				ctx, cancel := context.WithCancel(t.Context())
				o := testOptions()
				o.Progress = func(stage string, done, of int) {
					if !last && stage == "Copying" {
						cancel()
					}
				}
				if last {
					to = newFile(t)
					changed := false
					o.Progress = func(stage string, done, of int) {
						if stage == "Comparing" && done > of*3/4 && !changed {
							changed = true
							start(from, "while comparing "+Name(to)[len(Name(to))-9:])
						}
					}
				}
				_, err := Copy(ctx, from, to, o)
				cancel()
				if !last {
					if !errors.Is(err, context.Canceled) {
						t.Fatal(err)
					}
					start(from, "after the beginning "+to[len(to)-5:])
					_, err = Copy(t.Context(), from, to, testOptions())
				}
				if !errors.Is(err, ErrChanged) {
					t.Errorf("%s to %s, changed: %v", Name(from), Name(to), err)
				}
			}
		}
	}
}

func TestCopyRefused(t *testing.T) {
	file, database := mustFilled(t), postgrestest.Database(t)
	check := func(from, to string, want error, text string) {
		t.Helper()
		_, err := Copy(t.Context(), from, to, testOptions())
		if !errors.Is(err, want) || !strings.Contains(err.Error(), text) {
			t.Errorf("%s to %s: %v, want %v and %q", Name(from), Name(to), err, want, text)
		}
	}
	mustCopy(t, file, database)
	check(file, file, record.ErrNotEmpty, "test.db")
	check(file, database, record.ErrNotEmpty, "test")
	check(database, file, record.ErrNotEmpty, "test.db")
	check(database, database, record.ErrNotEmpty, "test")
	check(newFile(t), database, os.ErrNotExist, "test.db")
	check("file", database, ErrURL, "file")
	check(file, postgrestest.Empty(t), postgres.ErrSchema, "empty")
	s := openTest(t, file)
	check(file, newFile(t), bolt.ErrLocked, "test.db")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	// Bytes of a match are changed in the file.
	path, _ := Path(file)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Replace(data, []byte(`"id":"running wordle"`), []byte(`"id":"running hurdle"`), -1)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	check(file, newFile(t), game.ErrDamaged, `matches "running wordle"`)
}

// TestDecodeRows: every row of a store can be decoded, and cannot once it is cut short.
func TestDecodeRows(t *testing.T) {
	// In these tables, a shorter text may be valid too.
	whole := []record.Table{record.TableMeta, record.TableDamaged, record.TableSlots, record.TableReceipts, record.TableReviews, record.TableBoards}
	for _, r := range rowsOf(t, mustFilled(t)) {
		if err := testCodecs.Decode(r); err != nil {
			t.Errorf("%s %q: %v", r.Table, r.Key, err)
		}
		if slices.Contains(whole, r.Table) {
			continue
		}
		r.Value = r.Value[:len(r.Value)-1]
		if err := testCodecs.Decode(r); !errors.Is(err, game.ErrDamaged) {
			t.Errorf("%s %q, cut short: %v", r.Table, r.Key, err)
		}
	}
	if err := testCodecs.Decode(record.Row{Table: "shoes"}); err == nil {
		t.Error("a row of an unknown table was read")
	}
}
