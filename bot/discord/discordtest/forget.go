package discordtest

import (
	"maps"
	"slices"
	"time"
)

// forgetLocked drops what is older than [Options].Forget, at most once in that time; a message that is still used stays.
func (s *Server) forgetLocked(now time.Time) {
	if s.options.Forget == 0 || now.Before(s.nextForget) {
		return
	}
	s.nextForget = now.Add(s.options.Forget)
	old := now.Add(-s.options.Forget)
	maps.DeleteFunc(s.calls, func(_ string, c *Call) bool { return c.began.Before(old) })
	maps.DeleteFunc(s.tokens, func(_ string, c *Call) bool { return c.began.Before(old) })
	maps.DeleteFunc(s.messages, func(_ string, m *message) bool { return m.used.Before(old) })
	maps.DeleteFunc(s.limits, func(_ string, l *limit) bool { return l.reset.Before(old) })
	before := len(s.requests)
	s.requests = slices.DeleteFunc(s.requests, func(r Request) bool { return r.At.Before(old) })
	s.forgotten += before - len(s.requests)
}
