package discord

import (
	"context"
	"fivefold/bot/discord/calls"
	"slices"
	"time"
)

// identify finds out the id of a board that was posted by an HTTP response, which does not say
// it, and does not wait for that. Ids are needed for pointers, for notices and after a restart,
// all of which can wait; so they are asked for at the pace of pointers, and as many wait at most.
// A board that is posted again meanwhile is asked for once.
func (s *boardKeeper) identify(b *board) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.nameless, b) || len(s.nameless) >= maxPointers {
		return
	}
	s.nameless = append(s.nameless, b)
	if !s.naming {
		s.naming = true
		s.run(s.identifyAll)
	}
}

// identifyAll asks for the ids of the boards that wait, one after the other.
func (s *boardKeeper) identifyAll() {
	for {
		s.mu.Lock()
		if len(s.nameless) == 0 {
			s.naming = false
			s.mu.Unlock()
			return
		}
		if wait := pointerGap - time.Since(s.asked); wait > 0 {
			s.mu.Unlock()
			time.Sleep(wait)
			continue
		}
		s.asked = time.Now()
		b := s.nameless[0]
		s.nameless = s.nameless[1:]
		if at := b.at; at.id == "" && at.token != "" {
			s.run(func() { s.ask(b, at) })
		}
		s.mu.Unlock()
	}
}

// ask asks for the id of a board.
func (s *boardKeeper) ask(b *board, at boardMessage) {
	ctx, cancel := context.WithTimeout(context.Background(), s.calls.timeout)
	defer cancel()
	if at.settle(ctx) != nil {
		return
	}
	id, err := s.calls.idByToken(ctx, at.app, at.token, at.target)
	if err != nil {
		s.log.Warn("could not look up a match's message", "error", err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.at.id != "" || b.at.token != at.token { // another one has taken its place
		return
	}
	b.at.id = id
	for n, old := range b.old {
		if old.id != "" && calls.IsLater(old.id, b.at.id) { // the board answers an earlier interaction that was delivered again
			b.at, b.old[n] = old, b.at
			b.shown = 0
		}
	}
	s.save(b.newest.reply.Board.Match, b)
	s.pointOld(b)
}
