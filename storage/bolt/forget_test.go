package bolt

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// longLater is after the end of every match of a test.
var longLater = storagetest.Epoch.Add(time.Hour)

// mustPlayPair has two players win matches in a server and in direct messages, and
// returns the log.
func mustPlayPair(tb testing.TB, s *Store, n int) []game.Result {
	tb.Helper()
	mustPlayWith(tb, s, "ana", "ben", n)
	s.db.NoSync = true
	log, err := s.Results(tb.Context(), 0, 1000)
	if err != nil {
		tb.Fatal(err)
	}
	return log
}

// checkScopes compares totals and the leaderboard with a log of everything that was played.
func checkScopes(t *testing.T, s *Store, log []game.Result) {
	t.Helper()
	storagetest.CheckLeaderboard(t, s, game.Scope{Kind: game.Wordle, Guild: testGuild}, log)
	for player, want := range game.Tally(log)[game.Scope{Kind: game.Wordle}] {
		if got, err := s.Totals(t.Context(), game.Scope{Kind: game.Wordle}, player); got != want || err != nil {
			t.Errorf("totals of %s everywhere: %+v, %v, want %+v", player, got, err, want)
		}
	}
}

// mustForget removes the first results of the log.
func mustForget(tb testing.TB, s *Store, n int) {
	tb.Helper()
	if err := update(s.db, func(tx *bbolt.Tx) error {
		_, err := buckets{tx, s.codecs}.forgetSome(longLater, n)
		return err
	}); err != nil {
		tb.Fatal(err)
	}
}

// mustClose closes a store.
func mustClose(tb testing.TB, s *Store) {
	tb.Helper()
	if err := s.Close(); err != nil {
		tb.Fatal(err)
	}
}

// TestForgetKilled: wherever a kill falls between the batches, the file is in order, counts
// what it counted before, and the rest is removed next time.
func TestForgetKilled(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "test.db")
	s := mustOpen(t, path)
	s.forgetBatch = 3
	log := mustPlayPair(t, s, 10)
	var images []string
	s.group.update = func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
		err := update(db, f)
		image := filepath.Join(folder, fmt.Sprint("image-", len(images)))
		mustWrite(t, image, mustRead(t, path)) // what a kill would leave
		images = append(images, image)
		return err
	}
	if n, err := s.Forget(t.Context(), longLater); n != len(log) || err != nil {
		t.Fatalf("%d matches were removed, %v, want %d", n, err, len(log))
	}
	mustClose(t, s)
	if len(images) != 8 { // 20 matches, and once more to see that there are none left
		t.Errorf("there were %d transactions", len(images))
	}
	left := len(log)
	for i, image := range images {
		mustCheck(t, image)
		s := mustOpen(t, image)
		checkScopes(t, s, log)
		left = max(0, left-3)
		if n, err := s.Forget(t.Context(), longLater); n != left || err != nil {
			t.Errorf("after %d batches %d more were removed, %v, want %d", i+1, n, err, left)
		}
		checkScopes(t, s, log)
		mustClose(t, s)
	}
}

// TestForgetWhileClearing: results that no longer count for a player do not get to the
// archive either.
func TestForgetWhileClearing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpen(t, path)
	log := mustPlayPair(t, s, 10)
	mustForget(t, s, 5)
	if err := update(s.db, func(tx *bbolt.Tx) error {
		return buckets{tx, s.codecs}.beginClear(game.ClearRequest{Player: "ana", Request: "clear", At: storagetest.Epoch})
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(t.Context(), longLater); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	mustCheck(t, path)
	s = mustOpen(t, path) // which goes on with the clearing
	s.background.Wait()
	if n := countName(t, s, "ana"); n != 0 {
		t.Errorf("the name is there %d times", n)
	}
	for i := range log {
		for n, p := range log[i].Participants {
			if p.Player == "ana" {
				log[i].Participants[n].Player = ""
			}
		}
	}
	checkScopes(t, s, log)
	mustClose(t, s)
}

// TestForgetAndRebuild: statistics that are made again have what was removed in them, and
// nothing is removed meanwhile.
func TestForgetAndRebuild(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpen(t, path)
	s.background.Wait() // what is stale when a file is opened is made again in the background
	log := mustPlayPair(t, s, 10)
	mustForget(t, s, 9)
	if err := update(s.db, func(tx *bbolt.Tx) error {
		return buckets{tx, s.codecs}.put(row{bucketMeta, []byte(statistics.name), staleMark})
	}); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Forget(t.Context(), longLater); n != 0 || !errors.Is(err, game.ErrRebuilding) {
		t.Errorf("%d matches were removed, %v", n, err)
	}
	s.rebuild(statistics)
	checkScopes(t, s, log)
	mustClose(t, s)
	mustCheck(t, path)
}

// TestForgetAndRepair: a repair makes totals from the archive and the log. Results and
// matches that were removed, and come back, do not count twice.
func TestForgetAndRepair(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpenDamaged(t, path)
	log := mustPlayPair(t, s, 10)
	var back []row // the first result and its match
	if err := view(s.db, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		for _, r := range []row{{bucketResults, number(1), nil}, {bucketMatches, []byte(log[0].Match), nil}} {
			r.value = append(r.value, b.Bucket(r.bucket).Get(r.key)...)
			back = append(back, r)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	mustForget(t, s, 10)
	if err := update(s.db, func(tx *bbolt.Tx) error { return buckets{tx, s.codecs}.put(back...) }); err != nil {
		t.Fatal(err)
	}
	spoil(t, s, bucketTotals, bucketRanks, bucketNumbers)
	mustClose(t, s)
	again := false
	if _, err := Check(t.Context(), path, testCodecs, func(f Finding) {
		again = again || strings.Contains(f.Problem, "was removed, but is there again")
	}, nil); err != nil || !again {
		t.Errorf("the check finds what came back: %t, %v", again, err)
	}
	if _, err := Repair(t.Context(), path, testCodecs, func(Finding) {}, nil); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, path)
	checkScopes(t, s, log)
	if m, err := s.Results(t.Context(), 0, 1); err != nil || len(m) != 1 || m[0].Number != 11 {
		t.Errorf("the log begins with %+v, %v", m, err)
	}
	mustClose(t, s)
}

// TestForgetDamaged: nothing else says what leads to a match that cannot be read, so nothing
// is removed until a repair. After that, it is.
func TestForgetDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpenDamaged(t, path)
	log := mustPlayPair(t, s, 3)
	if err := update(s.db, func(tx *bbolt.Tx) error {
		id := []byte(log[0].Match)
		return tx.Bucket(bucketMatches).Put(id, []byte("no match, and no checksum"))
	}); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Forget(t.Context(), longLater); n != 0 || !errors.Is(err, game.ErrDamaged) {
		t.Errorf("%d matches were removed, %v", n, err)
	}
	mustClose(t, s)
	if _, err := Repair(t.Context(), path, testCodecs, func(Finding) {}, nil); err != nil {
		t.Fatal(err)
	}
	s = mustOpen(t, path)
	if n, err := s.Forget(t.Context(), longLater); n != len(log) || err != nil {
		t.Errorf("after a repair %d matches were removed, %v", n, err)
	}
	checkScopes(t, s, log)
	mustClose(t, s)
}

// TestKeep: a store that keeps matches for a time removes older ones when it is opened. Their
// age counts from the last request in the last match by Discord's clock, so a clock that is
// years ahead removes nothing too early, even if that match has ended as idle.
func TestKeep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpen(t, path)
	s.db.NoSync = true
	day := 24 * time.Hour
	// Discord's clock, in milliseconds since 2015; the matches themselves are of a wrong clock.
	snowflake := func(at time.Time) game.RequestID {
		return game.RequestID(strconv.FormatInt((at.UnixMilli()-1_420_070_400_000)<<22, 10))
	}
	first := storagetest.Epoch.AddDate(-5, 0, 0)
	for i := range 10 {
		g := storagetest.Wordle
		m := g.Match(fmt.Sprint("m", i), game.Location{Guild: testGuild, Channel: channel(i)}, "ana", "crane")
		at := first.Add(time.Duration(i) * day)
		end := game.Change{Match: g.Guess(t, m, "ana", "crane"), Request: snowflake(at.Add(time.Second)), At: at}
		if i == 9 {
			end.Match, end.Request = m, game.RequestID(m.ID)+"-idle"
			end.Match.Version, end.Match.Stop = 2, &game.Stop{At: storagetest.Epoch, Version: 2, Idle: true}
		}
		for _, c := range []game.Change{{Match: m, Request: snowflake(at), At: at}, end} {
			if err := s.Commit(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
	}
	mustClose(t, s)
	lines := make(chan string, 100)
	s, err := Open(path, testCodecs, Options{Keep: 7 * day, Log: slog.New(slog.NewTextHandler(lineWriter(lines), nil))})
	if err != nil {
		t.Fatal(err)
	}
	for line := range lines {
		if strings.Contains(line, "were removed") {
			if !strings.Contains(line, "games=2") { // of the days 0 and 1; day 9 was the last, and day 2 is 7 days old
				t.Errorf("the log says %s", line)
			}
			break
		}
	}
	results, err := s.Results(context.Background(), 0, 100)
	if err != nil || len(results) != 8 || results[0].Match != "m2" {
		t.Errorf("the log has %+v, %v", results, err)
	}
	mustClose(t, s)
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// lineWriter sends what is written to a channel.
type lineWriter chan<- string

func (w lineWriter) Write(b []byte) (int, error) {
	w <- string(b)
	return len(b), nil
}
