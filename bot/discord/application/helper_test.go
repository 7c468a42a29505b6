package application

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"slices"
	"testing"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/kinds"
	"fivefold/game"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func mustDecode(tb testing.TB, raw []byte, v any) {
	tb.Helper()
	if err := json.Unmarshal(raw, v); err != nil {
		tb.Fatalf("%s: %v", raw, err)
	}
}

// mustCall returns a client for a fake Discord.
func mustCall(tb testing.TB, s *discordtest.Server) *calls.Client {
	tb.Helper()
	base, err := url.Parse(s.URL())
	must(tb, err)
	c := calls.New(calls.Options{Token: s.Token(), BaseURL: base, Log: slog.New(slog.DiscardHandler)})
	return c
}

// mustSee waits until there were n REST calls of a kind.
func mustSee(tb testing.TB, s *discordtest.Server, kind func(discordtest.Request) bool, n int) {
	tb.Helper()
	ctx := discordtest.Context(tb)
	for {
		all := s.Requests()
		if len(slices.DeleteFunc(slices.Clone(all), func(r discordtest.Request) bool { return !kind(r) })) >= n {
			return
		}
		must(tb, s.WaitRequests(ctx, len(all)+1))
	}
}

// table is the table of commands, for tests that do not run them.
func table() bot.Table {
	return commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table()
}

const server = "1600000000000000001"

// inTwoServers has no limit that would make uploading all tiles take seconds; TestEmojis in
// cmd/fivefold keeps Discord's.
var inTwoServers = discordtest.Options{Guilds: []string{server, "1600000000000000003"}}

// registrations are kept in memory.
type registrations struct{ guilds []game.GuildID }

func (r *registrations) CommandGuilds(context.Context) ([]game.GuildID, error) {
	return slices.Clone(r.guilds), nil
}

func (r *registrations) SetCommandGuilds(_ context.Context, guilds []game.GuildID) error {
	r.guilds = slices.Clone(guilds)
	return nil
}
