package boards

import (
	"context"
	"errors"
	"time"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
)

// pointer is an old message of a match that is to become one line which leads to the board.
type pointer struct {
	channel *channel
	old     boardMessage
	to      interaction.Message
}

const (
	// maxChores is how many calls that players can do without for a while are made at once, and choreTime how
	// long each of them counts at least, so there are 40 a second: answers come first, and Discord takes only
	// 50 calls a second from the bot itself.
	maxChores = 4
	choreTime = 100 * time.Millisecond
	// maxWaiting is how many of them wait at most. Messages beyond that stay as they are: their buttons
	// still work.
	maxWaiting = 1000
	// pointerGap is how long a pointer waits for its channel before it looks again.
	pointerGap = 100 * time.Millisecond
	// sparedEdits is how many of the edits that a channel takes from the bot at once, some five, are left
	// to boards.
	sparedEdits = 2
)

// chore makes calls that can wait, when there are few of them. It does that again after a while if do says so.
// What still waits at the end of the program is not done.
func (s *Keeper) chore(do func() (again bool)) {
	if s.waiting.Add(1) > maxWaiting {
		s.waiting.Add(-1)
		return
	}
	s.jobs.run(func() {
		defer s.waiting.Add(-1)
		for s.inTurn(do) && calls.Sleep(s.jobs.over, pointerGap) == nil {
		}
	})
}

func (s *Keeper) inTurn(do func() (again bool)) (again bool) {
	select {
	case s.chores <- struct{}{}:
		defer func() { <-s.chores }()
		began := time.Now()
		if again = do(); !again {
			_ = calls.Sleep(s.jobs.over, choreTime-time.Since(began)) // the end is noticed by the next
		}
		return again
	case <-s.jobs.over.Done():
		return false
	}
}

// point makes a pointer, and does not wait for that. Those that only the bot can make are made one at a time in a
// channel. A message that cannot be edited stays as it is.
func (s *Keeper) point(p pointer) {
	s.chore(func() (again bool) {
		if p.channel.wait() > 0 {
			return true
		}
		if !p.old.HasToken() {
			if s.EditWait(p.channel.id, sparedEdits) > 0 || !p.channel.pointing.TryLock() {
				return true
			}
			defer p.channel.pointing.Unlock()
		}
		err := s.editMessage(p.channel.id, &p.old, p.to)
		if calls.IsLimited(err) {
			p.channel.block()
			return true
		}
		if err != nil && !errors.Is(err, errNoWay) {
			s.Log.Warn("could not point an old board to the new one", "error", err)
		}
		return false
	})
}

// textMessage is an edit that leaves nothing but a text of ours.
func textMessage(text string) interaction.Message {
	m := interaction.NewMessage().AsEdit()
	m.Content = text
	return m
}

// identify asks for the id of a message that was posted by an HTTP response, which does not say it. Ids are
// needed for pointers, for private messages and after a restart, all of which can wait.
func (b *board) identify(at boardMessage) {
	b.boards.chore(func() (again bool) {
		ctx, cancel := context.WithTimeout(context.Background(), b.boards.Timeout)
		defer cancel()
		if at.Exchange.Settle(ctx) != nil {
			return false
		}
		id, err := b.boards.MessageID(ctx, at.App, at.Token, at.Target)
		if err != nil {
			b.boards.Log.Warn("could not look up a match's message", "error", err)
			return false
		}
		b.later(func() { b.identified(at, id) })
		return false
	})
}

// maxOld is how many messages of a match wait at most for the id of its board.
const maxOld = 8

// point lets an old message of the match point to the board, and does not wait for that. One
// with neither an id nor a token is none.
func (b *board) point(old boardMessage) {
	if old.ID != "" || old.Token != "" {
		b.old = append(b.old, old)
	}
	if b.at.ID == "" { // there is nothing to point to yet
		b.old = b.old[max(0, len(b.old)-maxOld):]
		return
	}
	for _, old := range b.old {
		if b.at.ID != old.ID && (old.Token == "" || old.Token != b.at.Token) && !b.othersPoint(old) {
			b.boards.point(pointer{b.channel, old, b.pointerTo()})
		}
	}
	b.old = nil
}

// othersPoint reports whether another process has posted a message so recently that it will recheck its
// board, and let the message point to this one itself: by its token, of which there are as many as
// messages, while a channel takes few edits by the bot.
func (b *board) othersPoint(old boardMessage) bool {
	made, ok := calls.Made(old.ID)
	return ok && b.boards.Shared && !old.HasToken() && b.boards.now().Sub(made) < recheckAfter-clocksApart/2
}

// pointerTo is a message that leads to the board.
func (b *board) pointerTo() interaction.Message {
	return textMessage("The board is further down: " + b.link())
}
