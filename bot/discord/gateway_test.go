package discord

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
)

// TestReconnects breaks the connection in every way after which reconnecting helps.
func TestReconnects(t *testing.T) {
	t.Parallel()
	closing := func(code int) func(*discordtest.Server) {
		return func(s *discordtest.Server) { s.CloseGateway(code, "for the test") }
	}
	for name, test := range map[string]struct {
		breaks              func(*discordtest.Server)
		identified, resumed int
		silent              bool // Discord is, until the bot gives up waiting
	}{
		"closed with 4000":           {closing(4000), 1, 1, false},
		"closed with 4008":           {closing(4008), 1, 1, false},
		"closed with 1012":           {closing(1012), 1, 1, false},
		"connection cut":             {(*discordtest.Server).CutGateway, 1, 1, false},
		"asked to reconnect":         {func(s *discordtest.Server) { s.SendFrame(`{"op":7}`) }, 1, 1, false},
		"session invalid":            {func(s *discordtest.Server) { s.InvalidateSessions(false) }, 2, 0, false},
		"closed with 1001":           {closing(1001), 2, 0, false},
		"closed with 4007":           {closing(4007), 2, 0, false},
		"closed with 4009":           {closing(4009), 2, 0, false},
		"and cannot be dialled":      {undialled, 1, 1, false},
		"and no gateway is found":    {unfound, 1, 1, false},
		"and the resume is unheard":  {unheard, 1, 1, true},
		"and asked again, at once":   {func(s *discordtest.Server) { s.ReadyWith(`{"op":7}`); s.CutGateway() }, 1, 1, false},
		"and twice asked, at once":   {func(s *discordtest.Server) { s.ReadyWith(`{"op":7}`, `{"op":7}`); s.CutGateway() }, 1, 1, false},
		"and is greeted with nobody": {nobody, 1, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			r := mustReady(t, s, func(o *setup) {
				if test.silent {
					o.timings.gateway.Ready = silent(s, 2)
				}
			})
			test.breaks(s)
			if test.silent {
				r.log.MustSay(t, "Discord did not make the session ready in time")
			}
			must(t, s.WaitReady(discordtest.Context(t), 2))
			if identified, resumed := s.Sessions(); identified != test.identified || resumed != test.resumed {
				t.Errorf("identified %d, resumed %d times, want %d and %d", identified, resumed, test.identified, test.resumed)
			}
			if a := mustAnswer(t, s, guessOf("slate")); !strings.Contains(a.Content, "No game") {
				t.Errorf("after it: got %q", a.Content)
			}
			if n := s.Registrations(); n != 1 {
				t.Errorf("commands were registered %d times, want once", n)
			}
		})
	}
}

// silent has the bot give up its n-th connection soon, on which Discord is silent, and none of the
// others, on which it is not.
func silent(s *discordtest.Server, n int32) (connect func() time.Duration) {
	var connections atomic.Int32
	return func() time.Duration {
		switch connections.Add(1) {
		case n:
			return time.Second
		case n + 1:
			s.MuteHello(false)
			s.MuteReady(false)
		}
		return time.Hour
	}
}

func undialled(s *discordtest.Server) {
	s.FailNext("GET", "/socket/", 503, 2)
	s.CutGateway()
}

func unfound(s *discordtest.Server) {
	s.FailNext("GET", "/socket/", 503, 1) // after which the address is asked for again
	s.FailNext("GET", "/gateway", 502, 2)
	s.CutGateway()
}

func unheard(s *discordtest.Server) { s.MuteReady(true); s.CutGateway() }

func nobody(s *discordtest.Server) { s.MuteHello(true); s.CutGateway() }

// TestEnd stops the bot while one handler runs and another answer is being sent.
func TestEnd(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	asked, think := make(chan struct{}), make(chan struct{})
	var once sync.Once // a guess looks into several slots
	r := mustReady(t, s, func(o *setup) {
		games := o.games
		games.Store = troubled{games.Store, func() error { once.Do(func() { close(asked) }); <-think; return nil }}
	})
	release := s.Hold("POST", "/callback")
	underWay := s.Invoke(discordtest.Interaction{Command: "wordle help"})
	mustMessage(t, underWay)
	thought := s.Invoke(guessOf("slate"))
	<-asked

	r.cancel()
	must(t, s.WaitConnected(discordtest.Context(t), 0))
	select {
	case err := <-r.done:
		t.Fatalf("Run returned %v before the answers were out", err)
	case <-time.After(1500 * time.Millisecond): // closing the gateway takes up to a second
	}
	close(think)
	release()
	if err := r.mustEnd(t); err != nil {
		t.Errorf("Run returned %v, want nil", err)
	}
	if a := mustMessage(t, thought); !strings.Contains(a.Content, "No game") {
		t.Errorf("got %q", a.Content)
	}
	must(t, s.WaitClosed(discordtest.Context(t), 1))
	if codes := s.ClientCloses(); !slices.Equal(codes, []int{1000}) {
		t.Errorf("closed with %v, want 1000", codes)
	}
	if strings.Contains(r.log.String(), "could not deliver") {
		t.Error("could not deliver an answer")
	}
}

func TestWrongToken(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	r := mustRun(t, s, mustStore(t), func(o *setup) { o.Token = "test-token-that-is-wrong" })
	if err := r.mustEnd(t); !errors.Is(err, calls.ErrToken) {
		t.Errorf("got %v, want calls.ErrToken", err)
	}
}
