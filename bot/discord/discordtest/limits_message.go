package discordtest

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// The limits of messages, modals and choices, as Discord documents them
// (2026-08): https://docs.discord.com/developers/resources/message and
// .../components/reference. What this bot does not send (embeds, menus, links, the
// newer layout of messages) is refused, whatever Discord says of it.
const (
	maxContent     = 2000
	maxFiles       = 10
	maxAltText     = 1024
	maxRows        = 5 // rows of a message, or inputs of a modal
	maxButtons     = 5 // in a row
	maxCustomID    = 100
	maxOptions     = 25 // of a command, and choices
	maxModalTitle  = 45
	maxChoiceText  = 100
	maxButtonLabel = 80
	maxInputText   = 4000
	maxInputLabel  = 45
	maxMentionIDs  = 100
)

// component is any component; which fields are used depends on its type.
type component struct {
	Type        int             `json:"type"`
	CustomID    string          `json:"custom_id"`
	Style       int             `json:"style"`
	Label       string          `json:"label"`
	Emoji       json.RawMessage `json:"emoji"`
	Disabled    bool            `json:"disabled"`
	Placeholder string          `json:"placeholder"`
	Value       string          `json:"value"`
	MaxLength   *int            `json:"max_length"`
	Required    *bool           `json:"required"`
	Components  []component     `json:"components"`
	Inner       *component      `json:"component"`
}

// The types of components that the bot sends.
const (
	compRow    = 1
	compButton = 2
	compInput  = 4
	compLabel  = 18
)

// checkMessage checks what a body says of a message.
func (k *checker) checkMessage(where string, b *body) {
	k.length(under(where, "content"), b.Content.value, 0, maxContent)
	if listOrNil(b.Embeds) != nil {
		k.bad(under(where, "embeds"), "this bot sends none")
	}
	k.checkComponents(where, b)
	k.checkMentions(under(where, "allowed_mentions"), b.AllowedMentions)
}

// listless reports whether an optional object was left out.
func listless(raw json.RawMessage) bool { return raw == nil || string(raw) == "null" }

func (k *checker) checkMentions(where string, raw json.RawMessage) {
	if listless(raw) {
		return
	}
	var m struct {
		Parse []string `json:"parse"`
		Users []string `json:"users"`
		Roles []string `json:"roles"`
	}
	if p := decode(where, raw, &m); p != nil {
		k.problems = append(k.problems, p...)
		return
	}
	for i, what := range m.Parse {
		if what != "users" && what != "roles" && what != "everyone" {
			k.bad(under(where, "parse", i), "%q is none of users, roles, everyone", what)
		}
	}
	for key, ids := range map[string][]string{"users": m.Users, "roles": m.Roles} {
		if len(ids) > maxMentionIDs {
			k.bad(under(where, key), "%d ids, at most %d", len(ids), maxMentionIDs)
		}
		if len(ids) > 0 && slices.Contains(m.Parse, key) {
			k.bad(under(where, "parse"), "%s are both parsed and listed", key)
		}
	}
}

// checkComponents checks a message's components: rows of buttons.
func (k *checker) checkComponents(where string, b *body) {
	place := under(where, "components")
	list := k.components(place, b.Components)
	if len(list) > maxRows {
		k.bad(place, "%d rows, at most %d", len(list), maxRows)
	}
	for i, row := range list {
		if row.Type != compRow {
			k.bad(under(place, i, "type"), "%d is no row", row.Type)
			continue
		}
		buttons := under(place, i, "components")
		switch n := len(row.Components); {
		case n == 0:
			k.bad(buttons, "the row is empty")
		case n > maxButtons:
			k.bad(buttons, "%d in one row, at most %d", n, maxButtons)
		}
		for j, c := range row.Components {
			k.checkButton(under(buttons, j), c)
		}
	}
}

// checkModal checks a modal's title, id and inputs, each in a label.
func (k *checker) checkModal(where string, b *body) {
	k.length(under(where, "title"), b.Title, 1, maxModalTitle)
	k.length(under(where, "custom_id"), b.CustomID, 1, maxCustomID)
	place := under(where, "components")
	list := k.components(place, b.Components)
	if len(list) < 1 || len(list) > maxRows {
		k.bad(place, "%d inputs, must be 1 to %d", len(list), maxRows)
	}
	for i, c := range list {
		if c.Type != compLabel || c.Inner == nil {
			k.bad(under(place, i, "type"), "%d is no label of an input", c.Type)
			continue
		}
		k.length(under(place, i, "label"), c.Label, 1, maxInputLabel)
		k.checkInput(under(place, i, "component"), *c.Inner)
	}
}

// components reads a list of components, and checks that no custom_id comes twice.
func (k *checker) components(where string, raw json.RawMessage) []component {
	if raw == nil {
		return nil
	}
	var list []component
	if p := decode(where, raw, &list); p != nil {
		k.problems = append(k.problems, p...)
		return nil
	}
	seen := map[string]bool{}
	see := func(place, id string) {
		if id != "" && seen[id] {
			k.bad(under(place, "custom_id"), "%q is there twice", id)
		}
		seen[id] = true
	}
	for i, c := range list {
		for j, in := range c.Components {
			see(under(where, i, "components", j), in.CustomID)
		}
		if c.Inner != nil {
			see(under(where, i, "component"), c.Inner.CustomID)
		}
	}
	return list
}

func (k *checker) checkButton(where string, c component) {
	if c.Type != compButton {
		k.bad(under(where, "type"), "%d is no button", c.Type)
		return
	}
	k.length(under(where, "label"), c.Label, 0, maxButtonLabel)
	k.length(under(where, "custom_id"), c.CustomID, 1, maxCustomID)
	if c.Style < 1 || c.Style > 4 {
		k.bad(under(where, "style"), "%d is none of 1 to 4", c.Style)
	}
	if c.Label == "" && listless(c.Emoji) {
		k.bad(where, "a button needs a label or an emoji")
	}
	k.checkEmoji(under(where, "emoji"), c.Emoji)
}

// emoji is one of a server or application, by id, or one of Unicode's.
type emoji struct {
	ID   *flexID `json:"id"`
	Name string  `json:"name"`
}

// checkEmoji checks a button's emoji. Which characters are emojis it does not
// know, but none is made of ASCII alone.
func (k *checker) checkEmoji(where string, raw json.RawMessage) {
	if listless(raw) {
		return
	}
	var e emoji
	if p := decode(where, raw, &e); p != nil {
		k.problems = append(k.problems, p...)
		return
	}
	if e.ID == nil && !strings.ContainsFunc(e.Name, func(r rune) bool { return r > unicode.MaxASCII }) {
		k.bad(where, "%q is no emoji", e.Name)
	}
}

func (k *checker) checkInput(where string, c component) {
	if c.Type != compInput || c.Label != "" {
		k.bad(under(where, "type"), "%d is no input without a label of its own", c.Type)
		return
	}
	k.length(under(where, "custom_id"), c.CustomID, 1, maxCustomID)
	k.length(under(where, "placeholder"), c.Placeholder, 0, 100)
	if c.Style != 1 && c.Style != 2 {
		k.bad(under(where, "style"), "%d is none of 1, 2", c.Style)
	}
	most := maxInputText
	if c.MaxLength != nil {
		most = *c.MaxLength
	}
	if most < 1 || most > maxInputText {
		k.bad(under(where, "max_length"), "%d characters, must be 1 to %d", most, maxInputText)
	}
	k.length(under(where, "value"), c.Value, 0, most)
}

// checkChoices checks the suggestions of an autocomplete answer.
func (k *checker) checkChoices(where string, raw json.RawMessage) {
	place := under(where, "choices")
	if listless(raw) {
		k.bad(place, "missing")
		return
	}
	var choices []choice
	if p := decode(place, raw, &choices); p != nil {
		k.problems = append(k.problems, p...)
		return
	}
	k.choices(place, choices)
}

// choice is one suggestion, or one of an option's fixed values.
type choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (k *checker) choices(where string, choices []choice) {
	if len(choices) > maxOptions {
		k.bad(where, "%d choices, at most %d", len(choices), maxOptions)
	}
	for i, c := range choices {
		k.length(under(where, i, "name"), strings.TrimSpace(c.Name), 1, maxChoiceText)
		k.length(under(where, i, "value"), c.Value, 1, maxChoiceText)
	}
}
