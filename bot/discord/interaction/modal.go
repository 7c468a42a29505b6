package interaction

import (
	"encoding/json"
	"hash/maphash"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
)

// modal is a form on Discord. Each input is in a label of its own: inputs in rows are deprecated since 2025-08. See
// discord.com/developers/docs/components/reference.
type modal struct {
	CustomID   string `json:"custom_id"`
	Title      string `json:"title"`
	Components []any  `json:"components"` // a text display, then labels
}

type label struct {
	Type      int    `json:"type"`
	Label     string `json:"label"`
	Component input  `json:"component"`
}

type input struct {
	Type        discordgo.ComponentType  `json:"type"`
	CustomID    string                   `json:"custom_id"`
	Style       discordgo.TextInputStyle `json:"style"`
	Placeholder string                   `json:"placeholder,omitempty"`
	Value       string                   `json:"value,omitempty"`
	Required    bool                     `json:"required"` // if omitted, Discord takes it as true
	MaxLength   int                      `json:"max_length"`
}

const (
	maxFields = 5
	maxInput  = 4000 // characters that are sent back
)

// shownSeed keeps anybody from guessing the values of a modal by its id.
var shownSeed = maphash.MakeSeed()

// renderModal returns a form as a modal. The error does not quote values. The part of the id after a # depends on what the modal
// shows, since phones show modals with the same id alike: see github.com/discord/discord-api-docs/issues/7554.
func renderModal(f bot.Form, w writer) (modal, error) {
	id, err := CustomID(f.Command, f.Args)
	m := modal{CustomID: id, Title: f.Title}
	if text := w.markdown(f.About); text != "" {
		m.Components = []any{component{Type: typeText, Content: clip(text, maxText)}}
	}
	for _, field := range f.Fields {
		m.Components = append(m.Components, label{Type: typeLabel, Label: field.Label, Component: input{
			Type: discordgo.TextInputComponent, CustomID: field.Name, Style: discordgo.TextInputShort, Placeholder: field.Help, Value: clip(field.Value, field.Max),
			Required: field.Required, MaxLength: field.Max,
		}})
	}
	shows, _ := json.Marshal(m)                                                     // this cannot fail
	m.CustomID += "#" + strconv.FormatUint(maphash.Bytes(shownSeed, shows)>>33, 36) // six characters at most
	return m, err
}
