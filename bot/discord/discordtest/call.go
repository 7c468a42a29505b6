package discordtest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// ErrNobodyConnected is returned for an interaction that reached no session or endpoint:
// Discord drops it and shows the player that the application did not respond.
var ErrNobodyConnected = errors.New("discordtest: no session was connected, the interaction is lost")

// Call is one interaction and everything the bot answers to it. Only what was
// accepted is in it. Its methods may be called from any goroutine.
type Call struct {
	s          *Server
	asked      Interaction
	allPrivate bool // only the player sees the answers
	began      time.Time
	payload    json.RawMessage

	// Below is protected by s.mu.
	changed   signal
	sent      time.Time // when it first left for a session or the endpoint; zero before
	lost      bool      // nobody was there to get it
	failed    error     // how the endpoint has refused it; nil if it has not
	first     *Answer
	unheard   bool                // the bot was not told that first was accepted, so it may send it again
	shown     *Answer             // what Message returns
	original  *message            // nil before it is sent
	messages  map[string]*message // the follow-ups
	followUps []Answer
}

// File is a file that came with an answer.
type File struct {
	ID          string `json:"id"` // the n of files[n], until it belongs to a message
	Name        string `json:"filename"`
	ContentType string `json:"content_type"`
	Description string `json:"description,omitempty"` // the alt text
	Data        []byte `json:"-"`
}

// Component is a component of a message or a modal; which fields are used depends on its type.
type Component struct {
	Type     int    `json:"type"`
	CustomID string `json:"custom_id"`
	Label    string `json:"label"`
	Style    int    `json:"style"`
	Disabled bool   `json:"disabled"`
	Emoji    struct {
		Name string `json:"name"`
	} `json:"emoji"`
	Row int `json:"-"` // which of the rows it is in, from 0

	Placeholder string      `json:"placeholder"`
	Value       string      `json:"value"`
	MaxLength   *int        `json:"max_length"`
	Required    *bool       `json:"required"`
	Components  []Component `json:"components"`
	Inner       *Component  `json:"component"`
}

// Choice is one suggestion of an autocomplete answer, or one of an option's fixed values.
type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Answer is a first answer, or a message, as a player sees it.
type Answer struct {
	Type       int // of a first answer
	Content    string
	Components []Component // in reading order, without the rows and boxes around them
	Choices    []Choice
	CustomID   string  // of a modal
	Title      string  // of a modal
	Inputs     []Input // of a modal
	Files      []File

	// MessageID is the message that the answer made or changed; "" when it is
	// about none. Give it to [Interaction].Message to press a button on it.
	MessageID string

	// Ephemeral says that only the player sees the message, which is fixed by
	// the first answer.
	Ephemeral bool
}

// Invoke sends an interaction to the endpoint or, without one, to every session whose
// shard serves its guild. A session that is broken but can be resumed gets it when it
// resumes, as with Discord; without any session it is lost, and the Call says so with
// [ErrNobodyConnected].
//
// The time for the first answer runs from here. An answer that is late only
// because its session was broken that long is refused, but that is not a violation.
func (s *Server) Invoke(i Interaction) *Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.calls[i.ID]
	if c == nil {
		i = s.completeLocked(i)
		if c = s.calls[i.ID]; c == nil {
			c = s.newCallLocked(i)
		}
	}
	if s.endpoint != "" && s.serving.Err() == nil {
		c.lost, c.failed = false, nil
		url := s.endpoint
		s.wg.Go(func() { s.deliver(url, c) })
		return c
	}
	for _, ses := range s.sessions {
		if ses.takes(c.asked.Guild) {
			s.dispatchLocked(ses, "INTERACTION_CREATE", c.payload, c)
			c.lost = false
		}
	}
	c.changed.fire()
	return c
}

func (s *Server) newCallLocked(i Interaction) *Call {
	c := &Call{s: s, asked: i, began: s.options.Now(), lost: true, changed: newSignal(), messages: map[string]*message{}}
	c.allPrivate = i.UserInstalled && i.Guild != "" && i.Permissions&(UseExternalApps|Administrator) == 0
	if c.payload = i.Raw; i.Raw == nil {
		c.payload = s.encodeLocked(i)
	}
	if i.onMessage() {
		c.original = s.messageLocked(i)
		c.original.used = c.began
		s.messages[i.Message] = c.original
	}
	if i.ID != "" && i.token != "" {
		s.calls[i.ID], s.tokens[i.token] = c, c
	}
	return c
}

func (c *Call) sentLocked(now time.Time) {
	if c.sent.IsZero() {
		c.sent = now
	}
}

// ID is the interaction's id.
func (c *Call) ID() string { return c.asked.ID }

// Token is the interaction's token.
func (c *Call) Token() string { return c.asked.token }

// First waits for the first answer.
func (c *Call) First(ctx context.Context) (Answer, error) {
	return c.wait(ctx, func() *Answer { return c.first })
}

// Message waits for what the player finally sees: the first answer, or, when
// that only deferred (types 5 and 6), the first edit or follow-up.
func (c *Call) Message(ctx context.Context) (Answer, error) {
	return c.wait(ctx, func() *Answer { return c.shown })
}

// FollowedUp waits for the first follow-up.
func (c *Call) FollowedUp(ctx context.Context) (Answer, error) {
	return c.wait(ctx, func() *Answer {
		if len(c.followUps) == 0 {
			return nil
		}
		return &c.followUps[0]
	})
}

// wait waits until get, which is called with s.mu held, gives an answer.
func (c *Call) wait(ctx context.Context, get func() *Answer) (a Answer, err error) {
	err = c.s.await(ctx, &c.changed, func() (bool, error) {
		if got := get(); got != nil {
			a = *got
			return true, nil
		}
		if c.lost {
			return false, ErrNobodyConnected
		}
		return false, c.failed
	})
	return a, err
}

// FollowUps returns the follow-ups so far.
func (c *Call) FollowUps() []Answer {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	return slices.Clone(c.followUps)
}
