package discordtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"time"
)

// message is a message as Discord returns it. Server.mu protects it. Its lists are replaced, never changed.
type message struct {
	ID      string `json:"id"`
	Channel string `json:"channel_id"`
	Type    int    `json:"type"` // typeAnswer, or 0 for a message that was posted
	Author  struct {
		ID string `json:"id"`
	} `json:"author"`
	Content    string      `json:"content"` // of a player's message
	Components []Component `json:"components,omitempty"`
	Listed     [0]File     `json:"attachments"` // only the files that no component shows
	Files      []File      `json:"-"`
	Flags      int         `json:"flags"`
	pings      []string    // the mentions that notify somebody
	by         string      // the id of the interaction that it answers; empty if it answers none
	loading    bool        // a deferred answer: "is thinking…"
	deleted    bool
	used       time.Time // when it was last made, changed or pressed
}

const (
	typeAnswer = 20

	flagEphemeral             = 1 << 6
	flagSuppressNotifications = 1 << 12
	flagComponentsV2          = 1 << 15 // the newer layout
)

// newMessageLocked returns an empty message in a channel.
func (p *places) newMessageLocked(kind int, channel, author string) *message {
	m := &message{ID: p.newIDLocked(), Channel: channel, Type: kind}
	m.Author.ID = author
	return m
}

// changedLocked returns m as a body changes it, for the caller to keep. edit means that players have seen m.
func (p *places) changedLocked(c *incoming, m *message, said json.RawMessage, edit bool) *message {
	var b body
	var k checker
	if said != nil {
		k.read(said, &b)
	}
	k.checkAttachments(&b, c.files, m.Files)
	after := p.changed(m, &b, c.files)
	after.used = c.at
	may := flagComponentsV2 | m.Flags&flagEphemeral // the latter is fixed by the first answer
	switch {
	case edit && b.Flags != nil && m.Flags&^*b.Flags&flagComponentsV2 != 0:
		k.bad("flags: %d takes IS_COMPONENTS_V2 back", *b.Flags)
	case edit:
		after.Flags = m.Flags | b.flags()&flagComponentsV2
	default:
		after.Flags = m.Flags | b.flags()
		if may |= flagSuppressNotifications; m.Type == typeAnswer {
			may |= flagEphemeral
		}
	}
	if k.checkFlags(b.flags(), may); after.Flags&flagComponentsV2 == 0 { // Discord takes others, but this bot sends none
		k.bad("flags: no IS_COMPONENTS_V2")
	}
	k.checkMessage(&b)
	k.link(after.Components, after.Files, m.Channel)
	p.checkLocked(c, &k)
	switch {
	case len(after.Components) == 0:
		p.refuseLocked(c, http.StatusBadRequest, 50006, "Cannot send an empty message")
	case c.at.Sub(MadeAt(m.ID)) > time.Hour && !p.takeLocked(rateOldEdit, m.Channel, c.at, http.Header{}):
		// No violation: a bot cannot know of every earlier edit.
		panic(apiError(http.StatusBadRequest, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later"))
	}
	after.pings = nil
	g := p.guilds[cmp.Or(p.channels[m.Channel], &Channel{}).Guild]
	for form, allowed := range map[string][]string{"<@%s>": b.AllowedMentions.Users, "<@&%s>": b.AllowedMentions.Roles} {
		for _, id := range allowed {
			ping := fmt.Sprintf(form, id)
			if after.pings = append(after.pings, ping); !strings.Contains(TextOf(after.Components), ping) {
				p.violateLocked("mentions: %s allows %s and does not have it", c.name, ping)
			} else if form == "<@&%s>" && !slices.ContainsFunc(cmp.Or(g, &Guild{}).roles(), func(r Role) bool { return r.ID == id }) {
				p.violateLocked("mentions: %s has a role that is gone", c.name)
			}
		}
	}
	slices.Sort(after.pings)
	if b.AllowedMentions.Parse == nil {
		p.violateLocked("mentions: %s has no parse list", c.name) // Discord would take it
	}
	for _, f := range after.Files { // Discord would take both
		if !f.shown {
			p.violateLocked("files: %s: no component shows %s", c.name, f.Name)
		} else if strings.HasSuffix(f.Name, ".png") && strings.TrimSpace(f.Description) == "" {
			p.violateLocked("pictures: %s: %s has no alt text", c.name, f.Name)
		}
	}
	return after
}

// changed returns m as a body changes it. Fields that the body leaves out stay. Its attachments say which files to keep.
func (p *places) changed(m *message, b *body, files []File) *message {
	after := *m
	after.loading = false
	if b.Components != nil {
		after.Components = b.Components
	}
	after.Files = nil
	for _, f := range m.Files {
		at := slices.IndexFunc(b.Attachments, func(a attachmentBody) bool { return a.ID == f.ID })
		if b.Attachments == nil || at >= 0 {
			f.Description, f.shown, f.named = "", false, at >= 0 && b.Attachments[at].Filename == f.Name
			after.Files = append(after.Files, f)
		}
	}
	for _, f := range files {
		f.ID, f.named = p.newIDLocked(), true
		after.Files = append(after.Files, f)
	}
	return &after
}

// Size returns a PNG's width and height in pixels, or an error for anything else.
func (f File) Size() (width, height int, err error) {
	picture, err := png.DecodeConfig(bytes.NewReader(f.Data))
	return picture.Width, picture.Height, err
}

// doLocked reads, edits or deletes a message, as the call's method says.
func (p *places) doLocked(c *incoming, m *message) reply {
	switch c.Method {
	case http.MethodDelete:
		m.deleted = true
		return reply{status: http.StatusNoContent}
	case http.MethodPatch:
		*m = *p.changedLocked(c, m, c.body, true)
	}
	return ok(*m)
}

// unknownMessageLocked refuses a call about a message that is not where the call says. It is a violation only if the bot made
// up the id: others delete messages too, and a bot may delete a message twice.
func (p *places) unknownMessageLocked(c *incoming, m *message) reply {
	const code, text = 10008, "Unknown Message"
	if c.Method == http.MethodDelete || m != nil && m.deleted {
		return apiError(http.StatusNotFound, code, text)
	}
	return p.refuseLocked(c, http.StatusNotFound, code, text)
}

// Answer is a first answer, or a message, as a player sees it.
type Answer struct {
	Type       int         // of a first answer
	Content    string      // what all text displays say, a line or more each
	Components []Component // buttons and menus in reading order, of all rows and sections
	Layout     []Component // all components, as they are nested
	Files      []File
	Choices    []Choice
	CustomID   string      // of a form
	Title      string      // of a form
	Inputs     []Component // of a form: labels, each with its input
	Pings      []string    // the mentions that notify somebody
	Thread     string      // the name of the thread that the bot has started on the message
	Ephemeral  bool        // whether only the player sees the message

	// MessageID is the message that the answer made or changed, if any. [Interaction].Message takes it.
	MessageID string
}

// shown returns the message as players see it.
func (m *message) shown() Answer {
	return Answer{
		Content: TextOf(m.Components), Components: Pressable(m.Components), Layout: m.Components, Files: slices.Clone(m.Files),
		MessageID: m.ID, Ephemeral: m.Flags&flagEphemeral != 0, Pings: m.pings,
	}
}

// Use returns the custom_id of the enabled button with a label, or of the menu with an option of that label, and then the option's
// value; false if there is none. For a label such as "Placeholder: a, b" it returns the menu with that placeholder and the values
// of the options with these labels, or, in a menu of channels or roles, these ids.
func (a Answer) Use(label string) (customID string, values []string, ok bool) {
	for _, c := range a.Components {
		if c.Label == label && !c.Disabled {
			return c.CustomID, nil, true
		}
		for _, o := range c.Options {
			if o.Label == label {
				return c.CustomID, []string{o.Value}, true
			}
		}
		if list, ok := strings.CutPrefix(label, c.Placeholder+": "); ok && c.Placeholder != "" {
			return c.choose(strings.FieldsFunc(list, func(r rune) bool { return r == ',' }))
		}
	}
	return "", nil, false
}

// choose is Use for a menu.
func (c *Component) choose(labels []string) (customID string, values []string, ok bool) {
	values = []string{}
	for _, label := range labels {
		label = strings.TrimSpace(label)
		if c.Type == compMenu {
			i := slices.IndexFunc(c.Options, func(o MenuOption) bool { return o.Label == label })
			if i < 0 {
				return "", nil, false
			}
			label = c.Options[i].Value
		}
		values = append(values, label)
	}
	least, most := c.mayChoose()
	return c.CustomID, values, least <= len(values) && len(values) <= most
}

// Shown returns a message as players see it now, by the MessageID of an [Answer]; false if it was deleted.
func (p *places) Shown(messageID string) (Answer, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.messages[messageID]
	if m == nil || m.deleted {
		return Answer{}, false
	}
	return m.shown(), true
}

// Delete deletes a message, as a moderator does.
func (p *places) Delete(message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.messages[message].deleted = true
}
