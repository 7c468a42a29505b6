package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/game/racetest"
	"fivefold/storage/storagetest"
)

// withoutRests has checks in the background not rest until the end of the test.
func withoutRests(t *testing.T) {
	was := testOnlyCheckRest
	testOnlyCheckRest = 0
	t.Cleanup(func() { testOnlyCheckRest = was })
}

// makeLong makes a file with more keys than are walked over at the start.
func makeLong(t *testing.T, path string) {
	t.Helper()
	s := mustOpenDamaged(t, path)
	s.db.NoSync = true
	if err := update(s.db, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		for i := range checkedKeys + 10_000 {
			if err := b.put(row{bucketRecent, fmt.Appendf(nil, "match-%06d", i), encodeAnswers([]string{"CRANE"})}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestChecksInBackground: what the start has no time for is checked while games go on,
// and damage there is logged and counted.
func TestChecksInBackground(t *testing.T) {
	withoutRests(t)
	path := filepath.Join(t.TempDir(), "test.db")
	makeLong(t, path)
	whole := mustRead(t, path)
	for _, c := range []struct {
		name, log string
		data      []byte
		problems  bool
	}{
		{"whole", "the file was checked", whole, false},
		{"keys out of order", "where=\"drawn ", bytes.ReplaceAll(whole, []byte("match-059000"), []byte("aatch-059000")), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "test.db")
			mustWrite(t, path, c.data)
			var log strings.Builder
			s, err := Open(path, testCodecs, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			storagetest.MustCommit(t, s, storagetest.Wordle.Match("m", game.Location{Channel: "c"}, "ana", "crane"))
			s.background.Wait()
			if got, err := s.Stats(); err != nil || !got.Checked || (got.Problems > 0) != c.problems {
				t.Errorf("it is %+v, %v", got, err)
			}
			if !strings.Contains(log.String(), c.log) || strings.Count(log.String(), "\n") != 1 {
				t.Errorf("the log is\n%s", log.String())
			}
		})
	}
}

// TestCloseEndsCheck: it does not keep the program from ending.
func TestCloseEndsCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	makeLong(t, path)
	was := testOnlyCheckRest
	defer func() { testOnlyCheckRest = was }()
	testOnlyCheckRest = 1e6 // it rests for hours, and so is not at its end before the store is closed
	s := mustOpenDamaged(t, path)
	within(t, "closing", func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if s.checked.Load() {
		t.Error("it went to its end")
	}
}

// TestFindsInBackground: the background check finds what Check finds. What is derived
// is made again.
func TestFindsInBackground(t *testing.T) {
	withoutRests(t)
	put := func(rows ...row) func(buckets) error { return func(b buckets) error { return b.put(rows...) } }
	// change replaces the first value of a bucket.
	change := func(name []byte, f func(key, value []byte) []byte) func(buckets) error {
		return func(b buckets) error {
			key, value := b.Bucket(name).Cursor().First()
			key = bytes.Clone(key)
			return b.put(row{name, key, f(key, bytes.Clone(value))})
		}
	}
	drop := func([]byte, []byte) []byte { return nil }
	otherTotals := func(_, value []byte) []byte {
		return bytes.Replace(value, []byte(`"played":`), []byte(`"played":1`), 1)
	}
	for n, c := range []struct {
		name, where string
		damage      func(buckets) error
		lost        bool
	}{
		{"totals", "totals 1", change(bucketTotals, otherTotals), false},
		{"archive missing", "totals ", change(bucketArchive, drop), false},
		{"rank too many", "ranks 1", put(row{bucketRanks, append([]byte("g0\x00"), rankKey(game.Totals{Player: "p0", Played: 999})...), nothing}), false},
		{"chunk", "rank-chunks 1", change(bucketRankChunks, func(_, value []byte) []byte { return number(99) }), false},
		{"history missing", "matches 1", change(bucketHistory, drop), false},
		{"history too many", "history 1", put(row{bucketHistory, indexKey(communityPrefix("guild/g9"), 1), append(number(50), "wwCRANE"...)}), false},
		{"player's history missing", "history-players ", change(bucketPlayers, drop), false},
		{"a match being played missing", "open 1", change(bucketOpen, drop), false},
		{"a match being played too many", "open 1", put(row{bucketOpen, append(number(1), "m000"...), nothing}), false},
		{"what cannot be made again", `where="channels 1, matches 1, notes 1, reviews 1"`, func(b buckets) error {
			key, _ := b.Bucket(bucketMatches).Cursor().First()
			return errors.Join(
				b.Tx.Bucket(bucketMatches).Put(bytes.Clone(key), []byte("neither a match nor a checksum")),
				put(row{bucketSlots, []byte("nowhere"), []byte("no match")}, row{bucketReviews, []byte("no match"), []byte("{}")})(b),
				change(bucketSessions, func(_, value []byte) []byte { return value[1:] })(b))
		}, true},
	} {
		if racetest.Enabled && n%3 > 0 { // the others overlap as these do
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "test.db")
			s := mustOpenDamaged(t, path)
			fill(t, s)
			s.background.Wait()
			if err := update(s.db, func(tx *bbolt.Tx) error { return c.damage(buckets{tx, s.codecs}) }); err != nil {
				t.Fatal(err)
			}
			mustClose(t, s)
			found := 0
			if _, err := Check(t.Context(), path, testCodecs, func(Finding) { found++ }, nil); err != nil || found == 0 {
				t.Fatalf("Check finds %d problems, %v", found, err)
			}
			var log log
			s, err := Open(path, testCodecs, Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
			if err != nil {
				t.Fatal(err)
			}
			s.background.Wait()
			if got, err := s.Stats(); err != nil || !got.Checked || got.Problems == 0 {
				t.Errorf("it is %+v, %v", got, err)
			}
			if text := log.String(); !strings.Contains(text, c.where) || strings.Contains(text, "with_loss=0") == c.lost {
				t.Errorf("the log is\n%s\nwant %q", text, c.where)
			}
			mustClose(t, s)
			var left []Finding
			if _, err := Check(t.Context(), path, testCodecs, func(f Finding) { left = append(left, f) }, nil); err != nil {
				t.Error(err)
			}
			for _, f := range left {
				if _, derived := derivationOf([]byte(f.Bucket)); derived {
					t.Errorf("afterwards there is still %v", f)
				}
			}
		})
	}
}

// TestChecksWhileGamesGoOn: nothing is found where nothing is wrong, whatever players do
// meanwhile.
func TestChecksWhileGamesGoOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := mustOpen(t, path)
	fill(t, s)
	s.forgetBatch, s.clearBatch = 3, 3
	stop := make(chan struct{})
	var playing sync.WaitGroup
	playing.Go(func() {
		g := storagetest.Wordle
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			player := game.PlayerID(fmt.Sprint("p", n%9))
			m := g.Match(fmt.Sprint("x", n), game.Location{Guild: "g1", Channel: "c9"}, player, "CRANE")
			for _, m := range []game.Match{m, g.Guess(t, m, player, "CRANE")} {
				if err := s.Commit(t.Context(), storagetest.Change(m)); err != nil {
					t.Error(err)
				}
			}
			if n%40 == 0 {
				if _, err := s.Forget(t.Context(), storagetest.Epoch.Add(time.Hour)); err != nil {
					t.Error(err)
				}
			}
			if n%25 == 0 {
				if err := s.Clear(t.Context(), game.ClearRequest{Player: player, Request: game.RequestID(fmt.Sprint("clear", n)), At: storagetest.Epoch}); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for range 3 {
		s.checkInBackground()
	}
	close(stop)
	playing.Wait()
	if got, err := s.Stats(); err != nil || got.Problems > 0 {
		t.Errorf("it is %+v, %v", got, err)
	}
	mustClose(t, s)
}
