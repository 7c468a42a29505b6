package boards

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/interaction"
)

// TestPointersAtTheEnd ends the program while many old boards are to point to new ones: only
// the latest still do.
func TestPointersAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))) // ids begin in 2015
		began := time.Now()
		var (
			mu    sync.Mutex // protects edits
			edits = map[string]bool{}
		)
		k := newKeeper(t, nil, false, func(m discordtest.Made) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			edits[m.Target] = true
			return "", nil
		})
		const all = 500
		young := (began.UnixMilli() - 1420070400000) << 22
		for n := range all {
			id := strconv.FormatInt(young+int64(n), 10)
			k.point(pointer{newChannel(k, "1"), boardMessage{Posted: interaction.Posted{ID: id, Token: "t", Target: fmt.Sprint(n), Until: began.Add(time.Hour)}}, textMessage("moved")})
		}
		synctest.Wait() // the first one is made
		if !k.Drain(10 * time.Second) {
			t.Error("it takes too long")
		}
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		if len(edits) != 1+lastPointers || !edits["0"] || !edits[fmt.Sprint(all-lastPointers)] || !edits[fmt.Sprint(all-1)] {
			t.Errorf("%d pointers are made, want the first and the last %d", len(edits), lastPointers)
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
