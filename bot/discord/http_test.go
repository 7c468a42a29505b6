package discord

import (
	"net"
	"strings"
	"testing"

	"fivefold/bot/discord/discordtest"
)

// overHTTP is for mustRun: it has the bot take interactions by HTTP from the fake Discord.
func overHTTP(tb testing.TB, s *discordtest.Server) func(*setup) {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(tb, err)
	key, err := ParsePublicKey(s.PublicKey())
	must(tb, err)
	return func(o *setup) {
		o.HTTP = &HTTP{Listener: l, Path: "/interactions", PublicKey: key}
		o.timings.http.testOnlyArrived, o.timings.http.linger = s.WaitAnswered, 0
	}
}

// mustHTTP starts Run and waits until Discord posts interactions to the bot.
func mustHTTP(tb testing.TB, s *discordtest.Server, change ...func(*setup)) *running {
	tb.Helper()
	over := overHTTP(tb, s)
	var url string
	r := mustRun(tb, s, mustStore(tb), append([]func(*setup){over, func(o *setup) { url = endpointOf(o) }}, change...)...)
	must(tb, s.SetEndpoint(testContext(tb), url))
	return r
}

func endpointOf(o *setup) string { return "http://" + o.HTTP.Listener.Addr().String() + o.HTTP.Path }

func TestHTTP(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, inTwoServers)
	mustHTTP(t, s)
	a := mustAnswer(t, s, discordtest.Interaction{Command: "wordle start", Guild: server})
	if !strings.Contains(a.Content, "A new game") {
		t.Errorf("got %q", a.Content)
	}
	if identified, _ := s.Sessions(); identified != 0 {
		t.Errorf("the gateway was connected")
	}
}
