package interaction

import (
	"encoding/json"
	"strings"
	"unicode/utf16"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/game"
)

// FlagEphemeral makes a message visible only to the user of the interaction.
const FlagEphemeral = int(discordgo.MessageFlagsEphemeral)

// FlagSilent sends a message without notifications.
const FlagSilent = int(discordgo.MessageFlagsSuppressNotifications)

// Response is a first response. We encode it and the messages below ourselves: discordgo omits empty lists of choices, and sends
// null if no mentions are allowed.
type Response struct {
	Type discordgo.InteractionResponseType `json:"type"`
	Data any                               `json:"data,omitempty"`
}

// FlagLayout says that a message consists of components. An edit can add the flag, but not take it back.
const FlagLayout = 1 << 15

// Message is the body of a message or of its edit.
type Message struct {
	Flags           int             `json:"flags,omitempty"`
	AllowedMentions allowedMentions `json:"allowed_mentions"`
	// Of several messages with the same enforced nonce within minutes, Discord takes one.
	Nonce        string `json:"nonce,omitempty"`
	EnforceNonce bool   `json:"enforce_nonce,omitempty"`
	Components   []any  `json:"components"`
	// In an edit, nil leaves the message's attachments as they are.
	Attachments []attachment `json:"attachments,omitzero"`

	Picture *Picture     `json:"-"` // the file in Attachments, nil for none
	Kept    bool         `json:"-"` // whether the edited message has the picture's file already
	plain   func() []any // returns the components without the picture
}

// allowedMentions are the mentions that notify people. Without this field, all mentions do.
type allowedMentions struct {
	Parse []string        `json:"parse"`
	Users []game.PlayerID `json:"users,omitempty"`
	Roles []game.RoleID   `json:"roles,omitempty"`
}

var noMentions = allowedMentions{Parse: []string{}}

// Choice is a value proposed for an option while a player types it. Discord shows its name.
type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type choiceList struct {
	Choices []Choice `json:"choices"`
}

// flags is the message in a deferred response.
type flags struct {
	Flags int `json:"flags"`
}

func newMessage(components []any) Message {
	return Message{Flags: FlagLayout, Components: components, AllowedMentions: noMentions}
}

// NewMessage returns lines as a message for everyone.
func NewMessage(lines ...bot.Line) Message {
	return NewNotice(writer{names: &Names{}}.markdown(bot.Lines(lines...)))
}

// NewNotice returns a text in Markdown as a message for everyone.
func NewNotice(markdown string) Message {
	return newMessage([]any{&component{Type: typeText, Content: clip(markdown, maxText)}})
}

// AsEdit is the message as the body of an edit, which removes the pictures of the edited message. An edit cannot change who
// sees a message.
func (m Message) AsEdit() Message {
	m.Flags = FlagLayout
	if m.Attachments == nil {
		m.Attachments = []attachment{}
	}
	return m
}

// Text returns what the text displays of a message have, as JSON or as Discord returned them.
func Text(components any) string {
	var texts []string
	for _, p := range parts(components) {
		if p.Content != "" {
			texts = append(texts, p.Content)
		}
	}
	return strings.Join(texts, "\n")
}

// part is what we read of a message's component.
type part struct {
	Content    string          `json:"content"`
	Items      []media         `json:"items"`
	Components json.RawMessage `json:"components"`
}

// parts returns the components of a message, each before those inside it.
func parts(components any) (all []part) {
	encoded, _ := json.Marshal(components)
	var outer []part
	_ = json.Unmarshal(encoded, &outer) // what has another form is not ours
	for _, p := range outer {
		all = append(append(all, p), parts(p.Components)...)
	}
	return all
}

// units returns the length of a text in UTF-16 units.
func units(text string) (n int) {
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// clip shortens a text to at most that many units, since Discord would refuse more. Only a list of very long names could have
// more.
func clip(text string, most int) string {
	if units(text) <= most {
		return text
	}
	n := 0
	for at, r := range text {
		if n += utf16.RuneLen(r); n > most-1 {
			return text[:at] + "…"
		}
	}
	return text
}
