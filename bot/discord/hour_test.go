package discord

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/kinds"
	"fivefold/game"
	"fivefold/game/work"
	"fivefold/storage"
	"fivefold/storage/ordered"
)

// TestHourOfThePost: two thousand servers get their posts at one hour from one of two processes, while they and a third
// one make other calls. However fast Discord answers, it takes all of them at the first try, the posts have come soon,
// and nobody waits for long behind them.
func TestHourOfThePost(t *testing.T) {
	t.Parallel()
	for _, latency := range []time.Duration{20 * time.Millisecond, time.Second} {
		t.Run(latency.String(), func(t *testing.T) { testHourOfThePost(t, latency) })
	}
}

func testHourOfThePost(t *testing.T, latency time.Duration) {
	discord := discordtest.New(t, discordtest.Options{})
	synctest.Test(t, func(t *testing.T) {
		const servers, processes = 2000, 3
		hour := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
		time.Sleep(time.Until(hour.Add(-90 * time.Second)))
		ctx, stop := context.WithCancel(t.Context())
		var (
			memory ordered.Memory
			all    sync.WaitGroup
			waits  = make(chan time.Duration, 10_000) // of calls that are no posts
		)
		for n := range processes {
			store := storage.New(&memory, kinds.Codecs(), storage.Options{})
			defer func() { must(t, store.Close()) }()
			log := discordtest.NewLog(t)
			days := mustHandlers(t, store, hiddenWord, log.Logger).DayPost
			if n == 0 {
				for i := range servers {
					guild, channel := strconv.Itoa(1600000000000010000+i), strconv.Itoa(1300000000000010000+i)
					discord.SetGuild(discordtest.Guild{ID: guild})
					discord.SetChannel(discordtest.Channel{ID: channel, Guild: guild})
					_, err := days.Command().Run(ctx, bot.Request{
						Location: game.Location{Guild: game.GuildID(guild), Channel: game.ChannelID(channel)}, MayManageServer: true, MayPost: true,
						Args: map[string]string{"hour": "9", "zone": "UTC"},
					})
					must(t, err)
				}
			}
			client := calls.New(calls.Options{
				Token: discord.Token(), Log: log.Logger, Transport: discord.Nearby(latency), Spacing: calls.Spacing, Turn: store.CallTurn,
			})
			f := newFront(Options{Bot: &bot.Bot{Table: table()}, Log: slog.New(slog.DiscardHandler), Observer: unobserved{}}, client, defaultTimings)
			gap := 80 * time.Millisecond
			if n < processes-1 {
				gap = time.Second / 2
				all.Go(func() { days.Keep(ctx, store, posts{f}) })
			}
			all.Go(func() {
				for i := 0; work.Sleep(ctx, gap) == nil; i++ {
					began := time.Now()
					all.Go(func() {
						_, err := client.Call(t.Context(), http.MethodGet, discordgo.EndpointChannel(strconv.Itoa(1300000000000010000+i%servers)), nil)
						must(t, err)
						waits <- time.Since(began) - latency
					})
				}
			})
			defer func() {
				if text := log.String(); text != "" {
					t.Error(text)
				}
			}()
		}
		time.Sleep(time.Until(hour.Add(3 * time.Minute)))
		stop()
		all.Wait()
		close(waits)
		for wait := range waits {
			if wait > processes*100*time.Millisecond {
				t.Errorf("a call waited for %v", wait)
			}
		}
		var (
			last    time.Duration // after the hour
			refused int
		)
		requests := discord.Requests()
		for i, r := range requests {
			if r.Status != 200 {
				refused++
			}
			if i >= 50 && r.At.Sub(requests[i-50].At) < time.Second {
				t.Error("more than fifty calls in a second")
			}
			if r.Method == "POST" {
				last = r.At.Sub(hour)
			}
		}
		for i := range servers {
			if n := len(discord.Posted(strconv.Itoa(1300000000000010000 + i))); n != 1 {
				t.Errorf("server %d has %d posts", i, n)
			}
		}
		if refused > 0 {
			t.Errorf("Discord refused %d of %d calls", refused, len(requests))
		}
		if last > 150*time.Second {
			t.Errorf("the last post came after %v", last)
		}
	})
}
