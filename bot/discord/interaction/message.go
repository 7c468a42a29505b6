package interaction

import (
	"unicode/utf16"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
)

// FlagEphemeral makes a message visible only to the user of the interaction.
const FlagEphemeral = int(discordgo.MessageFlagsEphemeral)

// FlagSilent keeps a message from notifying anybody.
const FlagSilent = int(discordgo.MessageFlagsSuppressNotifications)

// Response is a first response. It and the messages below are encoded by us: discordgo omits empty lists of choices,
// and sends null if no mentions are allowed.
type Response struct {
	Type discordgo.InteractionResponseType `json:"type"`
	Data any                               `json:"data,omitempty"`
}

// Message is the body of a message or of its edit.
type Message struct {
	Content         string          `json:"content"`
	Flags           int             `json:"flags,omitempty"`
	AllowedMentions allowedMentions `json:"allowed_mentions"`
	// Of several messages with the same nonce within minutes, Discord takes one, if that is enforced.
	Nonce        string `json:"nonce,omitempty"`
	EnforceNonce bool   `json:"enforce_nonce,omitempty"`
	// Nil in an edit, these leave the message's components and attachments as
	// they are.
	Components  []row        `json:"components,omitzero"`
	Attachments []attachment `json:"attachments,omitzero"`

	Picture   *Picture `json:"-"` // the file in Attachments, nil for none
	Kept      bool     `json:"-"` // whether the edited message has that file already
	plainText string   // the Content to use without the picture
}

// allowedMentions says which mentions notify somebody. Without it, all do.
type allowedMentions struct {
	Parse []string `json:"parse"`
}

var noMentions = allowedMentions{Parse: []string{}}

// Choice is a value that is proposed for an option while a player is typing it. Discord shows its name.
type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type choiceList struct {
	Choices []Choice `json:"choices"`
}

// flags are all that a deferred response says of its message.
type flags struct {
	Flags int `json:"flags"`
}

// NewMessage returns lines as a message for everyone.
func NewMessage(lines ...bot.Line) Message {
	return Message{Content: writer{names: &Names{}}.content(lines), AllowedMentions: noMentions}
}

// AsEdit is the message as the body of an edit: it removes buttons and pictures
// that the edited message had. Who sees that message cannot be changed.
func (m Message) AsEdit() Message {
	m.Flags = 0
	if m.Components == nil {
		m.Components = []row{}
	}
	if m.Attachments == nil {
		m.Attachments = []attachment{}
	}
	return m
}

// maxContent is Discord's limit for a message's text, taken in UTF-16 units to be
// on the safe side.
const maxContent = 2000

// units is the length of a text in UTF-16 units.
func units(text string) int { return len(utf16.Encode([]rune(text))) }

// clip shortens a text to at most that many units, since Discord would refuse more. No
// reply is meant to be that long, but a list of very long names could be.
func clip(text string, most int) string {
	if units(text) <= most {
		return text
	}
	n := 0
	for at, r := range text {
		n += utf16.RuneLen(r)
		if n > most-1 {
			return text[:at] + "…"
		}
	}
	return text
}
