package discord

import (
	"context"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
)

// recheckAfter is the time from a call for a board to a look at what other processes did: short
// enough for players, and long enough to cost the store little.
const recheckAfter = 2 * time.Second

// recheck finds out, a while after a call for a board has ended, whether another process has
// changed the match or posted the board meanwhile. Two processes do not wait for each other, so
// Discord may get the earlier of two states last. Each process rechecks after its own call has
// ended, so that one of them sees what is wrong. It is called with mu held.
func (s *boardKeeper) recheck(b *board) {
	if !s.shared || s.store == nil || b.rechecks || b.newest.reply.Board.Later == nil {
		return
	}
	b.rechecks = true
	s.run(func() {
		select {
		case <-time.After(recheckAfter):
		case <-s.over:
		}
		s.mu.Lock()
		b.rechecks = false
		about := b.newest.reply.Board
		s.mu.Unlock()
		if s.agree(b, s.stored(about, b.channel)) {
			s.catchUp(b, about)
		}
	})
}

// agree compares the message that the store has with the one that is known: if they differ, two
// processes have posted the board. The younger message is the board, and the older one is made to
// point to it, since this process may be the only one that can edit it. agree reports whether the
// message that was known is the board.
func (s *boardKeeper) agree(b *board, found string) bool {
	s.mu.Lock()
	var old boardMessage
	known := true
	switch {
	case b.busy != nil:
	case b.isReplacedBy(found):
		old, known = b.at, false
		b.replace(found)
	case found != "" && b.at.hasToken() && b.at.id != "" && calls.IsLater(b.at.id, found):
		old = boardMessage{id: found, byBot: b.at.byBot}
		s.save(b.newest.reply.Board.Match, b)
	}
	s.mu.Unlock()
	s.point(b, old)
	return known
}

// catchUp shows the state of a match if it is later than what the board shows.
func (s *boardKeeper) catchUp(b *board, about *bot.Board) {
	s.mu.Lock()
	promised := b.promised()
	s.mu.Unlock()
	if promised == 0 { // another process keeps the message
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.patience)
	defer cancel()
	reply, later, err := about.Later(ctx, promised)
	if err != nil {
		s.log.Warn("could not read the latest state of a match for its board", "match", about.Match, "error", err)
	}
	if err != nil || !later || reply.Audience != bot.Everyone {
		return
	}
	s.mu.Lock()
	st := &state{version: reply.Board.Version, id: b.newest.id, reply: reply}
	if b.newest.version < st.version {
		b.newest = st
	}
	if b.promised() < st.version {
		b.next = st
	}
	s.mu.Unlock()
	s.flush(b)
}
