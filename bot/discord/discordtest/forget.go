package discordtest

import "slices"

// forgetLocked drops the oldest interactions, with what was answered to them, and the
// oldest requests, once there are twice as many as [Options].Keep.
func (s *Server) forgetLocked() {
	if s.keep == 0 {
		return
	}
	if n := len(s.order) - s.keep; n >= s.keep {
		for _, c := range s.order[:n] {
			delete(s.calls, c.id)
			delete(s.tokens, c.token)
			if c.original != nil {
				delete(s.messages, c.original.id)
			}
			for id := range c.messages {
				delete(s.messages, id)
			}
		}
		s.order = slices.Clone(s.order[n:])
	}
	if n := len(s.requests) - s.keep; n >= s.keep {
		s.forgotten += n
		s.requests = slices.Clone(s.requests[n:])
	}
}
