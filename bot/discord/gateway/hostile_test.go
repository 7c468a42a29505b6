package gateway

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/discord/discordtest"
)

// The places where a hostile frame comes.
const (
	insteadOfHello = iota
	beforeReady
	insteadOfReady
	afterReady
	places
)

// beHostile says frames at a place, answers nothing, and after a minute cuts the line.
func (l *testLine) beHostile(place int, frames []string) {
	all := func() {
		for _, f := range frames {
			l.say("%s", f)
		}
	}
	go func() { // listens, but does not acknowledge
		for op := 0; op != -1; op, _ = l.hear() {
		}
	}()
	if place != insteadOfHello {
		l.say(`{"op":10,"d":{"heartbeat_interval":41250}}`)
	}
	all()
	if place == beforeReady || place == afterReady {
		l.say(`{"op":0,"s":1,"t":"READY","d":{"session_id":"s","user":{"id":"1"}}}`)
		l.say(`{"op":0,"s":2,"t":"RESUMED","d":{}}`)
	}
	if place == afterReady {
		all()
	}
	l.cutAfter(time.Minute)
}

// survives serves a bot that gets frames at a place, on its first connection and when it
// resumes, and wants it connected some minutes later.
func survives(t *testing.T, place int, frames []string) {
	synctest.Test(t, func(t *testing.T) {
		var connected atomic.Bool
		g := newTestGateway(t, func(n int, l *testLine) {
			if n%2 == 1 && n < 4 {
				l.begin()
				go l.listen()
				l.cutAfter(10 * time.Second)
				return
			}
			if n < 4 {
				l.beHostile(place, frames)
				return
			}
			connected.Store(l.begin() > 0)
			l.listen()
		})
		if err := g.runFor(t, 20*time.Minute); err != nil {
			t.Errorf("got %v", err)
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		if !connected.Load() || len(g.changes) < 2 || !strings.HasSuffix(g.changes[len(g.changes)-2], "true") {
			t.Errorf("it is not connected again: dialled at %v, observed %v", g.dialled, g.changes)
		}
	})
}

func TestHostileFrames(t *testing.T) {
	for place := range places {
		for n, f := range discordtest.HostileFrames {
			t.Run(fmt.Sprintf("%d/%d", place, n), func(t *testing.T) { survives(t, place, []string{f}) })
		}
		t.Run(fmt.Sprintf("%d/all", place), func(t *testing.T) { survives(t, place, discordtest.HostileFrames) })
	}
}

func FuzzFrames(f *testing.F) {
	for place := range places {
		for _, frame := range discordtest.HostileFrames {
			if len(frame) < 1000 {
				f.Add(byte(place), frame)
			}
		}
	}
	f.Add(byte(afterReady), strings.Join(discordtest.HostileFrames[:30], "\n"))
	f.Fuzz(func(t *testing.T, place byte, frames string) {
		survives(t, int(place)%places, strings.Split(frames, "\n"))
	})
}
