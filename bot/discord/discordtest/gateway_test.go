package discordtest

import (
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
}
