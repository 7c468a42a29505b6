package bolt

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/game/racetest"
	"fivefold/storage/storagetest"
)

// TestMigrationKeepsTheOldFile: after a migration the old file is there under another
// name, and the log says so.
func TestMigrationKeepsTheOldFile(t *testing.T) {
	path := mustUnpack(t, "format-5.db.gz")
	old := mustRead(t, path)
	var log bytes.Buffer
	s, err := Open(path, testCodecs, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(mustRead(t, path+".format-5"), old) {
		t.Error("the old file is not what it was")
	}
	if !strings.Contains(log.String(), "format=5 to=9") || !strings.Contains(log.String(), "old_file="+path+".format-5") {
		t.Errorf("the log says\n%s", log.String())
	}
	mustCheck(t, path)
}

// TestMigrationInPlace: a file with checksums needs no copy. Checked and repaired before the
// first start, it is in order too.
func TestMigrationInPlace(t *testing.T) {
	for _, sample := range []string{"format-6.db.gz", "format-7.db.gz"} {
		path := mustUnpack(t, sample)
		mustCheck(t, path)
		s := mustOpen(t, path)
		mustRebuild(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		mustCheck(t, path)
		if files, err := filepath.Glob(path + "*"); len(files) != 1 || err != nil {
			t.Errorf("%s: there are %q, %v", sample, files, err)
		}
		path = mustUnpack(t, sample)
		if done, err := Repair(t.Context(), path, testCodecs, func(f Finding) { t.Error(f) }, nil); err != nil || !done.Changed {
			t.Errorf("%s: repairing did %+v, %v", sample, done, err)
		}
		mustCheck(t, path)
	}
}

// TestOldMatchesCountByToday: a match that began before there was credit counts by
// today's rules if it ends today. Those that had ended by then still count whole, even
// after that, and after a player has become anonymous.
func TestOldMatchesCountByToday(t *testing.T) {
	path := mustUnpack(t, "format-7.db.gz")
	s := mustOpen(t, path)
	mustRebuild(t, s)
	scope := game.Scope{Kind: game.Wordle, Guild: "g"}
	before, err := s.Totals(t.Context(), scope, "ana")
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Load(t.Context(), game.ChannelSlot(game.Wordle, "c-w74"))
	if err != nil || m.Status() != game.Playing || len(m.Hints) != 1 {
		t.Fatalf("the match is %v, %v", m, err)
	}
	g := storagetest.Wordle
	m = g.Guess(t, m, "ana", m.State.Answer())
	storagetest.MustCommit(t, s, m)
	want := before
	want.Played++
	want.Helped++ // ben took a hint
	if got, err := s.Totals(t.Context(), scope, "ana"); got != want || err != nil {
		t.Errorf("the totals are %+v, %v, want %+v", got, err, want)
	}
	if err := s.Clear(t.Context(), game.ClearRequest{Player: "cleo", Request: "z", At: storagetest.Epoch}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	mustCheck(t, path)
	s = mustOpen(t, path)
	defer s.Close()
	for _, player := range []game.PlayerID{"ana", "ben"} { // ben shared a win with cleo
		if got, err := s.Totals(t.Context(), scope, player); err != nil || player == "ana" && got != want || player == "ben" && got.Credit != 1000*got.Played {
			t.Errorf("after another player was cleared, %s has %+v, %v", player, got, err)
		}
	}
}

// TestMigrationInterrupted: whatever an interrupted migration has left, the next one
// starts from the old file.
func TestMigrationInterrupted(t *testing.T) {
	for name, left := range map[string][]byte{"nothing": nil, "a page": make([]byte, 4096), "most of a file": make([]byte, 100_000)} {
		path := mustUnpack(t, "format-5.db.gz")
		mustWrite(t, newFile(path), left)
		s := mustOpen(t, path)
		if results, err := s.Results(t.Context(), 0, 100); len(results) < 10 || err != nil {
			t.Errorf("%s left: %d results, %v", name, len(results), err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(newFile(path)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s left: the new file is still there: %v", name, err)
		}
	}
}

// TestMigrationWithoutSpace: a migration that fails leaves the old file as it is, and
// nothing else.
func TestMigrationWithoutSpace(t *testing.T) {
	path := mustUnpack(t, "format-5.db.gz")
	if err := os.Mkdir(newFile(path), 0o700); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, filepath.Join(newFile(path), "file"), nil) // so that it cannot be removed
	old := mustRead(t, path)
	if s, err := Open(path, testCodecs, Options{}); err == nil {
		s.Close()
		t.Error("the file was opened")
	}
	checkUntouched(t, "the old file", path, old)
}

// TestOldReleaseRefuses: the format number is where every release looks for it.
func TestOldReleaseRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	makeFile(t, path)
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.View(func(tx *bbolt.Tx) error {
		if got := string(tx.Bucket([]byte("meta")).Get([]byte("format"))); got != "\x00\x00\x00\x00\x00\x00\x00\x09" {
			t.Errorf("the format is %q", got)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestWrongFormatNumber: a number that was changed is neither an old nor a new format.
func TestWrongFormatNumber(t *testing.T) {
	for _, n := range []uint64{0, 1, 2, 4, 5, 6, 7, 8, 10, 0xFF, 0x106, 1 << 56} {
		path := filepath.Join(t.TempDir(), "test.db")
		s := mustOpenDamaged(t, path)
		err := update(s.db, func(tx *bbolt.Tx) error { return tx.Bucket(bucketMeta).Put(keyFormat, number(n)) })
		if err := errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
		checkRefused(t, "format", mustRead(t, path), game.ErrDamaged)
	}
}

// mustCheck expects nothing wrong in a file.
func mustCheck(tb testing.TB, path string) {
	tb.Helper()
	if _, err := Check(context.Background(), path, testCodecs, func(f Finding) { tb.Errorf("%s: %v", path, f) }, nil); err != nil {
		tb.Errorf("checking %s: %v", path, err)
	}
}

// TestOpenListIsMade: a file without the list of matches being played gets it when it is
// opened, in the background if it is long.
func TestOpenListIsMade(t *testing.T) {
	defer func(was int) { testOnlyOpenAtOnce = was }(testOnlyOpenAtOnce)
	for _, atOnce := range []int{5, testOnlyOpenAtOnce}[:racetest.Cases(2)] {
		testOnlyOpenAtOnce = atOnce
		path := filepath.Join(t.TempDir(), "test.db")
		s := mustOpen(t, path)
		fill(t, s)
		want := facts(s)["unfinished"]
		if err := update(s.db, func(tx *bbolt.Tx) error { return tx.DeleteBucket(bucketOpen) }); err != nil {
			t.Fatal(err)
		}
		mustClose(t, s)
		mustCheck(t, path)
		s = mustOpen(t, path)
		m := storagetest.Wordle.Match("new", game.Location{Channel: "new"}, "ana", "CRANE")
		m.Started = storagetest.Epoch.Add(-1000 * time.Hour)
		storagetest.MustCommit(t, s, m)
		s.background.Wait()
		got, err := s.Unfinished(t.Context(), game.Unfinished{}, 1)
		if err != nil || len(got) != 1 || got[0].Match != "new" {
			t.Fatalf("the first is %+v, %v", got, err)
		}
		storagetest.MustCommit(t, s, storagetest.Wordle.Guess(t, m, "ana", "CRANE"))
		if got := facts(s)["unfinished"]; got != want {
			t.Errorf("at once %d: got\n%s, want\n%s", atOnce, got, want)
		}
		mustClose(t, s)
		mustCheck(t, path)
	}
}

// TestOpenListWhileItIsMade: while the list is made again, a match that starts or ends is
// put in and taken out all the same: its slot may have been looked at already. A match that
// starts before the old list is emptied is found in its slot.
func TestOpenListWhileItIsMade(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "test.db"))
	s.background.Wait() // what is stale when a file is opened is made again in the background
	mark := func(mark []byte) {
		t.Helper()
		if err := update(s.db, func(tx *bbolt.Tx) error {
			return buckets{tx, s.codecs}.put(row{bucketMeta, []byte(openMatches.name), mark})
		}); err != nil {
			t.Fatal(err)
		}
	}
	g := storagetest.Wordle
	start := func(name string) game.Match {
		m := g.Match(name, game.Location{Channel: game.ChannelID(name)}, "ana", "CRANE")
		storagetest.MustCommit(t, s, m)
		return m
	}
	check := func(want string) {
		t.Helper()
		list, err := s.Unfinished(t.Context(), game.Unfinished{}, 10)
		var got []string
		for _, u := range list {
			got = append(got, string(u.Match))
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
	a := start("a")
	mark(buildingMark)
	b := start("b")
	storagetest.MustCommit(t, s, g.Guess(t, a, "ana", "CRANE"))
	check("b")
	mark(staleMark)
	start("c")
	storagetest.MustCommit(t, s, g.Guess(t, b, "ana", "CRANE"))
	s.rebuild(openMatches)
	check("c")
	mustClose(t, s)
}
