package discord

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
)

// counter is a game whose board shows nothing but its version, which each press of its
// button raises.
type counter struct {
	mu      sync.Mutex
	version uint64
}

func (c *counter) reply(r bot.Request, version uint64) bot.Reply {
	return bot.Reply{
		InPlace: r.Command == "count",
		Blocks:  []bot.Block{bot.Text(fmt.Sprint("version ", version)), bot.Row{{Label: "Count", Command: "count"}}},
		Board:   &bot.Board{Match: "m1", Slot: game.ChannelSlot(wordgame.Kind, "c"), Version: version, Event: bot.Text(fmt.Sprint("event ", version)), Acted: true},
	}
}

func (c *counter) run(r bot.Request) bot.Reply {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch r.Command {
	case "ask":
		return bot.Ephemeral(bot.Text("really?")).Row(bot.Button{Label: "Count", Command: "count"})
	case "count":
		c.version++
	}
	return c.reply(r, c.version)
}

// mustCount starts a bot with a counter on a fake Discord with a clock.
func mustCount(t *testing.T) (*discordtest.Server, *discordtest.Clock, *counter, *front, *running) {
	t.Helper()
	clock := &discordtest.Clock{}
	o := inTwoServers
	o.Now = clock.Now
	s := discordtest.New(t, o)
	c := &counter{}
	var f *front
	r := mustRun(t, s, mustStore(t), func(o *setup) {
		o.timings.eventGap = 0
		o.started = func(made *front) {
			f = made
			runBy(f, func(_ context.Context, r bot.Request) bot.Reply { return c.run(r) })
		}
	})
	must(t, s.WaitReady(discordtest.Context(t), 1))
	mustRegister(t, s, 1)
	return s, clock, c, f, r
}

func settle(t *testing.T, f *front) { (&runner{t: t, front: f}).settle() }

func (c *counter) press(message string, n int) discordtest.Interaction {
	return discordtest.Interaction{
		Type: discordtest.TypeComponent, Guild: server, Channel: channels["general"], Message: message, CustomID: "count",
		User: strconv.Itoa(playerIDs + n),
	}
}

// TestBoardWays has a press on a private message change a board: that is edited by the token, or
// by the bot when the token has ended, or else posted again: when it has been deleted or the bot
// may not edit it.
func TestBoardWays(t *testing.T) {
	t.Parallel()
	show := discordtest.Interaction{Command: "show", Guild: server, Channel: channels["general"]}
	// A press on a private message, such as one that corrects a guess.
	private := func(t *testing.T, s *discordtest.Server, c *counter) discordtest.Interaction {
		i := c.press(mustAnswer(t, s, discordtest.Interaction{Command: "ask", Guild: server, Channel: channels["general"]}).MessageID, 1)
		i.Type = discordtest.TypeComponent
		return i
	}
	for _, test := range []struct {
		name   string
		happen func(s *discordtest.Server, clock *discordtest.Clock, board string)
		want   string // what the private message says
		board  string // what the old board says
		posted bool   // whether the board is posted again
	}{
		{"by the token", func(*discordtest.Server, *discordtest.Clock, string) {}, "Done: ", "version 1", false},
		{"by the bot", func(_ *discordtest.Server, clock *discordtest.Clock, _ string) { clock.Advance(20 * time.Minute) }, "Done: ", "version 1", false},
		{"no way", func(s *discordtest.Server, clock *discordtest.Clock, _ string) {
			clock.Advance(20 * time.Minute)
			s.SetChannel(discordtest.Channel{ID: channels["general"], Guild: server, Overwrites: []discordtest.Overwrite{{ID: server, Deny: discordtest.ViewChannel}}})
		}, "", "version 0", true},
		{"it was deleted", func(s *discordtest.Server, _ *discordtest.Clock, board string) {
			s.Delete(board)
		}, "", "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, clock, c, f, _ := mustCount(t)
			board := mustAnswer(t, s, show).MessageID
			press := private(t, s, c)
			test.happen(s, clock, board)
			call := s.Invoke(press)
			first, err := call.First(discordtest.Context(t))
			must(t, err)
			settle(t, f)
			s.Violations() // it may try to edit what is gone
			if posted := first.Type == typeMessage; posted != test.posted || posted && first.Content != "version 1" {
				t.Errorf("the answer is %d, %q", first.Type, first.Content)
			}
			if !strings.HasPrefix(first.Content, test.want) {
				t.Errorf("the private message says %q", first.Content)
			}
			if a, ok := s.Shown(board); a.Content != test.board || ok != (test.board != "") {
				t.Errorf("the old board says %q", a.Content)
			}
		})
	}
}

// TestLateBoard has handlers of buttons take longer than Discord waits. No follow-up answers
// them while there is another way: what everybody sees is edited or posted, and a refusal is
// one private message.
func TestLateBoard(t *testing.T) {
	t.Parallel()
	show := discordtest.Interaction{Command: "show", Guild: server, Channel: channels["general"]}
	hide := func(s *discordtest.Server) {
		s.SetChannel(discordtest.Channel{ID: channels["general"], Guild: server, Overwrites: []discordtest.Overwrite{{ID: server, Deny: discordtest.ViewChannel}}})
	}
	for _, test := range []struct {
		name    string
		command string // of the button
		happen  func(*discordtest.Server, *discordtest.Clock)
		private string // what the deferred response becomes, "" if it is deleted
		board   string // what the message with the button says then, "" if it is deleted
		posted  string // by the bot
		follows int
	}{
		{"by the token", "count", func(s *discordtest.Server, _ *discordtest.Clock) { hide(s) }, "", "version 1", "", 0},
		{"by the bot", "count", func(_ *discordtest.Server, c *discordtest.Clock) { c.Advance(20 * time.Minute) }, "", "version 1", "", 0},
		{"no way", "count", func(s *discordtest.Server, c *discordtest.Clock) { hide(s); c.Advance(20 * time.Minute) }, "", "version 0", "", 1},
		{"a new board", "again", nil, "", "", "version 0", 0},
		{"a new board, the bot may not post", "again", func(s *discordtest.Server, _ *discordtest.Clock) { hide(s) }, "", "", "", 1},
		{"a refusal", "ask", nil, "really?", "version 0", "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, clock, c, f, _ := mustCount(t)
			board := mustAnswer(t, s, show).MessageID
			if test.happen != nil {
				test.happen(s, clock)
			}
			f.timings.deferAfter = time.Millisecond
			runBy(f, func(_ context.Context, r bot.Request) bot.Reply {
				answered(t, s, 2) // the show above, and the deferred response
				return c.run(r)
			})
			press := c.press(board, 0)
			press.CustomID = test.command
			call := s.Invoke(press)
			first, err := call.First(discordtest.Context(t))
			must(t, err)
			settle(t, f)
			if first.Type != typeDeferredMessage || !first.Ephemeral {
				t.Errorf("the first response is %+v", first)
			}
			if a, ok := s.Shown(first.MessageID); a.Content != test.private || ok != (test.private != "") {
				t.Errorf("the private message is %q", a.Content)
			}
			if a, ok := s.Shown(board); a.Content != test.board || ok != (test.board != "") {
				t.Errorf("the board says %q, want %q", a.Content, test.board)
			}
			posted := ""
			for _, a := range s.Posted(channels["general"]) {
				posted += a.Content
			}
			if posted != test.posted {
				t.Errorf("the bot has posted %q, want %q", posted, test.posted)
			}
			if n := countOf(s, func(r discordtest.Request) bool { return r.Method == "POST" && strings.Contains(r.Path, "/webhooks/") }); n != test.follows {
				t.Errorf("%d follow-ups, want %d", n, test.follows)
			}
		})
	}
}

// TestEndInTime: answers and boards that never end together keep the program for seven seconds at most, and
// the store needs two of the other three.
func TestEndInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(scriptTime))
		f, sent := newRecorder(t)
		release := make(chan struct{})
		sent.takes = func(discordtest.Made) (string, error) { <-release; return "", nil }
		reply := (&counter{}).reply(bot.Request{}, 1)
		go func() { _ = f.boards.Deliver(asked, interaction.Result{Reply: reply}, nil) }()
		runBy(f, func(context.Context, bot.Request) bot.Reply { <-release; return public("late") })
		take(f, event("1", "guess", 0, false))
		synctest.Wait()
		began := time.Now()
		f.drain(began.Add(drainTimeout))
		if took := time.Since(began); took > 7*time.Second || took < drainTimeout {
			t.Errorf("it took %v", took)
		}
		close(release)
	})
}
