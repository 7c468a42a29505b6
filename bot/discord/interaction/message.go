package interaction

import (
	"unicode/utf16"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
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

// Message is the body of a message or of its edit.
type Message struct {
	Content         string          `json:"content"`
	Flags           int             `json:"flags,omitempty"`
	AllowedMentions allowedMentions `json:"allowed_mentions"`
	// Of several messages with the same enforced nonce within minutes, Discord takes one.
	Nonce        string `json:"nonce,omitempty"`
	EnforceNonce bool   `json:"enforce_nonce,omitempty"`
	// In an edit, nil leaves the message's components and attachments as they are.
	Components  []row        `json:"components,omitzero"`
	Attachments []attachment `json:"attachments,omitzero"`

	Picture   *Picture `json:"-"` // the file in Attachments, nil for none
	Kept      bool     `json:"-"` // whether the edited message has the picture's file already
	plainText string   // the Content to use without the picture
}

// allowedMentions are the mentions that notify people. Without this field, all mentions do.
type allowedMentions struct {
	Parse []string `json:"parse"`
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

// NewMessage returns lines as a message for everyone.
func NewMessage(lines ...bot.Line) Message {
	return Message{Content: writer{names: &Names{}}.content(lines), AllowedMentions: noMentions}
}

// AsEdit is the message as the body of an edit, which removes the buttons and pictures of the edited message. An edit cannot
// change who sees a message.
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

// maxContent is Discord's limit for the text of a message, in UTF-16 units to be on the safe side.
const maxContent = 2000

// units returns the length of a text in UTF-16 units.
func units(text string) int { return len(utf16.Encode([]rune(text))) }

// clip shortens a text to at most that many units, since Discord would refuse more. Only a list of very long names could have
// more.
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
