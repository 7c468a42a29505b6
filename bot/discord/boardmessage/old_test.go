package boardmessage

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
	"fivefold/game"
)

// TestChores: few old messages are deleted at once, all of them while the program runs, and no more of them when it ends.
func TestChores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most, made atomic.Int32
		k := newKeeper(t, nil, false, func(m discordtest.Made) (string, error) {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(90 * time.Millisecond)
			now.Add(-1)
			made.Add(1)
			return "", nil
		})
		b := k.board(&bot.Board{Match: "m"}, "", "1")
		remove := func() {
			b.remove(knownMessage{Posted: interaction.Posted{ID: "7", Token: "t", Target: "7", Until: time.Now().Add(time.Hour)}})
		}
		for range 100 {
			remove()
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if made.Load() != 100 || most.Load() != maxChores {
			t.Errorf("%d are made, %d at once", made.Load(), most.Load())
		}
		for range 100 {
			remove()
		}
		synctest.Wait()
		if !k.Drain(time.Second) || made.Load() != 100+maxChores {
			t.Errorf("%d are made when it ends", made.Load())
		}
	})
}

// TestPostDoesNotWait has the channel take no edits by the bot: a typed command posts the board
// again with the state that was to be shown, and no edit of the old one comes after it.
func TestPostDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &sharedMatch{messages: map[string]string{}}
		p := newProcess(t, m, nil)
		p.boards.Shared = false
		hold := make(chan struct{})
		takes := *p.takes
		*p.takes = func(call discordtest.Made) (string, error) {
			switch {
			case call.Target == "7":
				<-hold
			case call.What == "patch" && call.Content == "version 3":
				t.Error("the old board was edited")
			}
			return takes(call)
		}
		p.plays("1100000000000000001", "")()
		p.plays("1100000000000000002", "")()
		synctest.Wait()
		b := p.boards.board(p.match.reply(1).Board, "", "c")
		b.at.Token = ""
		go func() { _ = p.boards.Deliverer.Calls.EditByBot(t.Context(), "c", "7", nil) }() // the bot's turn in the channel is taken
		synctest.Wait()
		p.plays("1100000000000000003", "11000000000000000019")() // on the message that is deleted, so the board itself must be edited
		synctest.Wait()
		if text := m.shown()["11000000000000000029"]; text != "version 2" {
			t.Errorf("the board shows %q", text)
		}
		p.plays("1100000000000000004", "")()
		close(hold)
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := map[string]string{"7": "", "11000000000000000049": "version 4"}; !maps.Equal(m.shown(), want) {
			t.Errorf("the channel shows %v, want %v", m.shown(), want)
		}
	})
}

// slowNotes is a store that knows what was saved only after a while.
type slowNotes struct {
	*sharedMatch
	after time.Duration
}

func (s slowNotes) SaveBoardMessage(ctx context.Context, slot game.Slot, at game.BoardMessage) error {
	time.AfterFunc(s.after, func() { _ = s.sharedMatch.SaveBoardMessage(ctx, slot, at) })
	return nil
}

// TestOldBoard: a message that a typed command has replaced is deleted by its token or by the bot, and not before the
// store knows the new one. Until then a press on it is shown by the new one. Where it cannot be deleted, it stays and, if
// it is pressed, shows the present state: then it is the board, and the other one is deleted if possible.
func TestOldBoard(t *testing.T) {
	const (
		first, second, third, fourth = "1100000000000000001", "1100000000000000002", "1100000000000000003", "1100000000000000004"
		old, board                   = first + "9", second + "9"
		noted                        = 2 * time.Second
	)
	type shown = map[string]string
	for name, test := range map[string]struct {
		guild   string
		passes  time.Duration // between the two
		never   bool          // the store does not learn of the second one
		soon    shown         // before the store knows the second one
		pressed bool          // the old one is then
		later   shown
		after   shown // after a press of the old one, or a form that was opened from it
	}{
		"by its token":        {"7", 0, false, shown{old: "version 1", board: "version 2"}, false, shown{board: "version 2"}, shown{third + "9": "version 3"}},
		"by the bot":          {"", time.Hour, false, shown{old: "version 1", board: "version 2"}, false, shown{board: "version 2"}, shown{third + "9": "version 3"}},
		"pressed before that": {"", 0, false, shown{old: "version 1", board: "version 2"}, true, shown{board: "version 3"}, shown{fourth + "9": "version 4"}},
		"no way":              {"7", time.Hour, false, shown{old: "version 1", board: "version 2"}, false, shown{old: "version 1", board: "version 2"}, shown{old: "version 3"}},
		"never noted":         {"7", 0, true, shown{old: "version 1", board: "version 2"}, false, shown{old: "version 1", board: "version 2"}, shown{old: "version 1", board: "version 3"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &sharedMatch{messages: map[string]string{}}
				p := newProcess(t, m, nil)
				p.guild, p.boards.Shared, p.boards.Store = test.guild, false, slowNotes{m, noted}
				takes := *p.takes
				*p.takes = func(call discordtest.Made) (string, error) {
					if m.shown()[old] == "" && call.What == "respond" && !call.New {
						return "", discordtest.Refusal{Status: 404, Code: 10008}
					}
					return takes(call)
				}
				check := func(when string, want shown) {
					t.Helper()
					synctest.Wait()
					if !maps.Equal(m.shown(), want) {
						t.Errorf("%s: the channel shows %v, want %v", when, m.shown(), want)
					}
				}
				p.plays(first, "")()
				time.Sleep(noted + test.passes + time.Second)
				if test.never {
					p.boards.Store = slowNotes{m, time.Hour}
				}
				p.plays(second, "")()
				time.Sleep(noted / 2)
				check("before it is noted", test.soon)
				next := third
				if test.pressed {
					p.plays(next, old)()
					next = fourth
				}
				time.Sleep(time.Minute)
				check("later", test.later)
				p.plays(next, old)()
				time.Sleep(time.Minute)
				check("pressed", test.after)
				if m.early != nil {
					t.Errorf("deleted while the store took them for the board: %v", m.early)
				}
			})
		})
	}
}

// TestOldBoardOfTwoProcesses: a message that another process has replaced but could not delete shows the present state
// when it is pressed, also if this process has posted it. Whatever is pressed or typed, one message shows the latest state.
func TestOldBoardOfTwoProcesses(t *testing.T) {
	for _, guild := range []string{"", "7"} {
		synctest.Test(t, func(t *testing.T) {
			m := &sharedMatch{messages: map[string]string{}}
			processes := []process{newProcess(t, m, nil), newProcess(t, m, nil)}
			var messages []string
			time.Sleep(time.Until(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
			for n, step := range []struct{ process, presses int }{{0, -1}, {1, -1}, {0, 0}, {1, 1}, {1, -1}, {0, 1}, {0, -1}, {1, 4}} {
				time.Sleep(20 * time.Minute)
				p, message := processes[step.process], ""
				p.guild = guild
				if step.presses >= 0 {
					message = messages[step.presses]
				}
				if message != "" && m.shown()[message] == "" {
					message = "" // nobody can press it any more
				}
				id := fmt.Sprint((time.Now().UnixMilli() - 1420070400000) << 22 / 10) // that of a message, with a digit more, has the time
				messages = append(messages, id+"9")
				p.plays(id, message)()
				time.Sleep(time.Minute)
				synctest.Wait()
				want := fmt.Sprint("version ", n+1)
				if got := m.shown()[cmp.Or(message, id+"9")]; got != want && (guild != "" || !slices.Contains(slices.Collect(maps.Values(m.shown())), want)) {
					t.Errorf("guild %q, step %d: the channel shows %v", guild, n, m.shown())
				}
				if guild == "" && len(m.shown()) != 1 {
					t.Errorf("step %d: the channel shows %v", n, m.shown())
				}
			}
		})
	}
}

// TestDeletedBoard: if a moderator has deleted the board, one line in the channel says how the match ended, by the bot if it is
// a member and otherwise by the token. A message that we deleted ourselves leads to no such line.
func TestDeletedBoard(t *testing.T) {
	const first, board, end = "1100000000000000001", "11000000000000000019", "The race is over."
	for name, test := range map[string]struct {
		guild        string
		passes       time.Duration // after the board was posted
		early, ended bool          // a state is shown before the end, after somebody has deleted the board; the match ends
		replaced     bool          // another process has posted the board again, and deleted it
		told         string
	}{
		"by the bot":             {ended: true, told: "post " + end},
		"noticed before the end": {early: true, ended: true, told: "post " + end},
		"by the token":           {guild: "7", ended: true, told: "follow " + end},
		"noticed, by the token":  {guild: "7", early: true, ended: true, told: "follow " + end},
		"no way":                 {guild: "7", passes: time.Hour, ended: true},
		"it goes on":             {early: true},
		"replaced":               {replaced: true, early: true, ended: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(time.Until(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
				m := &sharedMatch{messages: map[string]string{}}
				var told []string
				start := func() process {
					p := newProcess(t, m, nil)
					p.guild = test.guild
					takes := *p.takes
					*p.takes = func(call discordtest.Made) (string, error) {
						switch call.What {
						case "post", "follow":
							m.mu.Lock()
							told = append(told, call.What+" "+call.Content)
							m.mu.Unlock()
							return "", nil
						case "edit", "patch":
							if m.shown()[cmp.Or(strings.TrimPrefix(call.Token, "token-of-"), call.Target)] == "" {
								return "", discordtest.Refusal{Status: 404, Code: 10008}
							}
						}
						return takes(call)
					}
					return p
				}
				p := start()
				shows := func(ended bool) {
					m.mu.Lock()
					m.version++
					reply := m.reply(m.version)
					m.mu.Unlock()
					if ended {
						reply.Board.End = bot.Text(end)
					}
					b, st := p.boards.board(reply.Board, test.guild, "c"), newState("1", interaction.Result{Reply: reply})
					defer b.users.Add(-1)
					b.observe(st)
					b.async(func() { b.showLater(st) })
					synctest.Wait()
				}
				p.plays(first, "")()
				time.Sleep(time.Minute + test.passes)
				if test.replaced {
					start().plays("1100000000000000002", "")()
					synctest.Wait()
				}
				m.mu.Lock()
				delete(m.messages, board)
				m.mu.Unlock()
				for _, step := range []struct{ happens, ended bool }{{test.early, false}, {test.ended, true}, {test.ended, false}} {
					if step.happens {
						shows(step.ended)
					}
					time.Sleep(time.Minute)
				}
				synctest.Wait()
				if got := strings.Join(told, ", "); got != test.told {
					t.Errorf("the channel is told %q, want %q", got, test.told)
				}
				if got := m.shown()["11000000000000000029"]; test.replaced && got != fmt.Sprint("version ", m.version) {
					t.Errorf("the other board shows %q", got)
				}
			})
		})
	}
}

// TestPressWhileDeleted: while another process deletes a message that it has replaced, a third one does not take a press on
// it for a reason to make it the board again.
func TestPressWhileDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)))
		const first, second, third = "1100000000000000001", "1100000000000000002", "1100000000000000003"
		m := &sharedMatch{messages: map[string]string{}}
		posts, replaces, pressed := newProcess(t, m, nil), newProcess(t, m, nil), newProcess(t, m, nil)
		takes, hold := *replaces.takes, make(chan struct{})
		*replaces.takes = func(call discordtest.Made) (string, error) {
			if call.What == "delete" {
				<-hold
			}
			return takes(call)
		}
		posts.plays(first, "")()
		time.Sleep(time.Minute)
		replaces.plays(second, "")()
		synctest.Wait()
		pressed.plays(third, first+"9")()
		synctest.Wait()
		close(hold)
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := map[string]string{second + "9": "version 3"}; !maps.Equal(m.shown(), want) || m.board.Message != second+"9" {
			t.Errorf("the channel shows %v, want %v; the store has %s", m.shown(), want, m.board.Message)
		}
	})
}
