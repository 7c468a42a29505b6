package discord

import (
	"errors"
	"slices"
	"strings"
	"time"

	"fivefold/bot"
)

// pointer is an old message of a match that is to become one line which leads to the board.
type pointer struct {
	channel string
	old     boardMessage
	to      message
}

const (
	// pointerGap is the least time from one pointer to the next. They are what players can
	// do without for a while: answers come first, and Discord takes only 50 calls a second
	// from the bot itself.
	pointerGap = 25 * time.Millisecond
	// busyPointerGap is the gap while more than manyInFlight interactions are worked on.
	busyPointerGap = 100 * time.Millisecond
	manyInFlight   = 16
	// maxPointers is how many wait at most. Messages beyond that stay as they are: their
	// buttons still work.
	maxPointers = 1000
	// lastPointers is how many of them are still made at the end of the program: the latest.
	lastPointers = 40
)

// maxOld is how many messages of a match wait at most for the id of its board.
const maxOld = 8

// point lets an old message of a match point to the board, and does not wait for that. One
// with neither an id nor a token is none.
func (s *boardKeeper) point(b *board, old boardMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old.id == "" && old.token == "" {
		return
	}
	b.old = append(b.old, old)
	if b.at.id != "" {
		s.pointOld(b)
	} else if len(b.old) > maxOld {
		b.old = b.old[1:]
	}
}

// pointOld is point for the messages that wait for the id of the board, which is known. It is
// called with mu held.
func (s *boardKeeper) pointOld(b *board) {
	for _, old := range b.old {
		if b.at.id == old.id || old.token != "" && old.token == b.at.token || len(s.pointers) >= maxPointers {
			continue
		}
		s.pointers = append(s.pointers, pointer{b.channel, old, s.pointerTo(b)})
	}
	b.old = nil
	if !s.pointing && len(s.pointers) > 0 {
		s.pointing = true
		s.run(s.pointAll)
	}
}

// sparedEdits is how many of the edits that a channel takes from the bot at once, some five,
// are left to boards.
const sparedEdits = 2

// mayPoint reports whether a pointer can be made now. Those that only the bot can make are
// made one at a time in a channel. It is called with mu held.
func (s *boardKeeper) mayPoint(p pointer) bool {
	c := s.channel(p.channel)
	if s.isOld(p.old.id) && c.wait() > 0 {
		return false
	}
	return p.old.hasToken() || !c.pointing && s.calls.botEditWait(p.channel, sparedEdits) == 0
}

// pointAll makes the pointers that wait, one after the other.
func (s *boardKeeper) pointAll() {
	for {
		s.mu.Lock()
		if len(s.pointers) == 0 {
			s.pointing = false
			s.mu.Unlock()
			return
		}
		n := slices.IndexFunc(s.pointers, s.mayPoint)
		if n < 0 && s.ending { // nobody waits for the rest
			s.pointers = nil
		}
		if n >= 0 {
			p := s.pointers[n]
			s.pointers = slices.Delete(s.pointers, n, n+1)
			var counted *oldEdit
			c := s.channel(p.channel)
			if s.isOld(p.old.id) {
				counted = c.count()
			}
			byBot := !p.old.hasToken()
			if byBot {
				c.pointing = true
			}
			s.run(func() {
				defer func() {
					s.mu.Lock()
					defer s.mu.Unlock()
					counted.done()
					if byBot {
						c.pointing = false
					}
				}()
				if err := s.edit(p.channel, &p.old, p.to); err != nil && !errors.Is(err, errNoWay) { // if it cannot be edited, it stays as it is
					s.log.Warn("could not point an old board to the new one", "error", err)
				}
			})
		}
		s.mu.Unlock()
		if s.inFlight() > manyInFlight {
			time.Sleep(busyPointerGap)
		} else {
			time.Sleep(pointerGap)
		}
	}
}

// pointerTo is a message that leads to the board. It is called with mu held.
func (s *boardKeeper) pointerTo(b *board) message {
	return textMessage("The board is further down: " + s.link(b))
}

// textMessage is an edit that leaves nothing but a text of ours.
func textMessage(text string) message {
	m := newMessage(bot.Reply{}, nil).asEdit()
	m.Content = text
	return m
}

// link is the address of the board. It is called with mu held.
func (s *boardKeeper) link(b *board) string {
	server := b.server
	if server == "" {
		server = "@me"
	}
	return strings.TrimSuffix("https://discord.com/channels/"+server+"/"+b.channel+"/"+b.at.id, "/") // to the channel, without an id
}
