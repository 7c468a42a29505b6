package storage_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
)

// TestKeep: games are removed when they are older than they are kept, by the times of their requests: our own clock that is a year
// ahead or behind removes none too early.
func TestKeep(t *testing.T) {
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	for off, want := range map[time.Duration]string{0: "[young]", year: "[young]", -year: "[old young]"} {
		synctest.Test(t, func(t *testing.T) {
			m, g := &orderedtest.Memory{}, wordGame
			s := storage.New(m, codecs, storage.Options{})
			for i, age := range []time.Duration{8 * day, 0} {
				match := g.match([]string{"old", "young"}[i], game.Location{Channel: "c"}, "ana")
				mustCommitAll(t, s, later(g.win(t, match, "ana"), time.Since(epoch)-off-age))
			}
			mustClose(t, s)
			s = storage.New(m, codecs, storage.Options{Keep: 7 * day})
			end := run(t, s)
			time.Sleep(time.Minute)
			synctest.Wait()
			results, err := s.Results(t.Context(), 0, 9)
			var kept []game.MatchID
			for _, r := range results {
				kept = append(kept, r.Match)
			}
			if fmt.Sprint(kept) != want || err != nil {
				t.Errorf("by a clock that is off by %v, %v is kept, %v, want %s", off, kept, err, want)
			}
			end()
			mustClose(t, s)
		})
	}
}

// silentMap is a map in which no commit is answered any more.
type silentMap struct{ ordered.Map }

func (silentMap) Commit(ctx context.Context, _ ordered.Change) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestCloseInTime: a review that is being saved does not keep the store from closing.
func TestCloseInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &orderedtest.Memory{}
		match := mustDaily(t, storage.New(m, codecs, storage.Options{}))
		s := storage.New(silentMap{m}, codecs, storage.Options{})
		if err := s.SaveReview(t.Context(), match, wordGame.review(1)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		began := time.Now()
		mustClose(t, s)
		if took := time.Since(began); took > time.Second {
			t.Errorf("it took %v to close", took)
		}
	})
}
