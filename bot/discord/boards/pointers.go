package boards

import (
	"errors"
	"slices"
	"sync"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/interaction"
)

// pointer is an old message of a match that is to become one line which leads to the board.
type pointer struct {
	channel *channel
	old     boardMessage
	to      interaction.Message
}

const (
	// pointerGap is the least time from one pointer to the next. They are what players can
	// do without for a while: answers come first, and Discord takes only 50 calls a second
	// from the bot itself.
	pointerGap = 25 * time.Millisecond
	// maxPointers is how many wait at most. Messages beyond that stay as they are: their
	// buttons still work.
	maxPointers = 1000
	// lastPointers is how many of them are still made at the end of the program: the latest.
	lastPointers = 40
)

// pointers are those that are to be made. It is safe for concurrent use.
type pointers struct {
	worker *worker

	mu      sync.Mutex // protects the fields below
	waiting []pointer
	looked  time.Time // when one was looked for last
}

// keepLast forgets all but the latest.
func (p *pointers) keepLast(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = p.waiting[max(0, len(p.waiting)-n):]
}

// point has a pointer made.
func (s *Keeper) point(p pointer) {
	s.pointers.mu.Lock()
	defer s.pointers.mu.Unlock()
	if len(s.pointers.waiting) >= maxPointers {
		return
	}
	s.pointers.waiting = append(s.pointers.waiting, p)
	s.pointers.worker.wake()
}

// sparedEdits is how many of the edits that a channel takes from the bot at once, some five,
// are left to boards.
const sparedEdits = 2

// nextPointer begins the first pointer that can be made now: see [worker].
func (s *Keeper) nextPointer() time.Duration {
	s.pointers.mu.Lock()
	defer s.pointers.mu.Unlock()
	if len(s.pointers.waiting) == 0 {
		return -1
	}
	if wait := pointerGap - time.Since(s.pointers.looked); wait > 0 {
		return wait
	}
	s.pointers.looked = time.Now()
	for n, p := range s.pointers.waiting {
		if made := s.mayPoint(p); made != nil {
			s.pointers.waiting = slices.Delete(s.pointers.waiting, n, n+1)
			s.jobs.run(func() {
				defer made()
				if err := s.editMessage(p.channel.id, &p.old, p.to); err != nil && !errors.Is(err, errNoWay) { // if it cannot be edited, it stays as it is
					s.Log.Warn("could not point an old board to the new one", "error", err)
				}
			})
			return 0
		}
	}
	if s.jobs.isEnding() { // nothing waits for the rest
		s.pointers.waiting = nil
	}
	return pointerGap
}

// mayPoint begins a pointer if it can be made now, and returns what is to be called when it is made.
// Those that only the bot can make are made one at a time in a channel.
func (s *Keeper) mayPoint(p pointer) (made func()) {
	isOld, byBot := s.isOld(p.old.ID), !p.old.HasToken()
	if isOld && p.channel.wait() > 0 || byBot && s.EditWait(p.channel.id, sparedEdits) > 0 {
		return nil
	}
	if byBot && !p.channel.pointing.TryLock() {
		return nil
	}
	var counted *oldEdit
	if isOld {
		counted = p.channel.count()
	}
	return func() {
		counted.done()
		if byBot {
			p.channel.pointing.Unlock()
		}
	}
}

// textMessage is an edit that leaves nothing but a text of ours.
func textMessage(text string) interaction.Message {
	m := interaction.NewMessage(bot.Reply{}, nil).AsEdit()
	m.Content = text
	return m
}
