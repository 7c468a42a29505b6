package boardmessage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
)

// patience is how long an answer waits for another call for its board.
const patience = time.Second

// newKeeper returns boards whose calls a function takes.
func newKeeper(t *testing.T, store game.BoardStore, shared bool, takes discordtest.Transport) *Keeper {
	t.Helper()
	client := calls.New(calls.Options{Token: "test-token-of-the-bot", Log: slog.New(slog.DiscardHandler), Transport: takes})
	return New(Options{
		Deliverer: interaction.Deliverer{Calls: client, Names: new(interaction.Names), Accepted: 3 * time.Second, Timeout: 10 * time.Second, Log: discordtest.NewLog(t).Logger},
		Store:     store, Shared: shared, EventGap: time.Second, Patience: patience,
	})
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// TestManyPresses presses the button of a young or an old board many times: every press is answered, the states
// are shown in their order, the latest one in the end, also of the program, and an old board is not edited too often.
func TestManyPresses(t *testing.T) {
	for name, test := range map[string]struct {
		age, spacing time.Duration
		ends         bool // right after the last press
	}{
		"young, at once": {age: time.Minute},
		"old":            {age: 2 * time.Hour, spacing: 240 * time.Millisecond},
		"old, at once":   {age: 2 * time.Hour},
		"old, at an end": {age: 2 * time.Hour, ends: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const presses = 25
				time.Sleep(time.Until(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)))
				snowflake := func(at time.Time, n int) string { return fmt.Sprint((at.UnixMilli()-1420070400000)<<22 + int64(n)) }
				board := snowflake(time.Now().Add(-test.age), 0)
				m := &sharedMatch{messages: map[string]string{}}
				p := newProcess(t, m, nil)
				p.boards.Shared = false
				var at []time.Time // of the edits that were taken
				refused := 0
				var answers atomic.Int32
				takes := *p.takes
				*p.takes = func(call discordtest.Made) (string, error) {
					time.Sleep(10 * time.Millisecond)
					if call.Content == "" {
						answers.Add(1)
						return "", nil
					}
					if last := m.messages[board]; len(call.Content) < len(last) || len(call.Content) == len(last) && call.Content <= last {
						t.Errorf("%s comes after %s", call.Content, last)
					}
					if n := len(at); test.age > time.Hour-time.Minute && n >= 3 && time.Since(at[n-3]) < 6*time.Second {
						refused++
						return "", discordtest.Refusal{Status: 400, Code: 30046}
					}
					at = append(at, time.Now())
					if call.What == "respond" {
						answers.Add(1)
					}
					return takes(call)
				}
				var answered sync.WaitGroup
				for n := range presses {
					answered.Go(p.plays(snowflake(time.Now(), n), board))
					synctest.Wait()
					time.Sleep(test.spacing)
				}
				answered.Wait()
				if !test.ends {
					time.Sleep(time.Minute)
				}
				if !p.boards.Drain(time.Minute) {
					t.Error("it does not end")
				}
				if n := answers.Load(); n != presses || m.messages[board] != fmt.Sprint("version ", presses) {
					t.Errorf("%d answers to %d presses; the board shows %q", n, presses, m.messages[board])
				}
				if refused > presses/4 {
					t.Errorf("%d of %d edits were refused", refused, len(at)+refused)
				}
			})
		})
	}
}

// sharedMatch is a match that two processes change, and its messages in a channel. It is safe for
// concurrent use.
type sharedMatch struct {
	mu       sync.Mutex
	version  uint64
	changed  time.Time
	board    game.BoardMessage
	messages map[string]string // by id
	edits    int
	early    []string // that were deleted while the store took them for the board
}

func (m *sharedMatch) BoardMessage(context.Context, game.Slot) (game.BoardMessage, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.board, m.board.Match != "", nil
}

func (m *sharedMatch) SaveBoardMessage(_ context.Context, _ game.Slot, at game.BoardMessage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.board = at
	return nil
}

func (m *sharedMatch) write(id, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.messages[id] = text
	m.edits++
}

// shown returns the messages.
func (m *sharedMatch) shown() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.messages)
}

// remove deletes a message. Nothing but the board may be there that the store does not know to be replaced.
func (m *sharedMatch) remove(id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.edits++
	if _, ok := m.messages[id]; !ok {
		return discordtest.Refusal{Status: 404, Code: 10008}
	}
	delete(m.messages, id)
	if m.board.Message == id {
		m.early = append(m.early, id)
	}
	return nil
}

func (m *sharedMatch) reply(version uint64) bot.Reply {
	later := func(_ context.Context, than uint64) (bot.Reply, bool, error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.reply(m.version), m.version > than, nil
	}
	return bot.Reply{
		Blocks: bot.Lines(bot.Text(fmt.Sprint("version ", version))),
		Board:  &bot.Board{Match: "m1", Slot: game.ChannelSlot(wordgame.Kind, "c"), Version: version, Changed: m.changed, Later: later},
	}
}

// process is a process that serves the match.
type process struct {
	match  *sharedMatch
	boards *Keeper
	takes  *discordtest.Transport
	guild  string // a server without the bot; empty for direct messages
}

// newProcess returns a process whose first responses wait for hold unless that is nil.
func newProcess(t *testing.T, m *sharedMatch, hold chan struct{}) process {
	takes := new(discordtest.Transport)
	*takes = func(call discordtest.Made) (id string, err error) {
		switch {
		case call.What == "respond" && call.New:
			id = call.ID + "9"
			m.write(id, call.Content)
			if hold != nil {
				<-hold
			}
		case call.What == "respond":
			if hold != nil {
				<-hold
			}
			if call.Content != "" {
				m.write(strings.TrimPrefix(call.Token, "token-of-"), call.Content)
			}
		case call.What == "delete":
			return "", m.remove(cmp.Or(strings.TrimPrefix(call.Token, "token-of-"), call.Target))
		case call.Target == calls.Original:
			m.write(strings.TrimPrefix(call.Token, "token-of-"), call.Content)
		default:
			m.write(call.Target, call.Content)
		}
		return id, nil
	}
	k := newKeeper(t, m, true, func(call discordtest.Made) (string, error) { return (*takes)(call) })
	t.Cleanup(func() {
		if !k.Drain(time.Second) {
			t.Error("a process does not end")
		}
	})
	return process{m, k, takes, ""}
}

// plays has the process change the match: by a press of a button of the message or, if that is
// empty, by a typed command. The interaction has the id. show has the answer shown.
func (p process) plays(id, message string) (show func()) {
	p.match.mu.Lock()
	p.match.version++
	p.match.changed = time.Now()
	reply := p.match.reply(p.match.version)
	p.match.mu.Unlock()
	i := interaction.Interaction{ID: id, AppID: "1", Token: "token-of-" + id + "9", GuildID: p.guild, ChannelID: "c", Type: discordgo.InteractionApplicationCommand}
	i.Received = calls.Made(id) // the clocks agree
	if message != "" {
		i.Type, i.Message.ID, i.Token, reply.InPlace = discordgo.InteractionMessageComponent, message, "token-of-"+message, true
	}
	return func() { _ = p.boards.Deliver(i, interaction.Result{Reply: reply}, nil) }
}

// TestTwoProcessesAtOnce: two processes answer for a match at the same moment, and what they send
// reaches Discord in the wrong order. Soon the latest state is shown, in one message.
func TestTwoProcessesAtOnce(t *testing.T) {
	const first = "1100000000000000000"
	for name, test := range map[string]struct {
		message string
		want    map[string]string
	}{
		"presses": {first, map[string]string{first: "version 2"}},
		"typed": {"", map[string]string{
			"11000000000000000029": "version 2",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &sharedMatch{messages: map[string]string{}}
				hold := make(chan struct{})
				slow, quick := newProcess(t, m, hold), newProcess(t, m, nil)
				earlier := slow.plays("1100000000000000001", test.message)
				later := quick.plays("1100000000000000002", test.message)
				go earlier()
				synctest.Wait()
				later()
				time.Sleep(time.Millisecond) // so that the quick one looks at the store first
				close(hold)
				time.Sleep(time.Minute)
				synctest.Wait()
				if !maps.Equal(m.messages, test.want) {
					t.Errorf("the channel shows %v, want %v", m.messages, test.want)
				}
				ids := slices.Sorted(maps.Keys(test.want))
				if last := ids[len(ids)-1]; m.board.Message != last && test.message == "" {
					t.Errorf("the store has %s, want %s", m.board.Message, last)
				}
				if m.edits > 4 {
					t.Errorf("%d calls were made", m.edits)
				}
			})
		})
	}
}

// TestBoardNeverGoesBack has an answer that shows the first state take so long that a typed
// command posts the board again with the second one. Whatever becomes of that answer, one board is left, and
// shows the second state.
func TestBoardNeverGoesBack(t *testing.T) {
	const first, quick = "1100000000000000000", "1100000000000000002"
	for name, test := range map[string]struct {
		slow, message string // the interaction that is answered slowly, and its message
		result        error  // of that answer
		endsFirst     bool   // whether it ends before the other one all the same
		want          map[string]string
	}{
		"a press fails": {
			"1100000000000000001", first, errors.New("cut"), false,
			map[string]string{quick + "9": "version 2"},
		},
		"a post comes above": {
			"1100000000000000001", "", nil, false,
			map[string]string{quick + "9": "version 2"},
		},
		"a post comes below": {
			"1100000000000000003", "", nil, false,
			map[string]string{"11000000000000000039": "version 2"},
		},
		"a post comes below, and ends first": {
			"1100000000000000003", "", nil, true,
			map[string]string{"11000000000000000039": "version 2"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &sharedMatch{messages: map[string]string{}}
				p := newProcess(t, m, nil)
				p.boards.Shared = false
				hold := map[string]chan struct{}{test.slow: make(chan struct{}), quick: make(chan struct{})}
				takes := *p.takes
				*p.takes = func(call discordtest.Made) (string, error) {
					if call.What == "respond" {
						<-hold[call.ID]
						if !call.New {
							return "", test.result
						}
					}
					return takes(call)
				}
				earlier, later := p.plays(test.slow, test.message), p.plays(quick, "")
				go earlier()
				synctest.Wait()
				go later()
				time.Sleep(2 * patience) // it no longer waits for the other one
				ends := []string{quick, test.slow}
				if test.endsFirst {
					slices.Reverse(ends)
				}
				for _, id := range ends {
					close(hold[id])
					synctest.Wait()
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				if !maps.Equal(m.messages, test.want) {
					t.Errorf("the channel shows %v, want %v", m.messages, test.want)
				}
			})
		})
	}
}

// TestPressAgain: the answer to a press is lost, and the bot may not edit the board. When the button
// is pressed again, which changes nothing in the match, the board shows what it should.
func TestPressAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const first = "1100000000000000000"
		m := &sharedMatch{messages: map[string]string{}}
		p := newProcess(t, m, nil)
		p.boards.Shared = false
		reply := m.reply(1)
		reply.InPlace = true
		for n, failure := range []error{errors.New("cut"), nil} {
			*p.takes = func(call discordtest.Made) (string, error) {
				if call.What == "respond" {
					return "", failure
				}
				m.write(strings.TrimPrefix(call.Token, "token-of-"), call.Content)
				return "", nil
			}
			i := interaction.Interaction{
				ID: fmt.Sprint("110000000000000000", n+1), AppID: "1", Token: "token-of-" + first, GuildID: "7", ChannelID: "c",
				Type: discordgo.InteractionMessageComponent,
			}
			i.Message.ID = first
			_ = p.boards.Deliver(i, interaction.Result{Reply: reply}, nil)
			synctest.Wait()
			if got, want := m.messages[first], map[bool]string{true: "version 1"}[failure == nil]; got != want {
				t.Errorf("after press %d the board shows %q, want %q", n+1, got, want)
			}
		}
	})
}

// TestBusyBoard: while a call for the board takes long, a press is answered at once, and a typed command soon.
func TestBusyBoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &sharedMatch{messages: map[string]string{}}
		p := newProcess(t, m, nil)
		p.boards.Shared = false
		p.plays("1100000000000000001", "")()
		b := p.boards.board(m.reply(1).Board, "", "c")
		b.turn <- struct{}{}
		for id, test := range map[string]struct {
			message string
			takes   time.Duration
		}{
			"1100000000000000002": {"11000000000000000019", 0},
			"1100000000000000003": {"", patience},
		} {
			began := time.Now()
			p.plays(id, test.message)()
			if took := time.Since(began); took != test.takes {
				t.Errorf("the answer to %s takes %v, want %v", id, took, test.takes)
			}
		}
		b.leave()
	})
}

// TestOutOfTurn: a board that was posted during another call for it can be edited by the bot, as any other.
func TestOutOfTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper(t, nil, false, func(discordtest.Made) (string, error) { return "1100000000000000009", nil })
		reply := (&sharedMatch{}).reply(1)
		b := k.board(reply.Board, "", "c")
		b.turn <- struct{}{}
		i := interaction.Interaction{ID: "1100000000000000007", ChannelID: "c", Type: discordgo.InteractionApplicationCommand, Received: time.Now()}
		must(t, k.Deliver(i, interaction.Result{Reply: reply}, nil)) // direct messages, where the bot may edit
		b.leave()
		if !k.Drain(time.Minute) || b.at.ID == "" || !b.at.byBot {
			t.Errorf("the board is %q, to be edited by the bot: %t", b.at.ID, b.at.byBot)
		}
	})
}

// TestLostAnswer: the answer to a typed command is lost, whether or not another call for the board was under way. The
// message that there is shows what it would have shown.
func TestLostAnswer(t *testing.T) {
	for _, waits := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			m := &sharedMatch{messages: map[string]string{}}
			p := newProcess(t, m, nil)
			p.boards.Shared = false
			p.plays("1100000000000000001", "")()
			takes := *p.takes
			*p.takes = func(call discordtest.Made) (string, error) {
				if call.What == "respond" {
					return "", discordtest.Refusal{Status: 404, Code: 10062}
				}
				return takes(call)
			}
			lost := p.plays("1100000000000000002", "")
			if b := p.boards.board(m.reply(1).Board, "", "c"); waits {
				b.turn <- struct{}{}
				lost()
				b.leave()
			} else {
				lost()
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if want := map[string]string{"11000000000000000019": "version 2"}; !maps.Equal(m.messages, want) {
				t.Errorf("another call: %t: the channel shows %v, want %v", waits, m.messages, want)
			}
		})
	}
}

// TestPressesOfTwoProcesses: what another process has shown after our call had ended is not shown again.
func TestPressesOfTwoProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const first, presses = "1100000000000000000", 6
		m := &sharedMatch{messages: map[string]string{}}
		processes := []process{newProcess(t, m, nil), newProcess(t, m, nil)}
		for n := range presses {
			processes[n%2].plays(fmt.Sprint(1100000000000000001+n), first)()
			time.Sleep(clocksApart + time.Millisecond)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if m.edits != presses || m.messages[first] != fmt.Sprint("version ", presses) {
			t.Errorf("%d calls for %d presses; the board shows %q", m.edits, presses, m.messages[first])
		}
	})
}

// TestPostsOfTwoProcesses: of the messages that two processes post one after the other, all but the last are deleted,
// each by no more than one call of each process.
func TestPostsOfTwoProcesses(t *testing.T) {
	const noMember = "where the bot is no member"
	for name, posts := range map[string][]struct {
		process int
		after   time.Duration
	}{
		"in turn":                          {{0, 0}, {1, recheckAfter / 4}, {0, recheckAfter / 4}, {1, recheckAfter / 4}},
		"right before and after a recheck": {{0, 0}, {0, recheckAfter * 9 / 10}, {1, recheckAfter / 4}},
		"slowly":                           {{0, 0}, {1, 2 * recheckAfter}, {0, 2 * recheckAfter}},
		noMember:                           {{0, 0}, {1, recheckAfter / 4}, {0, recheckAfter / 4}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &sharedMatch{messages: map[string]string{}}
				processes := []process{newProcess(t, m, nil), newProcess(t, m, nil)}
				time.Sleep(time.Until(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
				if name == noMember {
					processes[0].guild, processes[1].guild = "7", "7"
				}
				var last string
				for _, p := range posts {
					time.Sleep(p.after)
					id := fmt.Sprint((time.Now().UnixMilli() - 1420070400000) << 22 / 10) // that of the message, with a digit more, has the time
					last = id + "9"
					processes[p.process].plays(id, "")()
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				if want := map[string]string{last: fmt.Sprint("version ", len(posts))}; !maps.Equal(m.messages, want) || m.edits > 3*len(posts)-2 {
					t.Errorf("the channel shows %v after %d calls, want %v", m.messages, m.edits, want)
				}
			})
		})
	}
}

// TestIdleBoards: boards without anything to do have no goroutines, and there are never too many
// of them.
func TestIdleBoards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &sharedMatch{messages: map[string]string{}}
		p := newProcess(t, m, nil)
		p.boards.Shared = false
		for n := range maxBoards + 1 {
			i := interaction.Interaction{ID: fmt.Sprint(1100000000000000001 + n), AppID: "1", Token: "t", ChannelID: fmt.Sprint(n)}
			reply := m.reply(1)
			reply.Board.Match = game.MatchID(fmt.Sprint(n))
			must(t, p.boards.Deliver(i, interaction.Result{Reply: reply}, nil))
		}
		synctest.Wait()
		s := p.boards
		if !s.Rests() || len(s.all) > maxBoards || len(s.all) < maxBoards/2 || len(s.channels) != len(s.all) {
			t.Errorf("rests: %t, %d boards, %d channels", s.Rests(), len(s.all), len(s.channels))
		}
	})
}

// TestUsedBoards: where there are too many boards, those unused for longest are forgotten.
func TestUsedBoards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKeeper(t, nil, false, nil)
		look := func(n int) *boardMessage {
			time.Sleep(time.Millisecond)
			b := k.board(&bot.Board{Match: game.MatchID(fmt.Sprint(n))}, "", "c")
			b.users.Add(-1)
			return b
		}
		var all []*boardMessage
		for n := range maxBoards {
			all = append(all, look(n))
		}
		look(0)
		look(maxBoards)
		for n, b := range all {
			is, want := k.all[b.match] == b, n == 0 || n > maxBoards/4
			if is != want {
				t.Fatalf("board %d is kept: %t, want %t", n, is, want)
			}
		}
	})
}

// TestLatestMessage: an interaction that is answered late does not hide that a board has scrolled away since.
func TestLatestMessage(t *testing.T) {
	c := &channel{}
	const board = "1100000000000000002"
	for _, step := range []struct {
		last  string // as the next interaction says
		below bool
	}{{"", false}, {board, false}, {"1100000000000000003", true}, {board, true}, {"", true}} {
		if c.observe(step.last); c.isBelow(board) != step.below {
			t.Errorf("after %q there is a message below: %t", step.last, !step.below)
		}
	}
}

// TestAnnouncement: a move on a board that has scrolled away is announced once, without a notification, also if its interaction
// comes twice.
func TestAnnouncement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var posts []string
		k := newKeeper(t, nil, false, func(call discordtest.Made) (string, error) {
			if call.What == "post" {
				posts = append(posts, fmt.Sprint(call.Content, " ", call.Flags))
			}
			return "1100000000000000009", nil
		})
		reply := (&sharedMatch{}).reply(1)
		reply.InPlace, reply.Board.Acted, reply.Board.Event = true, true, bot.Text("a move")
		i := interaction.Interaction{ID: "1100000000000000007", ChannelID: "c", Type: discordgo.InteractionMessageComponent, Received: time.Now()}
		i.Message.ID, i.Channel.LastMessageID = "1100000000000000002", "1100000000000000003"
		for range 2 {
			must(t, k.Deliver(i, interaction.Result{Reply: reply}, nil))
		}
		if !k.Drain(time.Minute) || !slices.Equal(posts, []string{fmt.Sprint("a move ", interaction.FlagLayout|interaction.FlagSilent)}) {
			t.Errorf("announced was %q", posts)
		}
	})
}

// TestManyChanges: however quickly a match changes without an interaction, the board's token edits it five times in two seconds at
// most. The latest state is shown in the end.
func TestManyChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)))
		m := &sharedMatch{messages: map[string]string{}}
		p := newProcess(t, m, nil)
		p.boards.Shared = false
		id := fmt.Sprint((time.Now().UnixMilli() - 1420070400000) << 22)
		p.plays(id, "")()
		m.edits = 0
		for range 20 {
			time.Sleep(2 * time.Second / 20)
			m.version++
			reply := m.reply(m.version)
			p.boards.Show(func(context.Context) (bot.Reply, error) { return reply, nil })
			synctest.Wait()
		}
		if m.edits < 4 || m.edits > 6 {
			t.Errorf("%d edits in two seconds", m.edits)
		}
		if !p.boards.Drain(time.Minute) || m.messages[id+"9"] != fmt.Sprint("version ", m.version) {
			t.Errorf("it shows %q of version %d", m.messages, m.version)
		}
	})
}
