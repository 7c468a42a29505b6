package discordtest

import "testing"

func TestGatewayRefuses(t *testing.T) {
	t.Parallel()
	const query = "v=9&encoding=json"
	for _, c := range []struct {
		name, query string
		op          int
		data        any
		code        int
		violation   string
	}{
		{"intents", query, opIdentify, identify(defaultToken, 1<<15), 4014, "4014"},
		{"wrong token", query, opIdentify, identify("x", 0), 4004, ""},
		{"unknown opcode", query, 99, nil, 4001, "4001"},
		{"no object", query, opIdentify, "x", 4002, "4002"},
		{"old version", "v=8&encoding=json", opIdentify, identify(defaultToken, 0), 4012, "4012"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(t, Options{})
			ws := dial(t, s, c.query)
			send(t, ws, c.op, c.data)
			wantClose(t, ws, c.code)
			wantViolation(t, s, c.violation)
		})
	}
	t.Run("twice", func(t *testing.T) {
		s, ws := connected(t, Options{})
		send(t, ws, opIdentify, identify(defaultToken, 0))
		wantClose(t, ws, 4005)
		wantViolation(t, s, "4005")
	})
}
