package interaction

import (
	"log/slog"
	"net/url"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/kinds"
)

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
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

func mustRest(tb testing.TB, s *discordtest.Server) *Deliverer {
	return &Deliverer{Calls: mustCall(tb, s), Accepted: time.Hour, Timeout: time.Hour, Names: &Names{}, Log: discordtest.NewLog(tb).Logger}
}

// arrived reads an interaction that has just come over the gateway.
func arrived(raw []byte) (i Interaction, err error) {
	if err = Decode(raw, &i); err == nil {
		err = i.Arrive(nil)
	}
	return i, err
}

// render returns the message that shows a reply.
func render(tb testing.TB, r Result) Message {
	return (&Deliverer{Names: &Names{}, Log: discordtest.NewLog(tb).Logger}).Render("7", r)
}

func mustMessage(tb testing.TB, c *discordtest.Call) discordtest.Answer {
	tb.Helper()
	a, err := c.Message(discordtest.Context(tb))
	must(tb, err)
	return a
}

// table is the table of commands, for tests that do not run them.
func table() bot.Table {
	return commands.New(commands.Dependencies{Kinds: kinds.All(kinds.Parts{})}).Table()
}

const server = "1600000000000000001"

var inTwoServers = discordtest.Options{Guilds: []string{server, "1600000000000000003"}}

var asked = Interaction{ID: "7", Token: "interaction-token-7"}

// replyTo is a reply of one line.
func replyTo(audience bot.Audience, text string) bot.Reply {
	return bot.Reply{Audience: audience, Blocks: bot.Lines(bot.Line{Text: []bot.Span{{Text: text}}})}
}

func public(text string) bot.Reply    { return replyTo(bot.Everyone, text) }
func ephemeral(text string) bot.Reply { return replyTo(bot.Asker, text) }
