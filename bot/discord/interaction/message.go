package interaction

import (
	"unicode/utf16"

	"fivefold/bot"
)

// The types of first responses, see
// discord.com/developers/docs/interactions/receiving-and-responding. These and
// the messages below are encoded by us: discordgo omits empty lists of choices,
// and sends null if no mentions are allowed.
const (
	typeMessage         = 4
	typeDeferredMessage = 5
	typeDeferredUpdate  = 6 // the player sees nothing of it
	typeUpdate          = 7 // of the message that the interaction came from
	typeChoices         = 8 // for autocompletion
	typeModal           = 9
)

// FlagEphemeral makes a message visible only to the user of the interaction.
const FlagEphemeral = 1 << 6

// FlagSilent keeps a message from notifying anybody.
const FlagSilent = 1 << 12

// Response is a first response.
type Response struct {
	Type int `json:"type"`
	Data any `json:"data,omitempty"`
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

	look      bot.Look
	Picture   *Picture `json:"-"` // the file in Attachments, nil for none
	Kept      bool     `json:"-"` // whether the edited message has that file already
	plainText string   // the Content to use without the picture
}

// allowedMentions allows no mentions. Without it, Discord allows all.
type allowedMentions struct {
	Parse []string `json:"parse"`
}

type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type choiceList struct {
	Choices []Choice `json:"choices"`
}

// deferredMessage announces a message. An announcement to everyone cannot be
// followed by an ephemeral message, so while the audience is undecided it is
// ephemeral.
func deferredMessage(audience bot.Audience) Response {
	if audience == bot.Everyone {
		return Response{Type: typeDeferredMessage}
	}
	return Response{Type: typeDeferredMessage, Data: struct {
		Flags int `json:"flags"`
	}{FlagEphemeral}}
}

func choicesResponse(choices []bot.Choice) Response {
	list := choiceList{Choices: []Choice{}}
	for _, c := range choices {
		list.Choices = append(list.Choices, Choice(c))
	}
	return Response{Type: typeChoices, Data: list}
}

// NewMessage returns a reply's lines as a message.
func NewMessage(r bot.Reply, n *Names) Message {
	w := writer{r.Look, n}
	m := Message{Content: w.content(r.Lines), AllowedMentions: allowedMentions{Parse: []string{}}, look: r.Look}
	if r.Audience != bot.Everyone {
		m.Flags = FlagEphemeral
	}
	return m
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
