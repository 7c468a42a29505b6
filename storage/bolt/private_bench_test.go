package bolt

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/storagetest"
)

// BenchmarkPrivate lists pages of a server with 100 000 results, of which 90 % are games that
// a thousand players have played alone. The last ten thousand are all of these, so a page that
// had to skip them would walk over ten thousand.
//
//	go test ./storage/bolt -run - -bench Private -benchtime 200x
func BenchmarkPrivate(b *testing.B) {
	results := sized(100_000)
	tail := results / 10
	path := filepath.Join(b.TempDir(), "private.db")
	s := mustOpen(b, path)
	s.db.NoSync = true
	base := storagetest.Wordle.Match("m", game.Location{Guild: "g"}, "p", "crane")
	base = storagetest.Wordle.Guess(b, storagetest.Wordle.Guess(b, base, "p", "slate"), "p", "crane")
	for from := 0; from < results; from += 1000 {
		if err := update(s.db, func(tx *bbolt.Tx) error {
			for i := from; i < from+1000; i++ {
				player := game.PlayerID(fmt.Sprint("player-", i%1000))
				m := base
				m.ID = game.MatchID(fmt.Sprint(1_200_000_000_000_000_000 + i))
				m.Location.Channel = game.ChannelID(fmt.Sprint("c", i%20))
				m.Starter = player
				m.Moves = []game.Move{{Player: player, At: storagetest.Epoch, Version: 2}, {Player: player, At: storagetest.Epoch, Version: 3}}
				if i%9 != 0 || i >= results-tail {
					m.Mode = game.Solo
				}
				data, err := testCodecs.EncodeMatch(m)
				if err != nil {
					return err
				}
				requests := []game.RequestID{game.RequestID(m.ID), game.RequestID(m.ID + "1"), game.RequestID(m.ID + "2")}
				at := storagetest.Epoch.Add(time.Duration(i) * time.Hour) // so that few receipts stay
				if err := (buckets{tx, testCodecs}).write(game.Change{Match: m, Request: requests[2], At: at}, matchEntry{requests, data}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
	defer s.Close()
	games := &game.Manager{Store: s}
	viewer := game.Viewer{Player: "player-7", Location: game.Location{Guild: "g", Channel: "c1"}}
	viewer.MayRead = func(_ context.Context, c game.ChannelID) bool { return c != "c0" }
	for _, c := range []struct {
		name string
		f    game.Filter
	}{
		{"newest", game.Filter{}},
		{"middle", game.Filter{Before: uint64(results) / 2}},
		{"own", game.Filter{Player: "player-7"}},
		{"another player's", game.Filter{Player: "player-9"}},
		{"lost", game.Filter{Status: game.Lost}},
		{"no such word", game.Filter{Answer: "ZEBRA"}},
	} {
		c.f.Community, c.f.Limit = "guild/g", 10
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := games.History(b.Context(), viewer, c.f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
