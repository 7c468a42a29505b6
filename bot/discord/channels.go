package discord

import (
	"context"
	"slices"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
)

// channel is what boards need to know about a channel. [boardKeeper].mu protects it.
type channel struct {
	last  string     // its latest message, as far as interactions say
	edits []*oldEdit // of old messages, in the last oldWindow
	until time.Time  // before that, Discord takes no edit of an old message
	used  time.Time

	pointing bool // whether the bot is making a pointer, without a token

	events     []bot.Line // that the channel is to be told
	announcing bool       // whether a goroutine tells them
	announced  time.Time  // when some were told last
	message    string     // that told them; empty for none
	lines      []bot.Line // of that message
}

// In each channel, Discord takes three edits in six seconds of messages older than an hour. It is
// not known whether answers to components count, so they do here.
const (
	oldAge    = 59 * time.Minute
	oldEdits  = 3
	oldWindow = 6050 * time.Millisecond // and a little for clocks
)

// oldEdit is an edit of an old message. Its window begins with Discord's answer here: the edit
// arrived before that, so one that waits for the end of the window cannot arrive too early.
type oldEdit struct {
	under bool // it has not been answered
	at    time.Time
}

// done notes that an edit was answered; nil is none. It is called with mu held.
func (e *oldEdit) done() {
	if e != nil {
		e.under, e.at = false, time.Now()
	}
}

// channel returns what is known about a channel. It is called with mu held.
func (s *boardKeeper) channel(id string) *channel {
	c := s.channels[id]
	if c == nil {
		c = &channel{}
		s.channels[id] = c
	}
	return c
}

// isOld reports whether a message is so old that Discord takes few edits of it. It is called
// with mu held.
func (s *boardKeeper) isOld(message string) bool {
	made, ok := calls.Made(message)
	return ok && time.Now().Add(s.offset).Sub(made) > oldAge
}

// windowOf returns how long to wait before the board is edited. It is called with mu held.
func (s *boardKeeper) windowOf(b *board) time.Duration {
	if !s.isOld(b.at.id) {
		return 0
	}
	return s.channel(b.channel).wait()
}

// editWait is windowOf for an edit that answers no component of the board.
func (s *boardKeeper) editWait(b *board) time.Duration {
	wait := s.windowOf(b)
	if !b.at.hasToken() {
		wait = max(wait, s.calls.botEditWait(b.channel, 0))
	}
	return wait
}

// count counts an edit of the board that is about to be made, and returns it; nil for one
// that need not be counted. It is called with mu held.
func (s *boardKeeper) count(b *board) *oldEdit {
	if !s.isOld(b.at.id) {
		return nil
	}
	return s.channel(b.channel).count()
}

// wait returns how long to wait before an old message is edited.
func (c *channel) wait() time.Duration {
	now := time.Now()
	c.edits = slices.DeleteFunc(c.edits, func(e *oldEdit) bool { return !e.under && now.Sub(e.at) >= oldWindow })
	wait := max(0, c.until.Sub(now))
	if len(c.edits) < oldEdits {
		return wait
	}
	var ends []time.Duration // how long each of them still counts
	for _, e := range c.edits {
		if e.under {
			ends = append(ends, oldWindow)
		} else {
			ends = append(ends, oldWindow-now.Sub(e.at))
		}
	}
	slices.Sort(ends)
	return max(wait, ends[len(ends)-oldEdits])
}

func (c *channel) count() *oldEdit {
	e := &oldEdit{under: true}
	c.edits = append(c.edits, e)
	return e
}

// block notes that an edit was refused as one too many.
func (c *channel) block() { c.until = time.Now().Add(oldWindow) }

// maxEvents is how many events one message reports at most.
const maxEvents = 6

// announce tells the channel what a component has done if the board is not its last message,
// and does not wait for that.
func (s *boardKeeper) announce(i interaction, b *board, st *state) {
	event := st.reply.Board.Event
	if event.Text == nil || !i.botMay().Post {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.channel(b.channel)
	if c.last == "" || b.at.id == "" || !calls.IsLater(c.last, b.at.id) || b.announced[st.version] {
		return
	}
	b.announced[st.version] = true
	c.events = append(c.events, event)
	if !c.announcing {
		c.announcing = true
		s.run(func() { s.announceAll(b.channel) })
	}
}

// announceAll posts the events of a channel, as long as there are some. Events that follow
// each other with nothing between them share a message.
func (s *boardKeeper) announceAll(id string) {
	for {
		s.mu.Lock()
		c := s.channel(id)
		if len(c.events) == 0 {
			c.announcing = false
			s.mu.Unlock()
			return
		}
		if wait := s.eventGap - time.Since(c.announced); wait > 0 && !s.ending {
			s.mu.Unlock()
			time.Sleep(min(wait, time.Second)) // to see soon that the program ends
			continue
		}
		lines, edited := c.events, ""
		if len(lines) > maxEvents {
			lines = lines[:maxEvents]
		}
		c.events = c.events[len(lines):]
		if c.message != "" && c.message == c.last && len(c.lines)+len(lines) <= maxEvents {
			edited, lines = c.message, append(c.lines[:len(c.lines):len(c.lines)], lines...)
		}
		c.announced = time.Now()
		s.mu.Unlock()

		m := newMessage(bot.Reply{Lines: lines}, nil)
		ctx, cancel := context.WithTimeout(context.Background(), s.calls.timeout)
		var err error
		message := edited
		if edited != "" {
			err = s.calls.editByBot(ctx, id, edited, m)
		} else {
			m.Flags = flagSilent
			message, err = s.calls.postByBot(ctx, id, m)
		}
		cancel()
		if err != nil {
			s.log.Warn("could not tell a channel what was done", "error", err)
			message = ""
		}
		s.mu.Lock()
		c.message, c.lines = message, lines
		if message != "" && calls.IsLater(message, c.last) {
			c.last = message
		}
		s.mu.Unlock()
	}
}
