package storage_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/ordered"
)

// BenchmarkGuess plays games in many channels at once, each of a server of its own or all of one: an operation is a start or
// a guess, with all that the manager reads before it.
func BenchmarkGuess(b *testing.B) {
	for name, engine := range engines {
		b.Run(name+"/many servers", func(b *testing.B) { benchmarkGuess(b, engine, 64) })
		b.Run(name+"/one server", func(b *testing.B) { benchmarkGuess(b, engine, 1) })
	}
}

func benchmarkGuess(b *testing.B, engine func(testing.TB) func() (ordered.Map, error), guilds int) {
	m, err := engine(b)()
	if err != nil {
		b.Fatal(err)
	}
	s := storage.New(m, codecs, storage.Options{})
	defer s.Close()
	const channels = 64
	p := newPlayers(b, s, channels, func(channel int) game.GuildID {
		return game.GuildID(fmt.Sprint(900_000_000_000_000_000 + channel%guilds))
	})
	var next atomic.Int64
	b.SetParallelism(channels / 2)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		channel := int(next.Add(1)-1) % channels
		for pb.Next() {
			p.play(b, channel)
		}
	})
}
