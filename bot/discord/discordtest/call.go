package discordtest

import (
	"context"
	"encoding/json"
	"time"
)

// exchange holds the interactions, and the bot's answers to them.
type exchange struct {
	*application
	answer time.Duration    // how long after an interaction its first answer is accepted
	calls  map[string]*Call // by interaction id
}

// Call is one interaction and every accepted answer to it. Its methods are safe for concurrent use.
type Call struct {
	*core
	asked      Interaction
	allPrivate bool // only the player sees the answers
	began      time.Time
	payload    json.RawMessage

	// The core's mu protects the fields below.
	changed   signal
	first     *Answer
	unheard   bool     // the bot was not told that first was accepted, and may send it again
	repeated  []Answer // further first answers, which were refused
	shown     *Answer  // what Message returns
	original  *message // nil before it is sent
	followUps []Answer
}

// callLocked returns the call with the interaction's id, or a new one.
func (x *exchange) callLocked(i Interaction) *Call {
	if c := x.calls[i.ID]; c != nil {
		return c
	}
	i = x.completeLocked(i)
	if c := x.calls[i.ID]; c != nil { // a raw interaction with a used id
		return c
	}
	c := &Call{core: x.core, asked: i, began: x.options.Now(), changed: newSignal(), payload: i.Raw}
	c.allPrivate = i.UserInstalled && i.Guild != "" && i.Permissions&(UseExternalApps|Administrator) == 0
	if i.Raw == nil {
		c.payload = x.encodeLocked(i)
	}
	if i.onMessage() {
		c.original = x.messageLocked(i)
		c.original.used = c.began
		x.messages[i.Message] = c.original
	}
	if i.ID != "" && i.token != "" {
		x.calls[i.ID] = c
	}
	return c
}

// WaitAnswered waits until there is an answer to the interaction with an id.
func (x *exchange) WaitAnswered(ctx context.Context, id string) error {
	return x.waitFor(ctx, func() bool { c := x.calls[id]; return c != nil && c.first != nil })
}

// showLocked records the message that the player finally sees. Only the first record counts.
func (c *Call) showLocked(a Answer) {
	if c.shown == nil {
		c.shown = &a
	}
	c.changed.fire()
}

// ID is the interaction's id.
func (c *Call) ID() string { return c.asked.ID }

// Token is the interaction's token.
func (c *Call) Token() string { return c.asked.token }

// First waits for the first answer.
func (c *Call) First(ctx context.Context) (Answer, error) {
	return c.wait(ctx, func() *Answer { return c.first })
}

// Message waits for the message that the player finally sees: the first answer or, if that only deferred, an edit or
// follow-up.
func (c *Call) Message(ctx context.Context) (Answer, error) {
	return c.wait(ctx, func() *Answer { return c.shown })
}

// FollowedUp waits for the first follow-up.
func (c *Call) FollowedUp(ctx context.Context) (Answer, error) {
	return c.wait(ctx, func() *Answer { return nth(c.followUps, 0) })
}

func nth(all []Answer, n int) *Answer {
	if n >= len(all) {
		return nil
	}
	return &all[n]
}

// wait waits until get, which is called with mu held, returns an answer.
func (c *Call) wait(ctx context.Context, get func() *Answer) (a Answer, err error) {
	err = c.await(ctx, &c.changed, func() bool {
		got := get()
		if got != nil {
			a = *got
		}
		return got != nil
	})
	return a, err
}
