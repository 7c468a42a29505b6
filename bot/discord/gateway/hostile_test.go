package gateway

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
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
		for n, f := range hostileFrames {
			t.Run(fmt.Sprintf("%d/%d", place, n), func(t *testing.T) { survives(t, place, []string{f}) })
		}
		t.Run(fmt.Sprintf("%d/all", place), func(t *testing.T) { survives(t, place, hostileFrames) })
	}
}

func FuzzFrames(f *testing.F) {
	for place := range places {
		for _, frame := range hostileFrames {
			if len(frame) < 1000 {
				f.Add(byte(place), frame)
			}
		}
	}
	f.Add(byte(afterReady), strings.Join(hostileFrames[:30], "\n"))
	f.Fuzz(func(t *testing.T, place byte, frames string) {
		survives(t, int(place)%places, strings.Split(frames, "\n"))
	})
}

// hostileFrames are frames that no Discord should send.
var hostileFrames = []string{
	`null`, `true`, `0`, `""`, `[]`, `{}`, ``, ` `, `{`, `{"op":`, "\x00", "\xff\xfe", `{"op":null}`, `{"op":"0"}`, `{"op":1e99}`, `{"op":-1}`, `{"op":99}`, `{"op":2}`, `{"op":6}`,
	`{"op":0}`, `{"op":0,"t":null,"d":null}`, `{"op":0,"t":5,"s":1,"d":{}}`, `{"op":0,"t":"READY","d":null}`, `{"op":0,"t":"READY","d":[]}`, `{"op":0,"t":"READY","d":{}}`,
	`{"op":0,"t":"READY","s":"x","d":{"session_id":7}}`, `{"op":0,"t":"READY","s":-5,"d":{"session_id":"h","user":null,"application":null,"guilds":null}}`,
	`{"op":0,"t":"READY","s":9,"d":{"session_id":"h","resume_gateway_url":"http://elsewhere.test","user":{"id":"1"}}}`,
	`{"op":0,"t":"READY","s":9,"d":{"session_id":"h","resume_gateway_url":"::","user":{"id":"1"}}}`,
	`{"op":0,"t":"RESUMED","s":9223372036854775807,"d":null}`, `{"op":0,"t":"RESUMED","s":1e30,"d":null}`,
	`{"op":0,"t":"INTERACTION_CREATE","s":9,"d":null}`, `{"op":0,"t":"INTERACTION_CREATE","s":9,"d":[]}`, `{"op":0,"t":"INTERACTION_CREATE","s":9,"d":{"type":"x"}}`,
	`{"op":0,"t":"VOICE_SERVER_UPDATE","s":9,"d":{}}`, `{"op":0,"t":"VOICE_STATE_UPDATE","s":9,"d":{"channel_id":"1","guild_id":"1"}}`, `{"op":0,"t":"GUILD_CREATE","s":9,"d":null}`,
	`{"op":1}`, `{"op":7}`, `{"op":7,"d":{}}`, `{"op":9}`, `{"op":9,"d":true}`, `{"op":9,"d":"x"}`, `{"op":9,"d":false}`,
	`{"op":10}`, `{"op":10,"d":null}`, `{"op":10,"d":{}}`, `{"op":10,"d":{"heartbeat_interval":0}}`, `{"op":10,"d":{"heartbeat_interval":-1}}`, `{"op":10,"d":{"heartbeat_interval":"x"}}`,
	`{"op":10,"d":{"heartbeat_interval":1e300}}`, `{"op":10,"d":{"heartbeat_interval":9223372036854775807}}`, `{"op":10,"d":{"heartbeat_interval":0.0001}}`, `{"op":11}`, `{"op":11,"d":5}`,
	`{"op":0,"t":"X","d":` + strings.Repeat("[", 20_000) + `}`, strings.Repeat("9", 1000), "x\x9c\x00\x01\x02",
}
