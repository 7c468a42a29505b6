package boardmessage

import (
	"context"
	"sync"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
)

// channel is the state of a channel that boards share. It is safe for concurrent use.
type channel struct {
	keeper *Keeper
	id     string

	mu    sync.Mutex // protects the fields below
	last  string     // the id of its latest message, as far as interactions say
	until time.Time  // until when Discord takes no edit

	events  []bot.Line // to be announced
	telling bool       // whether tellAll runs
	told    time.Time  // the latest announcement
	message string     // the id of the latest announcement; empty for none
	lines   []bot.Line // the lines of that message
}

// observe records the channel's latest message, as an interaction names it; "" for none. An interaction that is answered late
// may name an earlier message, which is ignored.
func (c *channel) observe(last string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if calls.IsLater(last, c.last) {
		c.last = last
	}
}

// isBelow reports whether the channel's latest message is below the given one.
func (c *channel) isBelow(message string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last != "" && calls.IsLater(c.last, message)
}

// rests reports whether no announcement is under way.
func (c *channel) rests() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.telling
}

// oldWindow is how long edits in a channel pause after Discord has refused one. Discord takes three edits in six seconds of
// messages older than an hour; the rest is for clocks that differ.
const oldWindow = 6050 * time.Millisecond

// wait returns how long to wait before a message is edited.
func (c *channel) wait() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(0, time.Until(c.until))
}

// block records that an edit was refused as one too many.
func (c *channel) block() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = time.Now().Add(oldWindow)
}

// maxEvents is how many events one message announces at most.
const maxEvents = 6

// tell announces an event, and returns at once.
func (c *channel) tell(event bot.Line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, event)
	if !c.telling {
		c.telling = true
		c.keeper.jobs.run(c.tellAll)
	}
}

// tellAll announces events until none is left.
func (c *channel) tellAll() {
	for wait := c.tellNext(); wait >= 0; wait = c.tellNext() {
		c.keeper.jobs.pause(wait, nil)
	}
}

// tellNext announces the next events, or returns how long to wait first; a negative wait means no events. Events share a
// message while no other one has come below it.
func (c *channel) tellNext() (wait time.Duration) {
	defer bot.LogPanic(c.keeper.Deliverer.Log, "")
	lines, edited, wait := c.nextEvents()
	if wait != 0 {
		return wait
	}
	message, err := c.post(lines, edited)
	if err != nil {
		c.keeper.Deliverer.Log.Warn("could not announce moves in a channel", "error", err)
		message = ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.message, c.lines = message, lines
	if message != "" && calls.IsLater(message, c.last) {
		c.last = message
	}
	return 0
}

// nextEvents returns the lines of the next announcement, and the message to edit; "" for a new one. If wait is not 0, it is
// too early; a negative wait means no events.
func (c *channel) nextEvents() (lines []bot.Line, edited string, wait time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.events) == 0 {
		c.telling = false
		return nil, "", -1
	}
	if wait = c.keeper.EventGap - time.Since(c.told); wait > 0 && !c.keeper.jobs.isEnding() {
		return nil, "", wait
	}
	lines = c.events[:min(len(c.events), maxEvents)]
	c.events = c.events[len(lines):]
	if c.message != "" && c.message == c.last && len(c.lines)+len(lines) <= maxEvents {
		edited, lines = c.message, append(c.lines[:len(c.lines):len(c.lines)], lines...)
	}
	c.told = time.Now()
	return lines, edited, 0
}

// post posts lines or, if edited is not empty, edits that message. It returns the message.
func (c *channel) post(lines []bot.Line, edited string) (message string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.keeper.Deliverer.Timeout)
	defer cancel()
	m := interaction.NewMessage(lines...)
	if edited != "" {
		return edited, c.keeper.Deliverer.Calls.EditByBot(ctx, c.id, edited, m)
	}
	m.Flags |= interaction.FlagSilent
	return c.keeper.Deliverer.Calls.Post(ctx, c.id, m)
}
