package discordtest

import (
	"cmp"
	"encoding/json"
	"strings"
)

// The limits of messages, modals and choices, as Discord documents them
// (2026-08): https://docs.discord.com/developers/resources/message and
// .../components/reference. Discord's description of its API has more of them. What this bot
// does not send (embeds, menus, links, the newer layout of messages) is refused, whatever
// Discord says of it.
const (
	maxContent     = 2000
	maxFiles       = 10
	maxRows        = 5 // rows of a message, or inputs of a modal
	maxButtons     = 5 // in a row
	maxCustomID    = 100
	maxChoices     = 25
	maxModalTitle  = 45
	maxChoiceText  = 100
	maxButtonLabel = 80
	maxInputText   = 4000
)

// component is any component; which fields are used depends on its type.
type component struct {
	Type     int    `json:"type"`
	CustomID string `json:"custom_id"`
	Style    int    `json:"style"`
	Label    string `json:"label"`
	Emoji    struct {
		Name string `json:"name"`
	} `json:"emoji"`
	Disabled    bool        `json:"disabled"`
	Placeholder string      `json:"placeholder"`
	Value       string      `json:"value"`
	MaxLength   *int        `json:"max_length"`
	Required    *bool       `json:"required"`
	Components  []component `json:"components"`
	Inner       *component  `json:"component"`
}

// The types of components that the bot sends.
const (
	compRow    = 1
	compButton = 2
	compInput  = 4
	compLabel  = 18
)

// listless reports whether an optional object was left out.
func listless(raw json.RawMessage) bool { return raw == nil || string(raw) == "null" }

// checkMessage checks what a body says of a message: its components are rows of buttons.
func (k *checker) checkMessage(where string, b *body) {
	k.length(under(where, "content"), *cmp.Or(b.Content, new(string)), 0, maxContent)
	if listOrNil(b.Embeds) != nil {
		k.bad(under(where, "embeds"), "this bot sends none")
	}
	place := under(where, "components")
	list := k.components(place, b.Components)
	k.atMost(place, len(list), maxRows)
	for i, row := range list {
		buttons := under(place, i, "components")
		if row.Type != compRow || len(row.Components) == 0 {
			k.bad(under(place, i), "no row of buttons")
		}
		k.atMost(buttons, len(row.Components), maxButtons)
		for j, c := range row.Components {
			at := under(buttons, j)
			if c.Type != compButton || c.Label == "" && c.Emoji.Name == "" {
				k.bad(at, "no button with a label or an emoji")
			}
			k.length(under(at, "label"), c.Label, 0, maxButtonLabel)
			k.length(under(at, "custom_id"), c.CustomID, 1, maxCustomID)
		}
	}
}

// checkModal checks a modal's title, id and inputs, each in a label, and returns the labels.
func (k *checker) checkModal(where string, b *body) []component {
	k.length(under(where, "title"), b.Title, 1, maxModalTitle)
	k.length(under(where, "custom_id"), b.CustomID, 1, maxCustomID)
	place := under(where, "components")
	list := k.components(place, b.Components)
	k.atMost(place, len(list), maxRows)
	for i, c := range list {
		in := c.Inner
		if c.Type != compLabel || in == nil || in.Type != compInput || in.Label != "" {
			k.bad(under(place, i), "no label of an input")
			continue
		}
		most := maxInputText
		if in.MaxLength != nil {
			most = *in.MaxLength
		}
		k.length(under(place, i, "component.value"), in.Value, 0, most)
		k.length(under(place, i, "component.custom_id"), in.CustomID, 1, maxCustomID)
	}
	return list
}

// components reads a list of components, and checks that no custom_id comes twice.
func (k *checker) components(where string, raw json.RawMessage) []component {
	if raw == nil {
		return nil
	}
	var list []component
	k.read(where, raw, &list)
	seen := map[string]bool{}
	for i, c := range list {
		all := c.Components
		if c.Inner != nil {
			all = []component{*c.Inner}
		}
		for _, in := range all {
			if seen[in.CustomID] {
				k.bad(under(where, i), "custom_id %q is there twice", in.CustomID)
			}
			seen[in.CustomID] = true
		}
	}
	return list
}

func (k *checker) choices(where string, choices []Choice) {
	k.atMost(where, len(choices), maxChoices)
	for i, c := range choices {
		k.length(under(where, i, "name"), strings.TrimSpace(c.Name), 1, maxChoiceText)
		k.length(under(where, i, "value"), c.Value, 1, maxChoiceText)
	}
}
