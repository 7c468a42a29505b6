package discord

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"testing"

	"fivefold/bot"
	"fivefold/bot/admission"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/game"
)

func liveHeap() int {
	runtime.GC()
	runtime.GC() // pools are emptied only now
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestNothingLeaks has a front answer many interactions, by boards and by messages for one player. It forgets some boards.
func TestNothingLeaks(t *testing.T) {
	const most = 1 << 20 // bytes
	quiet := slog.New(slog.DiscardHandler)
	client := calls.New(calls.Options{Token: "test-token-of-the-bot", Log: quiet, Transport: discordtest.Transport(
		func(discordtest.Made) (string, error) { return "", nil })})
	f := newFront(Options{Bot: &bot.Bot{}, Log: quiet, Observer: unobserved{}}, client, defaultTimings)
	t.Cleanup(func() { f.queue.Drain(0) })
	runBy(f, func(_ context.Context, r bot.Request) bot.Reply {
		if r.Command == "stats" {
			return ephemeral("hi")
		}
		reply := public("hi")
		reply.Board = &bot.Board{Match: game.MatchID(string(r.ID) + string(r.Player)), Version: 1}
		return reply
	})
	ask := func(n int) {
		for k := range n {
			command := [...]string{"guess", "stats"}[k%2]
			take(f, event(fmt.Sprint(1000+k), command, 0, false))
			for k%64 == 63 && f.queue.Stats() != (admission.Stats{}) {
				runtime.Gosched()
			}
		}
		for f.queue.Stats() != (admission.Stats{}) || !f.boards.Rests() {
			runtime.Gosched()
		}
	}
	ask(9000)
	before := liveHeap()
	ask(6000)
	after := liveHeap()
	t.Logf("%d KiB before, %d after", before>>10, after>>10)
	if after > before+most {
		t.Errorf("the heap grew by %d bytes, at most %d", after-before, most)
	}
}
