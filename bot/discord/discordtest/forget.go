package discordtest

import "slices"

// forgetMessagesLocked drops the messages that belong to no interaction that is kept: a
// board whose buttons are still pressed stays.
func (s *Server) forgetMessagesLocked() {
	kept := map[string]*message{}
	for _, id := range s.loose {
		kept[id] = s.messages[id]
	}
	for _, c := range s.order {
		if c.original != nil {
			kept[c.original.id] = c.original
		}
		for id, m := range c.messages {
			kept[id] = m
		}
	}
	s.messages = kept
}

// forgetLocked drops the oldest interactions, with what was answered to them, and the
// oldest requests, once there are twice as many as [Options].Keep.
func (s *Server) forgetLocked() {
	if s.options.Keep == 0 {
		return
	}
	if n := len(s.order) - s.options.Keep; n >= s.options.Keep {
		for _, c := range s.order[:n] {
			delete(s.calls, c.id)
			delete(s.tokens, c.token)
		}
		s.order = slices.Clone(s.order[n:])
		s.forgetMessagesLocked()
	}
	if n := len(s.loose) - s.options.Keep; n >= s.options.Keep {
		s.loose = slices.Clone(s.loose[n:])
		s.forgetMessagesLocked()
	}
	if n := len(s.requests) - s.options.Keep; n >= s.options.Keep {
		s.forgotten += n
		s.requests = slices.Clone(s.requests[n:])
	}
}
