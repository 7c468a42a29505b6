package discordtest

import (
	"cmp"
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
	s             *Server
	id            string
	token         string
	kind          int  // the interaction's type
	onMessage     bool // it comes from a message's component, or a modal opened by one
	userInstalled bool
	allPrivate    bool // only the player sees the answers
	guild         string
	channel       string
	began         time.Time
	asked         Interaction // the zero value for a raw one
	payload       json.RawMessage

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
	id          string // the n of files[n], until it belongs to a message
	Name        string
	ContentType string
	Description string // the alt text
	Data        []byte
}

// Component is a component of an answer that a player can use or read.
type Component struct {
	CustomID string
	Label    string
	Emoji    string // its name
	Style    int
	Disabled bool
	Row      int // which of the rows or boxes at the top it is in, from 0
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
// because its session was broken that long is refused but is no violation.
func (s *Server) Invoke(i Interaction) *Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var c *Call
	if i.Raw != nil {
		c = s.rawCallLocked(i)
	} else if c = s.calls[i.ID]; c == nil {
		c = s.newCallLocked(i.withDefaults())
	}
	if s.endpoint != "" && !s.closed {
		c.lost, c.failed = false, nil
		url := s.endpoint
		s.wg.Go(func() { s.deliver(url, c) })
		return c
	}
	for _, ses := range s.sessions {
		if ses.takes(c.guild) {
			s.dispatchLocked(ses, "INTERACTION_CREATE", c.payload, c)
			c.lost = false
		}
	}
	c.changed.fire()
	return c
}

func (s *Server) newCallLocked(i Interaction) *Call {
	if i.ID == "" {
		i.ID = s.ids.next()
	}
	c := &Call{
		id: i.ID, token: tokenPrefix + i.ID, asked: i, kind: i.Type, guild: i.Guild, channel: i.Channel,
		userInstalled: i.UserInstalled || i.GroupDM, onMessage: i.onMessage(),
	}
	c.allPrivate = i.UserInstalled && i.Guild != "" && i.Permissions&(UseExternalApps|Administrator) == 0
	c.payload, c.original = s.encodeLocked(i)
	s.addCallLocked(c)
	return c
}

// oldMessageLocked returns the message with an id or, if nobody knows it, one from before.
func (s *Server) oldMessageLocked(id, channel string) *message {
	if m := s.messages[id]; m != nil {
		return m
	}
	return &message{id: cmp.Or(id, s.ids.next()), channel: channel, content: "a message from before"}
}

func (s *Server) rawCallLocked(i Interaction) *Call {
	var raw struct {
		ID      string `json:"id"`
		Token   string `json:"token"`
		Type    int    `json:"type"`
		Guild   string `json:"guild_id"`
		Channel string `json:"channel_id"`
		Message *struct {
			ID string `json:"id"`
		} `json:"message"`
		In struct {
			ID string `json:"id"`
		} `json:"channel"`
	}
	// What cannot be read is only sent: then there is nothing to answer to.
	_ = json.Unmarshal(i.Raw, &raw)
	if c := s.calls[raw.ID]; c != nil {
		return c
	}
	c := &Call{id: raw.ID, token: raw.Token, kind: raw.Type, guild: raw.Guild, payload: i.Raw, onMessage: raw.Message != nil}
	c.channel = cmp.Or(raw.Channel, raw.In.ID) // Discord knows where it is, whatever a mutation took away
	if c.onMessage {
		c.original = s.oldMessageLocked(raw.Message.ID, c.channel)
	}
	s.addCallLocked(c)
	return c
}

func (s *Server) addCallLocked(c *Call) {
	c.s = s
	c.lost = true
	c.began = s.options.Now()
	c.changed = newSignal()
	c.messages = map[string]*message{}
	if c.original != nil {
		s.messages[c.original.id] = c.original
		c.original.used = c.began
	}
	if c.id != "" && c.token != "" {
		s.calls[c.id] = c
		s.tokens[c.token] = c
	}
}

func (c *Call) sentLocked(now time.Time) {
	if c.sent.IsZero() {
		c.sent = now
	}
}

// ID is the interaction's id.
func (c *Call) ID() string { return c.id }

// Token is the interaction's token.
func (c *Call) Token() string { return c.token }

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
