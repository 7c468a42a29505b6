package discord

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"fivefold/bot/discord/discordtest"
)

// BenchmarkAnswers has a bot answer guesses and boards in 256 channels, 64 at a time. The
// fake Discord takes part of the time, and its memory grows with every answer.
func BenchmarkAnswers(b *testing.B) {
	s := discordtest.New(b, inTwoServers)
	mustReady(b, s)
	const channels, atOnce = 256, 64
	ask := func(n int) discordtest.Interaction {
		i := discordtest.Interaction{Command: "wordle board"}
		if n%4 != 0 {
			i = guessOf("aaaaa")
		}
		i.Guild, i.Channel = server, strconv.Itoa(7_000_000+n%channels)
		i.User = strconv.Itoa(8_000_000 + n%channels) // a player has few requests in flight
		return i
	}
	for n := range channels {
		mustAnswer(b, s, discordtest.Interaction{Command: "wordle start", Guild: server, Channel: ask(n).Channel})
	}
	ctx := b.Context()
	var n atomic.Int64
	b.ResetTimer()
	var asking sync.WaitGroup
	for range atOnce {
		asking.Go(func() {
			for {
				k := int(n.Add(1))
				if k > b.N {
					return
				}
				if _, err := s.Invoke(ask(k)).Message(ctx); err != nil {
					b.Error(err)
				}
			}
		})
	}
	asking.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "answers/s")
}
