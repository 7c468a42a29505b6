package discordtest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// ErrNobodyConnected is returned for an interaction that reached no session or endpoint. Discord drops it and tells the
// player that the application did not respond.
var ErrNobodyConnected = errors.New("discordtest: no session was connected, the interaction is lost")

// Call is one interaction and every accepted answer to it. Its methods are safe for concurrent use.
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
	failed    error     // how the endpoint has refused it
	first     *Answer
	unheard   bool     // the bot was not told that first was accepted, and may send it again
	shown     *Answer  // what Message returns
	original  *message // nil before it is sent
	followUps []Answer
}

// File is a file that came with an answer.
type File struct {
	ID          string `json:"id"` // the n of files[n], until it belongs to a message
	Name        string `json:"filename"`
	Description string `json:"description,omitempty"` // the alt text
	Data        []byte `json:"-"`
}

// Component is a component of a message or a form. Its type decides which fields are used.
type Component struct {
	Type     int    `json:"type"`
	CustomID string `json:"custom_id,omitempty"`
	Label    string `json:"label,omitempty"`
	Style    int    `json:"style,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
	Emoji    struct {
		Name string `json:"name"`
	} `json:"emoji,omitzero"`
	Row int `json:"-"` // its row, from 0

	Placeholder string      `json:"placeholder,omitempty"`
	Value       string      `json:"value,omitempty"`
	MaxLength   *int        `json:"max_length,omitempty"`
	Required    *bool       `json:"required,omitempty"`
	Components  []Component `json:"components,omitempty"`
	Inner       *Component  `json:"component,omitempty"`
}

// Choice is a fixed value of an option, or a value that the bot proposes.
type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Answer is a first answer, or a message, as a player sees it.
type Answer struct {
	Type       int // of a first answer
	Content    string
	Components []Component // buttons in reading order
	Files      []File
	Choices    []Choice
	CustomID   string // of a form
	Title      string // of a form
	Inputs     []Input
	Ephemeral  bool // whether only the player sees the message

	// MessageID is the message that the answer made or changed, if any. [Interaction].Message takes it.
	MessageID string
}

// Input is a text input of a form.
type Input struct {
	CustomID    string
	Label       string
	Placeholder string // shown as long as there is no Value
	Value       string // filled in already
	Required    bool
	Max         int // characters
	Long        bool
}

// inputs lists the text inputs of a form in reading order.
func inputs(labels []Component) (all []Input) {
	for _, label := range labels {
		if in := label.Inner; in != nil {
			all = append(all, Input{
				CustomID: in.CustomID, Label: label.Label, Placeholder: in.Placeholder, Value: in.Value,
				Required: *cmp.Or(in.Required, new(true)), Max: *cmp.Or(in.MaxLength, new(maxInputText)), Long: in.Style == 2,
			})
		}
	}
	return all
}

// Invoke sends an interaction to the endpoint or, without one, to every session whose shard serves its server. A broken
// session gets it when it resumes. Without any session it is lost.
//
// The time for the first answer runs from here. A late answer is refused; it is no violation if the session was broken
// that long.
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
	c := &Call{s: s, asked: i, began: s.options.Now(), lost: true, changed: newSignal()}
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

// showLocked notes what the player finally sees, unless there was something before.
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

// Message waits for what the player finally sees: the first answer or, if that only deferred (types 5 and 6), the first
// edit or follow-up.
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

// wait waits until get, which is called with s.mu held, returns an answer.
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

// Submit waits for the form that answers the call, fills it in and sends it as the same player. The texts are by
// custom_id; other inputs keep their value. It returns an error for what a client would not submit.
func (c *Call) Submit(ctx context.Context, texts map[string]string) (*Call, error) {
	form, err := c.First(ctx)
	if err != nil {
		return nil, err
	}
	if form.Type != callbackModal {
		return nil, fmt.Errorf("discordtest: the answer is of type %d, no form", form.Type)
	}
	left, filled := maps.Clone(texts), map[string]any{}
	for _, in := range form.Inputs {
		text, given := left[in.CustomID]
		delete(left, in.CustomID)
		if !given {
			text = in.Value
		}
		if n := len([]rune(text)); n > in.Max || n == 0 && in.Required {
			return nil, fmt.Errorf("discordtest: %d characters in the input %q, at most %d", n, in.CustomID, in.Max)
		}
		filled[in.CustomID] = text
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("discordtest: the form has no inputs %v", left)
	}
	i := c.asked
	i.ID, i.Type, i.CustomID, i.Options = "", TypeModal, form.CustomID, filled
	return c.s.Invoke(i), nil
}
