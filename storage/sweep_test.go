package storage_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/storagetest"
)

// TestReceiptsAreSwept: receipts go a day after their requests, even those whose ids hold no time, and an id
// from the future removes none.
func TestReceiptsAreSwept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(20 * 365 * 24 * time.Hour) // to when Discord made requests
		m := &ordered.Memory{}
		s := storage.New(m, codecs, storage.Options{})
		defer s.Close()
		games := 0
		// play plays a game of one guess under two ids: of Discord's, made ahead of now, or of another front's.
		play := func(ahead time.Duration, discord bool) {
			t.Helper()
			games++
			g := storagetest.Wordle
			match := g.Match(fmt.Sprint("m", games), game.Location{Channel: game.ChannelID(fmt.Sprint("c", games))}, "ana", g.Answers[0])
			match = g.Guess(t, match, "ana", g.Answers[0])
			for version := range match.Version {
				request := game.RequestID(fmt.Sprint("local-", time.Now().UnixNano(), version))
				if discord {
					request = game.RequestID(fmt.Sprint((time.Now().Add(ahead).UnixMilli()-1_420_070_400_000)<<22 + int64(version)))
				}
				if err := s.Commit(t.Context(), game.Change{Match: match.Rewind(version + 1), Request: request, At: time.Now()}); err != nil {
					t.Fatal(err)
				}
			}
		}
		check := func(when string, want int) {
			t.Helper()
			if n, err := m.Count(t.Context(), ordered.Prefix("receipt\x00")); n != want || err != nil {
				t.Errorf("%s there are %d receipts, %v, want %d", when, n, err, want)
			}
		}
		play(0, true)
		play(0, false)
		time.Sleep(23 * time.Hour)
		play(365*24*time.Hour, true)
		check("after an id from the future", 6)
		time.Sleep(2 * time.Hour)
		play(0, true)
		check("after a day", 4)
	})
}
