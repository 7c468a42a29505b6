package discordtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"image/png"
	"slices"
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

// The types of components that the bot sends.
const (
	compRow    = 1
	compButton = 2
	compInput  = 4
	compLabel  = 18
)

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
func (k *checker) checkModal(where string, b *body) []Component {
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
func (k *checker) components(where string, raw json.RawMessage) []Component {
	if raw == nil {
		return nil
	}
	var list []Component
	k.read(where, raw, &list)
	seen := map[string]bool{}
	for i, c := range list {
		all := c.Components
		if c.Inner != nil {
			all = []Component{*c.Inner}
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

// checkAttachments checks what a body says of files: each is one that comes with
// it, or one of those that the message had before.
func (k *checker) checkAttachments(where string, b *body, files, before []File) {
	k.atMost(where, len(files), maxFiles)
	for i, a := range b.attachments() {
		place := under(where, "attachments", i, "id")
		is := func(f File) bool { return f.ID == a.id() }
		switch {
		case slices.ContainsFunc(files, is):
		case !slices.ContainsFunc(before, is):
			k.bad(place, "there is no file %s", a.id())
		case a.id() == string(a.ID):
			k.bad(place, "%s is a number, the id of a file that is kept must be a string", a.id())
		}
	}
}

// picturesLocked notes PNGs that cannot be shown, or have no alt text. Discord would
// take them; our rules do not.
func (s *Server) picturesLocked(c *incoming, files []File) {
	for _, f := range files {
		if !strings.HasSuffix(f.Name, ".png") && f.ContentType != "image/png" {
			continue
		}
		if _, _, err := f.Size(); err != nil {
			s.violateLocked("pictures: %s: %s: %v", c.name, f.Name, err)
		}
		if strings.TrimSpace(f.Description) == "" {
			s.violateLocked("pictures: %s: %s has no alt text", c.name, f.Name)
		}
	}
}

// Size returns a PNG's width and height in pixels, or an error for anything else.
func (f File) Size() (width, height int, err error) {
	picture, err := png.DecodeConfig(bytes.NewReader(f.Data))
	return picture.Width, picture.Height, err
}
