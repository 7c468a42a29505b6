package bolt

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/game/racetest"
	"fivefold/storage/storagetest"
)

// log is a log that can be read while it is written to.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// spoil changes all values of buckets, so that their checksums are wrong.
func spoil(t *testing.T, s *Store, names ...[]byte) {
	t.Helper()
	if err := update(s.db, func(tx *bbolt.Tx) error {
		for _, name := range names {
			var keys [][]byte
			if err := tx.Bucket(name).ForEach(func(k, _ []byte) error {
				keys = append(keys, bytes.Clone(k))
				return nil
			}); err != nil {
				return err
			}
			for _, k := range keys {
				value := bytes.Clone(tx.Bucket(name).Get(k))
				value[len(value)/2] ^= 1
				if err := tx.Bucket(name).Put(k, value); err != nil {
					return err
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestDerivedDamageRefusesNothing: whatever is wrong with totals, leaderboards and
// histories, a game goes on to its end, which counts; it is logged once; and what is
// derived is made again, in the background.
func TestDerivedDamageRefusesNothing(t *testing.T) {
	for _, names := range [][][]byte{
		{bucketTotals, bucketRanks, bucketRankChunks, bucketHistory, bucketPlayers, bucketOwn, bucketNumbers},
		{bucketTotals}, {bucketRanks}, {bucketRankChunks}, {bucketHistory, bucketPlayers, bucketOwn}, {bucketNumbers},
	}[:racetest.Cases(6)] {
		t.Run(fmt.Sprintf("%s", names), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "test.db")
			var log log
			s, err := Open(path, testCodecs, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
			if err != nil {
				t.Fatal(err)
			}
			s.db.NoSync = true
			play := func(n int) {
				t.Helper()
				g := storagetest.Wordle
				m := g.Match(fmt.Sprint("m", n), game.Location{Guild: "g", Channel: "c"}, "ana", "CRANE")
				storagetest.MustCommit(t, s, m)
				m = g.Guess(t, m, "ben", "SLATE")
				storagetest.MustCommit(t, s, m)
				storagetest.MustCommit(t, s, g.Guess(t, m, "ana", "CRANE"))
			}
			for n := range 200 {
				play(n)
			}
			spoil(t, s, names...)
			for n := 200; n < 203; n++ {
				play(n)
			}
			_, err1 := s.Leaderboard(t.Context(), game.Scope{Kind: game.Wordle, Guild: "g"}, "ana", 3)
			_, err2 := seenByAll(t.Context(), s, game.Filter{Community: "guild/g", Limit: 1000})
			for _, err := range []error{err1, err2} {
				if err != nil && !errors.Is(err, game.ErrRebuilding) {
					t.Errorf("a read meanwhile: %v", err)
				}
			}
			s.background.Wait()
			if n := strings.Count(log.String(), "derived data is damaged"); n < 1 || n > 2 {
				t.Errorf("the log says %d times that something is damaged:\n%s", n, log.String())
			}
			play(203)
			checkTally(t, s)
			entries, err := seenByAll(t.Context(), s, game.Filter{Community: "guild/g", Limit: 1000})
			if err != nil || len(entries) != 204 || entries[0].Number != 204 {
				t.Errorf("the history has %d entries, %v", len(entries), err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if len(names) == 1 && string(names[0]) == string(bucketNumbers) {
				return // checked above: those numbers are lost, and given again
			}
			mustCheck(t, path)
		})
	}
}

// TestStaleAfterRestart: what was stale when the program ended is made again.
func TestStaleAfterRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpen(t, path)
	s.background.Wait() // what is stale when a file is opened is made again in the background
	fill(t, s)
	want := facts(s)
	if err := update(s.db, func(tx *bbolt.Tx) error {
		b := buckets{tx, testCodecs}
		for i, d := range derivations {
			if err := b.put(row{bucketMeta, []byte(d.name), [][]byte{staleMark, buildingMark, buildingMark}[i]}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Totals(t.Context(), game.Scope{Kind: game.Wordle}, "p1"); !errors.Is(err, game.ErrRebuilding) {
		t.Errorf("stale totals: %v", err)
	}
	if _, err := s.History(t.Context(), game.Filter{Player: "p1", Limit: 1}); !errors.Is(err, game.ErrRebuilding) {
		t.Errorf("a stale history: %v", err)
	}
	if err := s.Clear(t.Context(), game.ClearRequest{Player: "p1", Request: "z", At: storagetest.Epoch}); !errors.Is(err, game.ErrRebuilding) {
		t.Errorf("clearing a stale history: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, path)
	s.background.Wait()
	for what, answer := range facts(s) {
		if answer != want[what] {
			t.Errorf("%s is %.150s instead of %.150s", what, answer, want[what])
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestRebuildTriedAgain: a part of a rebuild that is tried again, because another change in its
// transaction has failed, leaves nothing out.
func TestRebuildTriedAgain(t *testing.T) {
	s := mustTemp(t)
	s.background.Wait()
	fill(t, s)
	s.group.wait()
	want := facts(s)
	failed := errors.New("another change has failed")
	s.group.update = func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
		if err := update(db, func(tx *bbolt.Tx) error { return cmp.Or(f(tx), failed) }); !errors.Is(err, failed) {
			return err
		}
		return update(db, f)
	}
	s.rebuild(statistics)
	for what, answer := range facts(s) {
		if answer != want[what] {
			t.Errorf("%s is %.150s instead of %.150s", what, answer, want[what])
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestRebuildOnFullDisk: a rebuild begins again when the disk takes changes again.
func TestRebuildOnFullDisk(t *testing.T) {
	s := mustTemp(t)
	s.background.Wait()
	fill(t, s)
	s.group.wait()
	want := facts(s)
	defer func(was time.Duration) { testOnlyRebuildAgain = was }(testOnlyRebuildAgain)
	testOnlyRebuildAgain = time.Millisecond
	transactions := 0
	s.group.update = func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
		if transactions++; transactions != 1 && transactions != 4 {
			return update(db, f)
		}
		full := &os.PathError{Op: "write", Path: "test.db", Err: syscall.ENOSPC}
		return update(db, func(tx *bbolt.Tx) error { return cmp.Or[error](f(tx), full) })
	}
	s.rebuild(statistics)
	if transactions < 5 {
		t.Errorf("there were only %d transactions", transactions)
	}
	for what, answer := range facts(s) {
		if answer != want[what] {
			t.Errorf("%s is %.150s instead of %.150s", what, answer, want[what])
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestUnreadableMatch: where a match, or the slot that leads to it, cannot be read,
// another one can be started, and the damaged one is kept.
func TestUnreadableMatch(t *testing.T) {
	for _, bucket := range [][]byte{bucketMatches, bucketSlots} {
		path := filepath.Join(t.TempDir(), "test.db")
		s := mustOpenDamaged(t, path)
		ctx := context.Background()
		g := storagetest.Wordle
		m := g.Match("m1", game.Location{Guild: "g", Channel: "c"}, "ana", "CRANE")
		storagetest.MustCommit(t, s, m)
		spoil(t, s, bucket)
		if _, err := s.Load(ctx, m.Slot()); !errors.Is(err, game.ErrUnreadable) || !errors.Is(err, game.ErrDamaged) {
			t.Errorf("%s: loading: %v", bucket, err)
		}
		if err := s.Commit(ctx, storagetest.Change(g.Guess(t, m, "ana", "SLATE"))); !errors.Is(err, game.ErrDamaged) {
			t.Errorf("%s: a guess: %v", bucket, err)
		}
		if _, version, err := s.Repeated(ctx, m.Slot(), "new"); version != 0 || err != nil {
			t.Errorf("%s: a new request: %d, %v", bucket, version, err)
		}
		next := g.Match("m2", m.Location, "ben", "SLATE")
		storagetest.MustCommit(t, s, next)
		if got, err := s.Load(ctx, m.Slot()); err != nil || got.ID != "m2" {
			t.Errorf("%s: the slot has %v, %v", bucket, got, err)
		}
		aside := 0
		if err := view(s.db, func(tx *bbolt.Tx) error {
			aside = tx.Bucket(bucketDamaged).Stats().KeyN
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if want := map[string]int{string(bucketMatches): 1}[string(bucket)]; aside != want {
			t.Errorf("%s: %d matches were set aside", bucket, aside)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if aside > 0 {
			mustCheck(t, path)
		}
	}
}

// TestDamagedCaches: damaged recent answers, reviews and puzzles refuse nothing.
func TestDamagedCaches(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpen(t, path)
	ctx := context.Background()
	g := storagetest.Wordle
	recent := game.RecentList{Name: "list", Keep: 10}
	start := func(id string, player game.PlayerID) game.Match {
		t.Helper()
		m := storagetest.Personal(g.Match(id, game.Location{Guild: "g", Channel: "c"}, player, "CRANE"), 7)
		c := storagetest.Change(m)
		c.Recent = recent
		if err := s.Commit(ctx, c); err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := g.Guess(t, start("m1", "ana"), "ana", "CRANE")
	storagetest.MustCommit(t, s, m)
	if err := s.SaveReview(ctx, m, g.Review(1)); err != nil {
		t.Fatal(err)
	}
	s.group.wait()
	spoil(t, s, bucketRecent, bucketReviews, bucketPuzzles)
	if answers, err := s.RecentAnswers(ctx, "list"); len(answers) != 0 || err != nil {
		t.Errorf("recent answers: %v, %v", answers, err)
	}
	if _, ok, err := s.Review(ctx, m); ok || err != nil {
		t.Errorf("a review: %t, %v", ok, err)
	}
	if err := s.SaveReview(ctx, m, g.Review(2)); err != nil {
		t.Fatal(err)
	}
	s.group.wait()
	if _, ok, err := s.Review(ctx, m); !ok || err != nil {
		t.Errorf("the review made again: %t, %v", ok, err)
	}
	if p, ok, err := s.Puzzle(ctx, g.Kind(), game.DailyPuzzle(7)); !ok || err != nil || p.Answer() != "CRANE" {
		t.Errorf("the puzzle: %v, %t, %v", p, ok, err)
	}
	start("m2", "ben")
	other := g.Match("m3", game.Location{Guild: "g", Channel: "c"}, "ana", "SLATE")
	c := storagetest.Change(other)
	c.Recent = recent
	if err := s.Commit(ctx, c); err != nil {
		t.Errorf("a start with a damaged list: %v", err)
	}
	if answers, err := s.RecentAnswers(ctx, "list"); len(answers) != 1 || err != nil {
		t.Errorf("recent answers afterwards: %v, %v", answers, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
