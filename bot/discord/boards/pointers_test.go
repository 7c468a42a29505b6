package boards

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
)

// TestChores: few pointers are made at once, 40 a second, all of them while the program runs, and no more of them
// when it ends.
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
		point := func() {
			at := interaction.Posted{ID: "7", Token: "t", Target: "7", Until: time.Now().Add(time.Hour)}
			k.point(pointer{&channel{boards: k, id: "1"}, boardMessage{Posted: at}, textMessage("moved")})
		}
		for range 100 {
			point()
		}
		time.Sleep(time.Second - time.Nanosecond)
		synctest.Wait()
		if made.Load() != 40 {
			t.Errorf("%d are made in a second", made.Load())
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if made.Load() != 100 || most.Load() != maxChores {
			t.Errorf("%d are made, %d at once", made.Load(), most.Load())
		}
		for range 100 {
			point()
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
		go func() { _ = p.boards.EditByBot(t.Context(), "c", "7", nil) }() // the bot's turn in the channel is taken
		synctest.Wait()
		p.plays("1100000000000000003", "1100000000000000000")() // for an old message, so the board itself must be edited
		synctest.Wait()
		if text := m.messages["11000000000000000029"]; text != "version 2" {
			t.Errorf("the board shows %q", text)
		}
		p.plays("1100000000000000004", "")()
		close(hold)
		time.Sleep(time.Minute)
		synctest.Wait()
		if old, board := m.messages["11000000000000000029"], m.messages["11000000000000000049"]; board != "version 4" || !strings.HasPrefix(old, "The board is further down") {
			t.Errorf("the board shows %q, the old one %q", board, old)
		}
		if !p.boards.Drain(time.Second) {
			t.Error("it does not end")
		}
	})
}
