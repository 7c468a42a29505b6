package discord

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
)

// taken is a Discord that takes every call at once, and is told of it.
type taken func()

func (t taken) RoundTrip(*http.Request) (*http.Response, error) {
	t()
	return &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{}, Body: http.NoBody}, nil
}

// BenchmarkAnswer is the front's part of an answer: from the event of a typed command to the call with its first response,
// for a command that replies with a line.
func BenchmarkAnswer(b *testing.B) {
	discord := discordtest.New(b, discordtest.Options{})
	var answered sync.WaitGroup
	client := calls.New(calls.Options{Token: "test-token-of-the-bot", Log: slog.New(slog.DiscardHandler), Transport: taken(answered.Done)})
	log := slog.New(slog.DiscardHandler)
	command := bot.Command{Name: "guess", Options: []bot.Option{{Name: "word"}}, Run: func(context.Context, bot.Request) (bot.Reply, error) {
		return bot.Reply{Lines: []bot.Line{bot.Text("a reply of one line")}}, nil
	}}
	f := newFront(Options{Bot: &bot.Bot{Table: bot.Table{Commands: []bot.Command{command}}, Log: log}, Log: log, Observer: unobserved{}}, client, patient(defaultTimings))
	defer f.queue.Drain(time.Minute)
	var events [][]byte
	for n := range 64 {
		i := guessOf("slate")
		i.User, i.Guild, i.Channel = strconv.Itoa(1200000000000000000+n), strconv.Itoa(1600000000000000000+n), strconv.Itoa(1300000000000000000+n)
		raw := discord.Event(i)
		if !json.Valid(raw) {
			b.Fatalf("not JSON: %s", raw)
		}
		events = append(events, raw)
	}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		answered.Add(1)
		take(f, events[n%len(events)])
		if n%32 == 31 {
			answered.Wait()
		}
	}
	answered.Wait()
}
