package discordtest

// Shown returns a message as players see it now, by the MessageID of an
// [Answer]; false if there is none, or it was deleted.
func (s *Server) Shown(messageID string) (Answer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.messages[messageID]
	if m == nil || m.deleted {
		return Answer{}, false
	}
	return m.shown(), true
}

// shown is the message as players see it.
func (m *message) shown() Answer {
	a := Answer{Flags: m.flags, Content: m.content}
	var components []component
	if m.components != nil {
		if p := decode("components", m.components, &components); p != nil {
			panic(p) // it was checked when it came
		}
	}
	a.Components = usable(components)
	m.describeTo(&a)
	for _, f := range m.attachments {
		a.Files = append(a.Files, f.File)
	}
	return a
}
