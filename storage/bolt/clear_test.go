package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// mustPlayWith lets two players win a number of matches in a server, and one of
// them as many in direct messages.
func mustPlayWith(tb testing.TB, s *Store, player, other game.PlayerID, n int) {
	tb.Helper()
	s.db.NoSync = true
	for i := range n {
		for _, p := range []game.Location{{Guild: testGuild, Channel: "c"}, {Channel: "dm"}} {
			m := storagetest.Wordle.Match(fmt.Sprint(p.Channel, i), p, player, "crane")
			second := player
			if p.Guild != "" {
				second = other
			}
			steps := []game.Match{m, storagetest.Wordle.Guess(tb, m, player, "slate")}
			steps = append(steps, storagetest.Wordle.Guess(tb, steps[1], second, "crane"))
			for _, m := range steps {
				if err := s.Commit(tb.Context(), game.Change{Match: m, Request: requestOf(m), At: storagetest.Epoch}); err != nil {
					tb.Fatal(err)
				}
			}
		}
	}
	s.db.NoSync = false
}

// countName returns how often a name is in the whole file.
func countName(t *testing.T, s *Store, name string) (found int) {
	t.Helper()
	err := s.read(t.Context(), func(tx *bbolt.Tx) error {
		return tx.ForEach(func(_ []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(k, v []byte) error {
				found += bytes.Count(append(bytes.Clone(k), v...), []byte(name))
				return nil
			})
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestClearLeavesNoName looks for a player's name in the whole file.
func TestClearLeavesNoName(t *testing.T) {
	const player, other = "zebedee", "florence"
	s := mustOpen(t, filepath.Join(t.TempDir(), "test.db"))
	defer s.Close()
	mustPlayWith(t, s, player, other, 3)
	count := func(name string) int { return countName(t, s, name) }
	if count(player) == 0 || count(other) == 0 {
		t.Fatal("the file does not have the names")
	}
	before := count(other)
	if err := s.Clear(t.Context(), game.ClearRequest{Player: player, Request: "clear", At: storagetest.Epoch}); err != nil {
		t.Fatal(err)
	}
	if got := count(player); got != 0 {
		t.Errorf("the name is still there %d times", got)
	}
	if got := count(other); got != before {
		t.Errorf("the other one's name is there %d times, and was %d times", got, before)
	}
}

// TestClearLost: a name is also removed from the results of matches that were set aside or lost.
func TestClearLost(t *testing.T) {
	const player, other = "zebedee", "florence"
	s := mustOpen(t, filepath.Join(t.TempDir(), "test.db"))
	defer s.Close()
	mustPlayWith(t, s, player, other, 3)
	if err := update(s.db, func(tx *bbolt.Tx) error {
		b := buckets{tx, testCodecs}
		return errors.Join(b.setAside(bucketMatches, []byte("c1")), b.setAside(bucketMatches, []byte("dm1")))
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Finished(t.Context(), "c1"); !errors.Is(err, game.ErrNotInHistory) {
		t.Errorf("looking at a match that is lost: %v", err)
	}
	for i, name := range []game.PlayerID{other, player} {
		if err := s.Clear(t.Context(), game.ClearRequest{Player: name, Request: game.RequestID(fmt.Sprint("clear", i)), At: storagetest.Epoch}); err != nil {
			t.Fatal(err)
		}
		if got := countName(t, s, string(name)); got != 0 {
			t.Errorf("the name %s is still there %d times", name, got)
		}
		want := []int{3, 0}[i] // the second player was alone by then
		entries, err := s.History(t.Context(), game.Filter{Community: game.Location{Guild: testGuild}.Community(), Limit: 10})
		if err != nil || len(entries) != want {
			t.Errorf("after %s the history has %d matches, %v, want %d", name, len(entries), err, want)
		}
	}
}

// TestClearSlice: a transaction that takes longer than it should gets no further match, so that
// others need not wait for the whole batch.
func TestClearSlice(t *testing.T) {
	const player, other = "zebedee", "florence"
	const each = 6 // matches in a server, and as many in direct messages
	s := mustOpen(t, filepath.Join(t.TempDir(), "test.db"))
	defer s.Close()
	s.clearSlice = 0
	mustPlayWith(t, s, player, other, each)
	transactions := 0
	s.group.update = func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
		transactions++
		return update(db, f)
	}
	if err := s.Clear(t.Context(), game.ClearRequest{Player: player, Request: "clear", At: storagetest.Epoch}); err != nil {
		t.Fatal(err)
	}
	if want := 1 + 2*each; transactions != want {
		t.Errorf("%d transactions, want %d", transactions, want)
	}
	if got := countName(t, s, player); got != 0 {
		t.Errorf("the name is still there %d times", got)
	}
}

// TestNextBatch: after a slow transaction the next one is smaller, down to a few matches.
func TestNextBatch(t *testing.T) {
	for _, test := range []struct {
		batch int
		took  time.Duration
		want  int
	}{
		{25, 10 * time.Millisecond, 25},
		{25, 50 * time.Millisecond, 25},
		{25, 100 * time.Millisecond, 12},
		{25, 4 * time.Second, 5},
		{5, 25 * time.Millisecond, 10},
		{5, 0, 25},
	} {
		if got := nextBatch(test.batch, test.took, 50*time.Millisecond, 25); got != test.want {
			t.Errorf("after %d in %v: got %d, want %d", test.batch, test.took, got, test.want)
		}
	}
}

// TestClearGoesOn: where a clearing has stopped in the middle, the next start goes on
// with it. The player has no statistics from the first transaction on, and a match that
// ends in the middle counts.
func TestClearGoesOn(t *testing.T) {
	const player, other = "zebedee", "florence"
	const each = 10 // matches in a server, and as many in direct messages
	path := filepath.Join(t.TempDir(), "test.db")
	for stopAfter := 1; ; stopAfter++ {
		path := fmt.Sprint(path, stopAfter)
		s := mustOpen(t, path)
		s.clearBatch, s.clearSlice = 7, time.Hour
		mustPlayWith(t, s, player, other, each)
		before := countName(t, s, other)
		transactions := 0
		s.group.update = func(db *bbolt.DB, f func(*bbolt.Tx) error) error {
			if transactions == stopAfter {
				return errBroken
			}
			transactions++
			return update(db, f)
		}
		clear := game.ClearRequest{Player: player, Request: "clear", At: storagetest.Epoch}
		err := s.Clear(t.Context(), clear)
		if err == nil {
			if transactions != 1+3 || stopAfter != transactions {
				t.Errorf("stopped after %d transactions, it ended well after %d", stopAfter, transactions)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			return
		}
		if !errors.Is(err, errBroken) {
			t.Errorf("stopped after %d transactions: %v", transactions, err)
		}
		s.group.update = update
		scope := game.Scope{Kind: game.Wordle, Guild: testGuild}
		if got, err := s.Totals(t.Context(), scope, player); err != nil || got != (game.Totals{Player: player}) {
			t.Errorf("after %d transactions the totals are %+v, %v", transactions, got, err)
		}
		m := storagetest.Wordle.Match("late", game.Location{Guild: testGuild, Channel: "other"}, player, "crane")
		storagetest.MustCommit(t, s, m)
		storagetest.MustCommit(t, s, storagetest.Wordle.Guess(t, m, player, "crane"))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = mustOpen(t, path)
		if stopAfter%2 == 0 {
			if err := s.Clear(t.Context(), clear); err != nil { // repeated, it waits
				t.Error(err)
			}
		} else {
			s.background.Wait()
		}
		if got := countName(t, s, other); got != before {
			t.Errorf("the other one's name is there %d times, and was %d times", got, before)
		}
		entries, err := s.History(t.Context(), game.Filter{Viewer: player, Player: player, Limit: 10})
		if err != nil || len(entries) != 1 || entries[0].Result.Match != m.ID {
			t.Errorf("the history is %+v, %v", entries, err)
		}
		log, err := s.Results(t.Context(), 0, 100)
		if err != nil || len(log) != 2*each+1 {
			t.Fatalf("the log has %d results, %v", len(log), err)
		}
		storagetest.CheckLeaderboard(t, s, scope, log)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestClearForgetsRequests: requests to clear do not pile up.
func TestClearForgetsRequests(t *testing.T) {
	s := mustOpen(t, filepath.Join(t.TempDir(), "test.db"))
	defer s.Close()
	for i := range 10 {
		at := storagetest.Epoch.Add(time.Duration(i) * 12 * time.Hour)
		if err := s.Clear(t.Context(), game.ClearRequest{Player: "ana", Request: game.RequestID(fmt.Sprint("r", i)), At: at}); err != nil {
			t.Fatal(err)
		}
	}
	err := s.read(t.Context(), func(tx *bbolt.Tx) error {
		if n := tx.Bucket(bucketReceipts).Stats().KeyN; n != 2 {
			t.Errorf("%d requests of five days are kept, want those of one day", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// BenchmarkClear clears the history of a player with 2000 matches, including the
// syncs of the file.
func BenchmarkClear(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		s := mustOpen(b, filepath.Join(b.TempDir(), "test.db"))
		mustPlayWith(b, s, "ana", "ben", sized(1000))
		b.StartTimer()
		if err := s.Clear(b.Context(), game.ClearRequest{Player: "ana", Request: "clear", At: storagetest.Epoch}); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// BenchmarkHistory lists pages of a server with 5000 matches. The worst is that
// of a word that was never hidden.
func BenchmarkHistory(b *testing.B) {
	s := mustOpen(b, filepath.Join(b.TempDir(), "test.db"))
	defer s.Close()
	matches := sized(5_000)
	mustPlayWith(b, s, "ana", "ben", matches)
	for name, f := range map[string]game.Filter{
		"newest":       {Community: "guild/g", Limit: 10},
		"middle":       {Community: "guild/g", Limit: 10, Before: uint64(matches) / 2},
		"player":       {Player: "ben", Community: "guild/g", Limit: 10},
		"no such word": {Community: "guild/g", Limit: 10, Answer: "ZEBRA"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.History(b.Context(), f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
