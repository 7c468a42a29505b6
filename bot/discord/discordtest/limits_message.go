package discordtest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// The limits of messages, modals and choices, as Discord documents them
// (2026-08): https://docs.discord.com/developers/resources/message and
// .../components/reference.
const (
	maxContent     = 2000
	maxEmbeds      = 10
	maxEmbedTotal  = 6000 // of all embeds of a message
	maxFields      = 25
	maxFiles       = 10
	maxAltText     = 1024
	maxRows        = 5 // rows of a message in the older layout, or of a modal
	maxButtons     = 5 // in a row
	maxComponents  = 40
	maxCustomID    = 100
	maxOptions     = 25 // of a select menu or a command, and choices
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
	CustomID    opt[string]     `json:"custom_id"`
	Style       int             `json:"style"`
	Label       string          `json:"label"`
	Emoji       json.RawMessage `json:"emoji"`
	URL         string          `json:"url"`
	SKU         string          `json:"sku_id"`
	Disabled    bool            `json:"disabled"`
	Content     string          `json:"content"`
	Placeholder string          `json:"placeholder"`
	Value       string          `json:"value"`
	MinValues   *int            `json:"min_values"`
	MaxValues   *int            `json:"max_values"`
	MinLength   *int            `json:"min_length"`
	MaxLength   *int            `json:"max_length"`
	Required    *bool           `json:"required"`
	Options     []struct {
		Label       string `json:"label"`
		Value       string `json:"value"`
		Description string `json:"description"`
	} `json:"options"`
	Components []component `json:"components"`
	Inner      *component  `json:"component"`
	Accessory  *component  `json:"accessory"`
}

// The types of components that have different limits.
const (
	compRow       = 1
	compButton    = 2
	compSelect    = 3 // and 5–8, menus of users, roles, both and channels
	compInput     = 4
	compSection   = 9
	compText      = 10
	compSeparator = 14
	compContainer = 17
	compLabel     = 18
)

func isSelect(kind int) bool { return kind == compSelect || kind >= 5 && kind <= 8 }

// checkMessage checks what a body says of a message. after are the message's
// flags once it has taken effect.
func (k *checker) checkMessage(where string, b *body, after int) {
	k.length(under(where, "content"), b.Content.value, 0, maxContent)
	k.checkEmbeds(under(where, "embeds"), b.Embeds)
	k.checkComponents(where, b, after&flagComponentsV2 != 0)
	k.checkMentions(under(where, "allowed_mentions"), b.AllowedMentions)
	if after&flagComponentsV2 != 0 {
		if b.Content.value != "" {
			k.bad(under(where, "content"), "not together with the newer layout (flag 32768)")
		}
		if listOrNil(b.Embeds) != nil {
			k.bad(under(where, "embeds"), "not together with the newer layout (flag 32768)")
		}
	}
}

type embed struct {
	Title       string          `json:"title"`
	Description string          `json:"description"`
	URL         string          `json:"url"`
	Image       json.RawMessage `json:"image"`
	Thumbnail   json.RawMessage `json:"thumbnail"`
	Footer      struct {
		Text string `json:"text"`
	} `json:"footer"`
	Author struct {
		Name string `json:"name"`
	} `json:"author"`
	Fields []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"fields"`
}

func (k *checker) checkEmbeds(where string, raw json.RawMessage) {
	if raw == nil {
		return
	}
	var embeds []embed
	if p := decode(where, raw, &embeds); p != nil {
		k.problems = append(k.problems, p...)
		return
	}
	if len(embeds) > maxEmbeds {
		k.bad(where, "%d embeds, at most %d", len(embeds), maxEmbeds)
	}
	total := 0
	for i, e := range embeds {
		text := e.Title + e.Description + e.Footer.Text + e.Author.Name
		k.length(under(where, i, "title"), e.Title, 0, 256)
		k.length(under(where, i, "description"), e.Description, 0, 4096)
		k.length(under(where, i, "footer.text"), e.Footer.Text, 0, 2048)
		k.length(under(where, i, "author.name"), e.Author.Name, 0, 256)
		if len(e.Fields) > maxFields {
			k.bad(under(where, i, "fields"), "%d fields, at most %d", len(e.Fields), maxFields)
		}
		for j, f := range e.Fields {
			text += f.Name + f.Value
			k.length(under(where, i, "fields", j, "name"), strings.TrimSpace(f.Name), 1, 256)
			k.length(under(where, i, "fields", j, "value"), strings.TrimSpace(f.Value), 1, 1024)
		}
		if text == "" && listless(e.Image) && listless(e.Thumbnail) {
			k.bad(under(where, i), "the embed is empty")
		}
		total += len([]rune(text))
	}
	if total > maxEmbedTotal {
		k.bad(where, "%d characters in all embeds, at most %d", total, maxEmbedTotal)
	}
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

// checkComponents checks a message's components: rows of buttons or of one
// menu in the older layout; in the newer (v2), text and boxes too.
func (k *checker) checkComponents(where string, b *body, v2 bool) {
	place := under(where, "components")
	list := k.components(place, b.Components)
	if !v2 && len(list) > maxRows {
		k.bad(place, "%d rows, at most %d", len(list), maxRows)
	}
	for i, c := range list {
		if c.Type != compRow && !v2 {
			k.bad(under(place, i, "type"), "%d at the top needs the newer layout (flag 32768)", c.Type)
		}
		k.checkComponent(under(place, i), c, false)
	}
}

// checkModal checks a modal's title, id and rows.
func (k *checker) checkModal(where string, b *body) {
	k.length(under(where, "title"), b.Title, 1, maxModalTitle)
	k.length(under(where, "custom_id"), b.CustomID, 1, maxCustomID)
	place := under(where, "components")
	list := k.components(place, b.Components)
	if len(list) < 1 || len(list) > maxRows {
		k.bad(place, "%d rows, must be 1 to %d", len(list), maxRows)
	}
	for i, c := range list {
		switch c.Type {
		case compRow, compLabel, compText:
		default:
			k.bad(under(place, i, "type"), "%d has no place in a modal", c.Type)
		}
		k.checkComponent(under(place, i), c, true)
	}
	if len(k.problems) == 0 && len(inputs(list)) == 0 {
		k.bad(place, "nothing can be entered")
	}
}

// components reads a list of components and checks what holds for all of them
// together: how many there are, and that no custom_id comes twice.
func (k *checker) components(where string, raw json.RawMessage) []component {
	if raw == nil {
		return nil
	}
	var list []component
	if p := decode(where, raw, &list); p != nil {
		k.problems = append(k.problems, p...)
		return nil
	}
	count := 0
	seen := map[string]bool{}
	var walk func(place string, c component)
	walk = func(place string, c component) {
		count++
		if id := c.CustomID.value; id != "" {
			if seen[id] {
				k.bad(under(place, "custom_id"), "%q is there twice", id)
			}
			seen[id] = true
		}
		for i, in := range c.Components {
			walk(under(place, "components", i), in)
		}
		if c.Inner != nil {
			walk(under(place, "component"), *c.Inner)
		}
		if c.Accessory != nil {
			walk(under(place, "accessory"), *c.Accessory)
		}
	}
	for i, c := range list {
		walk(under(where, i), c)
	}
	if count > maxComponents {
		k.bad(where, "%d components, at most %d", count, maxComponents)
	}
	return list
}

func (k *checker) checkComponent(where string, c component, modal bool) {
	switch {
	case c.Type == compRow:
		k.checkRow(where, c, modal)
	case c.Type == compButton:
		k.checkButton(where, c)
	case isSelect(c.Type):
		k.checkSelect(where, c)
	case c.Type == compInput:
		if !modal {
			k.bad(under(where, "type"), "a text input outside a modal")
		}
		k.checkInput(where, c)
	case c.Type == compText:
		k.length(under(where, "content"), c.Content, 1, maxInputText)
	case c.Type == compSection, c.Type == compContainer:
		if len(c.Components) == 0 {
			k.bad(under(where, "components"), "empty")
		}
		for i, in := range c.Components {
			k.checkComponent(under(where, "components", i), in, modal)
		}
		if c.Accessory != nil && c.Accessory.Type == compButton {
			k.checkButton(under(where, "accessory"), *c.Accessory)
		}
	case c.Type == compLabel:
		k.length(under(where, "label"), c.Label, 1, maxInputLabel)
		if c.Inner == nil {
			k.bad(under(where, "component"), "missing")
		} else {
			if c.Inner.Label != "" {
				k.bad(under(where, "component", "label"), "not within a label")
			}
			k.checkComponent(under(where, "component"), *c.Inner, modal)
		}
	case c.Type >= 11 && c.Type <= compSeparator, c.Type >= 19 && c.Type <= 23:
		// Pictures, files, lines and the newer inputs: left to Discord's description of its API.
	default:
		k.bad(under(where, "type"), "no component has type %d", c.Type)
	}
}

func (k *checker) checkRow(where string, c component, modal bool) {
	place := under(where, "components")
	menus := 0
	for i, in := range c.Components {
		switch {
		case modal && in.Type != compInput, !modal && in.Type != compButton && !isSelect(in.Type):
			k.bad(under(place, i, "type"), "%d has no place in this row", in.Type)
			continue
		case in.Type != compButton:
			menus++
		}
		if in.Type == compInput {
			k.length(under(place, i, "label"), in.Label, 1, maxInputLabel)
		}
		k.checkComponent(under(place, i), in, modal)
	}
	switch n := len(c.Components); {
	case n == 0:
		k.bad(place, "the row is empty")
	case n > maxButtons:
		k.bad(place, "%d in one row, at most %d", n, maxButtons)
	case menus > 0 && n > 1:
		k.bad(place, "a menu or an input needs a row of its own")
	}
}

func (k *checker) checkButton(where string, c component) {
	k.length(under(where, "label"), c.Label, 0, maxButtonLabel)
	switch {
	case c.Style >= 1 && c.Style <= 4:
		k.length(under(where, "custom_id"), c.CustomID.value, 1, maxCustomID)
		if c.URL != "" {
			k.bad(under(where, "url"), "only for style 5")
		}
	case c.Style == 5:
		k.length(under(where, "url"), c.URL, 1, 512)
		if c.CustomID.value != "" {
			k.bad(under(where, "custom_id"), "not for style 5")
		}
	case c.Style == 6:
		if c.SKU == "" {
			k.bad(under(where, "sku_id"), "missing")
		}
		return
	default:
		k.bad(under(where, "style"), "%d is none of 1 to 6", c.Style)
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

func (k *checker) checkSelect(where string, c component) {
	k.length(under(where, "custom_id"), c.CustomID.value, 1, maxCustomID)
	k.length(under(where, "placeholder"), c.Placeholder, 0, 150)
	if c.Type == compSelect && (len(c.Options) < 1 || len(c.Options) > maxOptions) {
		k.bad(under(where, "options"), "%d options, must be 1 to %d", len(c.Options), maxOptions)
	}
	if c.Type != compSelect && len(c.Options) > 0 {
		k.bad(under(where, "options"), "only for type 3")
	}
	seen := map[string]bool{}
	for i, o := range c.Options {
		place := under(where, "options", i)
		k.length(under(place, "label"), o.Label, 1, 100)
		k.length(under(place, "value"), o.Value, 1, 100)
		k.length(under(place, "description"), o.Description, 0, 100)
		if seen[o.Value] {
			k.bad(under(place, "value"), "%q is there twice", o.Value)
		}
		seen[o.Value] = true
	}
	least, most := 1, 1
	if c.MinValues != nil {
		least = *c.MinValues
	}
	if c.MaxValues != nil {
		most = *c.MaxValues
	}
	if least < 0 || most < 1 || least > most || most > maxOptions || c.Type == compSelect && most > len(c.Options) {
		k.bad(where, "%d to %d values of %d", least, most, len(c.Options))
	}
}

func (k *checker) checkInput(where string, c component) {
	k.length(under(where, "custom_id"), c.CustomID.value, 1, maxCustomID)
	k.length(under(where, "placeholder"), c.Placeholder, 0, 100)
	if c.Style != 1 && c.Style != 2 {
		k.bad(under(where, "style"), "%d is none of 1, 2", c.Style)
	}
	least, most := 0, maxInputText
	if c.MinLength != nil {
		least = *c.MinLength
	}
	if c.MaxLength != nil {
		most = *c.MaxLength
	}
	if least < 0 || most < 1 || most > maxInputText || least > most {
		k.bad(where, "%d to %d characters wanted, must be within 0 to %d", least, most, maxInputText)
	} else if c.Value != "" {
		k.length(under(where, "value"), c.Value, least, most)
	}
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
	Name          string                 `json:"name"`
	Localizations opt[map[string]string] `json:"name_localizations"`
	Value         json.RawMessage        `json:"value"`
}

func (k *checker) choices(where string, choices []choice) {
	if len(choices) > maxOptions {
		k.bad(where, "%d choices, at most %d", len(choices), maxOptions)
	}
	for i, c := range choices {
		k.length(under(where, i, "name"), strings.TrimSpace(c.Name), 1, maxChoiceText)
		k.localizations(under(where, i, "name_localizations"), c.Localizations.value, maxChoiceText)
		var text string
		var number json.Number
		switch {
		case json.Unmarshal(c.Value, &text) == nil && !listless(c.Value):
			k.length(under(where, i, "value"), text, 1, maxChoiceText)
		case json.Unmarshal(c.Value, &number) != nil || listless(c.Value):
			k.bad(under(where, i, "value"), "neither text nor number")
		}
	}
}

// locales are those of https://docs.discord.com/developers/reference#locales, 2026-08.
var locales = strings.Fields(`id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi
	sv-SE vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko`)

func (k *checker) localizations(where string, texts map[string]string, most int) {
	for _, locale := range slices.Sorted(maps.Keys(texts)) {
		if !slices.Contains(locales, locale) {
			k.bad(under(where, locale), "Discord has no such locale")
		}
		k.length(under(where, locale), texts[locale], 1, most)
	}
}
