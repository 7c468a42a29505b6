package discordtest

import (
	"strings"
	"testing"
)

func identifyText(token string, intents int) string {
	return string(mustJSON(object{"op": 2, "d": object{
		"token": token, "intents": intents, "properties": object{"os": "linux", "browser": "test", "device": "test"},
	}}))
}

func TestGatewayRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, query, send string
		code              int
		violation         bool
	}{
		{"privileged intents", "v=9&encoding=json", identifyText(defaultToken, 1<<15), 4014, true},
		{"wrong token", "v=9&encoding=json", identifyText("x", 0), 4004, false},
		{"unknown opcode", "v=9&encoding=json", `{"op":99,"d":null}`, 4001, true},
		{"no JSON", "v=9&encoding=json", `{`, 4002, true},
		{"old version", "v=8&encoding=json", identifyText(defaultToken, 0), 4012, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := New(t, Options{})
			g := dialGateway(t, s, tt.query)
			g.send(tt.send)
			g.wantClose(tt.code)
			if got := s.Violations(); len(got) > 0 != tt.violation {
				t.Errorf("violations: got %q, want some: %t", got, tt.violation)
			}
		})
	}
	t.Run("twice", func(t *testing.T) {
		s, g := connected(t, Options{})
		g.send(identifyText(s.Token(), 0))
		g.wantClose(4005)
		wantViolation(t, s, "4005")
	})
	t.Run("flood", func(t *testing.T) {
		var clock Clock
		clock.Stop() // all of it in a minute, on however slow a machine
		s, g := connected(t, Options{Now: clock.Now})
		for range maxSends {
			g.send(`{"op":1,"d":null}`)
		}
		g.wantClose(4008)
		wantViolation(t, s, "4008")
	})
}

func TestGatewayResume(t *testing.T) {
	t.Parallel()
	s, g := connected(t, Options{})
	s.mu.Lock()
	var id string
	for id = range s.sessions {
	}
	s.mu.Unlock()
	resume := func(session string, seq int) string {
		return string(mustJSON(object{"op": 6, "d": object{"token": s.Token(), "session_id": session, "seq": seq}}))
	}
	s.Invoke(Interaction{Command: "seen"})
	g.want(opDispatch, "INTERACTION_CREATE")
	s.CutGateway()
	s.Invoke(Interaction{Command: "missed"})

	g = dialGateway(t, s, "v=10&encoding=json")
	g.want(opHello, "")
	g.send(resume("unknown", 2))
	if p := g.want(opInvalidSession, ""); string(p.Data) != "false" {
		t.Errorf("invalid session: got %s, want false", p.Data)
	}
	g.send(resume(id, 2))
	if p := g.want(opDispatch, "INTERACTION_CREATE"); *p.Seq != 3 || !strings.Contains(string(p.Data), "missed") {
		t.Errorf("replayed: %d %s", *p.Seq, p.Data)
	}
	g.want(opDispatch, "RESUMED")
	g.send(`{"op":1,"d":4}`)
	g.want(opHeartbeatAck, "")

	s.InvalidateSessions(false)
	g.want(opInvalidSession, "")
	g.send(resume(id, 4))
	g.want(opInvalidSession, "")
	s.ReadyWith(`{"op":7}`)
	g.send(identifyText(s.Token(), 0))
	g.want(7, "")
	g.send(identifyText(s.Token(), 0))
	g.want(opDispatch, "READY")
	if identified, resumed := s.Sessions(); identified != 2 || resumed != 1 {
		t.Errorf("identified %d, resumed %d, want 2 and 1", identified, resumed)
	}

	s.MuteAcks()
	g.send(`{"op":1,"d":1}`)
	s.SendFrame(`{"op":7}`) // comes instead of the ack
	g.want(7, "")
	s.CloseGateway(4004, "no more")
	g.wantClose(4004)
	g = dialGateway(t, s, "v=10&encoding=json")
	g.want(opHello, "")
	g.send(resume(id, 1))
	g.want(opInvalidSession, "")
}
