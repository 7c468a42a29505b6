package discord

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
)

// TestReconnects breaks the connection, after which the bot resumes its session or begins another one.
func TestReconnects(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		breaks              func(*discordtest.Server)
		identified, resumed int
	}{
		"connection cut":  {(*discordtest.Server).CutGateway, 1, 1},
		"session invalid": {(*discordtest.Server).InvalidateSessions, 2, 0},
		"and no gateway is found": {func(s *discordtest.Server) {
			s.FailNext("GET", "/socket/", 503, 1) // after which the address is asked for again
			s.FailNext("GET", "/gateway", 502, 2)
			s.CutGateway()
		}, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := discordtest.New(t, discordtest.Options{})
			mustReady(t, s)
			test.breaks(s)
			call := s.Invoke(guessOf("slate")) // answered when it is connected again
			must(t, s.WaitReady(discordtest.Context(t), 2))
			if identified, resumed := s.Sessions(); identified != test.identified || resumed != test.resumed {
				t.Errorf("identified %d, resumed %d times, want %d and %d", identified, resumed, test.identified, test.resumed)
			}
			if test.identified > 1 {
				call = s.Invoke(guessOf("slate")) // what came before is lost
			}
			if a := mustMessage(t, call); !strings.Contains(a.Content, "No game") {
				t.Errorf("after it: got %q", a.Content)
			}
			if n := s.Registrations(); n != 1 {
				t.Errorf("commands were registered %d times, want once", n)
			}
		})
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
	release := make(chan struct{})
	s.Break("POST", "/callback", discordtest.Breakage{Done: true, Until: release}, -1)
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
	close(release)
	if err := r.mustEnd(t); err != nil {
		t.Errorf("Run returned %v, want nil", err)
	}
	if a := mustMessage(t, thought); !strings.Contains(a.Content, "No game") {
		t.Errorf("got %q", a.Content)
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
