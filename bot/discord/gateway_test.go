package discord

import (
	"context"
	"encoding/json"
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

// TestFirstConnection starts a bot while Discord has problems.
func TestFirstConnection(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		trouble func(*discordtest.Server)
		log     string
	}{
		"no HELLO":         {func(s *discordtest.Server) { s.MuteHello(true) }, "Discord did not make the session ready in time"},
		"no READY":         {func(s *discordtest.Server) { s.MuteReady(true) }, "Discord did not make the session ready in time"},
		"opcode 7 first":   {func(s *discordtest.Server) { s.ReadyWith(`{"op":7}`, `{"op":7}`) }, "Discord asked to reconnect"},
		"no gateway, 500":  {func(s *discordtest.Server) { s.FailNext("GET", "/gateway", 500, 3) }, "HTTP 500"},
		"no gateway, 502":  {func(s *discordtest.Server) { s.FailNext("GET", "/gateway", 502, 3) }, "HTTP 502"},
		"no gateway, 429":  {func(s *discordtest.Server) { s.FailNext("GET", "/gateway", 429, 2) }, "rate limited"},
		"gateway, cut":     {func(s *discordtest.Server) { s.LoseNext("GET", "/gateway", 2) }, "EOF"},
		"refused dialling": {func(s *discordtest.Server) { s.FailNext("GET", "/socket/", 503, 2) }, "bad handshake"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			test.trouble(s)
			r := mustRun(t, s, mustStore(t), func(o *setup) {
				if test.log == "Discord did not make the session ready in time" {
					o.timings.gateway.Ready = silent(s, 1)
				}
			})
			r.log.MustSay(t, test.log)
			must(t, s.WaitReady(discordtest.Context(t), 1))
			mustAnswer(t, s, guessOf("slate"))
			if identified, _ := s.Sessions(); identified != 1 {
				t.Errorf("identified %d times, want once", identified)
			}
		})
	}
}

// TestMissingAcks acknowledges no heartbeats, on a silent connection and on a busy one.
func TestMissingAcks(t *testing.T) {
	t.Parallel()
	for name, busy := range map[string]bool{"silent": false, "busy": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			s.HelloWith(`{"op":10,"d":{"heartbeat_interval":1000}}`) // only this connection is given up, on however slow a machine
			mustReady(t, s)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if busy {
				go func() {
					for ctx.Err() == nil {
						s.Dispatch("TYPING_START", json.RawMessage(`{}`))
						time.Sleep(200 * time.Millisecond)
					}
				}()
			}
			s.MuteAcks()
			must(t, s.WaitReady(discordtest.Context(t), 2))
			if identified, resumed := s.Sessions(); identified != 1 || resumed != 1 {
				t.Errorf("identified %d, resumed %d times, want 1 and 1", identified, resumed)
			}
			must(t, s.WaitClosed(discordtest.Context(t), 1))
			if codes := s.ClientCloses(); !slices.Equal(codes, []int{1006}) {
				t.Errorf("closed with %v, want no close code, which keeps the session", codes)
			}
		})
	}
}

func TestAnsweredAfterResume(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	mustReady(t, s)
	s.CutGateway()
	call := s.Invoke(guessOf("slate"))
	if a := mustMessage(t, call); !strings.Contains(a.Content, "No game") {
		t.Errorf("got %q", a.Content)
	}
	if _, resumed := s.Sessions(); resumed != 1 {
		t.Errorf("resumed %d times, want once", resumed)
	}
}

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

// TestEndByAnyCause ends the context in the ways a program does; a signal is no
// failure.
func TestEndByAnyCause(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]func(context.Context) (context.Context, context.CancelFunc){
		"cancelled": context.WithCancel,
		"deadline": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, 100*time.Millisecond)
		},
		"a cause": func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancelCause(ctx) // as signal.NotifyContext does
			return ctx, func() { cancel(errors.New("terminated signal received")) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			ctx, cancel := ends(context.Background())
			defer cancel()
			log := discordtest.NewLog(t).Logger
			done := make(chan error, 1)
			go func() {
				done <- Run(ctx, Options{Token: s.Token(), BaseURL: mustURL(t, s.URL()), Bot: mustBot(t, log), Log: log})
			}()
			_ = s.WaitReady(ctx, 1) // the deadline may come first
			cancel()
			if err := <-done; err != nil {
				t.Errorf("got %v, want nil", err)
			}
		})
	}
}

// TestEndWhileConnecting stops a bot that hangs while connecting.
func TestEndWhileConnecting(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	release := s.Hold("GET", "/gateway")
	defer release()
	r := mustRun(t, s, mustStore(t))
	must(t, s.WaitRequests(discordtest.Context(t), 1))
	r.cancel()
	if err := r.mustEnd(t); err != nil {
		t.Errorf("got %v, want nil", err)
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

// TestHostileDiscord has the fake Discord say every hostile frame to the whole bot.
func TestHostileDiscord(t *testing.T) {
	t.Parallel()
	s := discordtest.New(t, discordtest.Options{})
	s.HelloWith(`null`, `{"op":10,"d":{"heartbeat_interval":0}}`, `{"op":10,"d":{"heartbeat_interval":-1}}`)
	s.ReadyWith(`{"op":0,"t":"READY","s":1,"d":{}}`, `{"op":0,"t":"READY","s":1,"d":null}`, `{"op":7}`)
	mustReady(t, s, func(o *setup) { o.timings.gateway.Ready = silent(s, 1) }) // after the first HELLO
	for _, f := range discordtest.HostileFrames {
		s.SendFrame(f)
	}
	// A frame that calls the session invalid costs the interactions after it.
	ctx := discordtest.Context(t)
	for patience := 2 * time.Second; ; patience *= 2 { // until the machine is fast enough
		once, cancel := context.WithTimeout(ctx, patience)
		_, err := s.Invoke(guessOf("slate")).Message(once)
		cancel()
		if err == nil {
			break
		}
		must(t, ctx.Err())
	}
	for _, v := range s.Violations() {
		if !strings.Contains(v, "closed with 4007") { // from the number of a hostile event
			t.Errorf("discord would not have it: %s", v)
		}
	}
}
