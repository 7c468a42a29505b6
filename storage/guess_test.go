package storage_test

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"fivefold/bot/kinds"
	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
)

// BenchmarkGuess plays games in many channels at once: an operation is a start or a guess, with all that
// the manager reads before it.
func BenchmarkGuess(b *testing.B) {
	for name, url := range map[string]func(b *testing.B) string{
		"file":     func(b *testing.B) string { return "bolt:" + filepath.Join(b.TempDir(), "test.db") },
		"database": func(b *testing.B) string { return postgrestest.Database(b) },
	} {
		b.Run(name, func(b *testing.B) {
			s, err := storage.Open(b.Context(), url(b), kinds.Codecs(), storage.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			const channels = 64
			p := storagetest.NewPlayers(b, s, channels)
			p.Guild = func(channel int) game.GuildID { return game.GuildID(fmt.Sprint(900_000_000_000_000_000 + channel)) }
			var next atomic.Int64
			b.SetParallelism(channels / 2)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				channel := int(next.Add(1)-1) % channels
				for pb.Next() {
					p.Play(b, channel)
				}
			})
		})
	}
}
