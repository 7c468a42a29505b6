package discord

import (
	"fivefold/bot/discord/discordtest"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestPointersAtTheEnd ends the program while many old boards are to point to new ones: only
// the latest still do.
func TestPointersAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(scriptTime))
		f, sent := newRecorder(t, nil)
		var (
			mu    sync.Mutex // protects edits
			edits = map[string]bool{}
		)
		sent.takes = func(m discordtest.Made) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			edits[m.Target] = true
			return "", nil
		}
		const all = 500
		young := (scriptTime.UnixMilli() - 1420070400000) << 22
		for n := range all {
			id := strconv.FormatInt(young+int64(n), 10)
			f.boards.point(pointer{newChannel(f.boards, "1"), boardMessage{posted: posted{id: id, token: "t", target: fmt.Sprint(n), until: scriptTime.Add(time.Hour)}}, textMessage("moved")})
		}
		synctest.Wait() // the first one is made
		if !f.boards.drain(10 * time.Second) {
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
