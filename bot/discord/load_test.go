package discord

import (
	"strconv"
	"sync"
	"testing"

	"fivefold/bot/discord/discordtest"
)

// BenchmarkLoad plays in 256 channels of eight servers, 64 interactions at a time, with a
// store on the disk. An operation is one answered interaction.
func BenchmarkLoad(b *testing.B) {
	const channels, atOnce = 256, 64
	s := discordtest.New(b, discordtest.Options{})
	mustReady(b, s)
	game := []discordtest.Interaction{
		{Command: "wordle start"}, guessOf("slate"), guessOf("trace"), {Command: "wordle board"},
		{Type: discordtest.TypeAutocomplete, Command: "guess", Focused: "word", Options: map[string]any{"word": "cra"}},
		{Command: "wordle stop"},
	}
	ctx := b.Context()
	var next, left sync.Mutex // protect channel, and n
	channel, n := 0, 0
	play := func() bool {
		left.Lock()
		done := n <= 0
		n -= len(game)
		left.Unlock()
		if done {
			return false
		}
		next.Lock()
		c := channel
		channel = (channel + 1) % channels
		next.Unlock()
		for _, i := range game {
			i.Channel, i.Guild = strconv.Itoa(1300000000000010000+c), strconv.Itoa(1500000000000000000+c%8)
			i.User = strconv.Itoa(1200000000000010000 + c)
			if _, err := s.Invoke(i).Message(ctx); err != nil {
				b.Error(err)
				return false
			}
		}
		return true
	}
	b.ResetTimer()
	n = b.N
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for play() {
			}
		})
	}
	all.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "answers/s")
}
