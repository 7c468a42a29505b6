package discordtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The limits of messages, forms and choices, as Discord documents them (2026-08):
// https://docs.discord.com/developers/resources/message and .../components/reference. What this bot never sends
// (menus, links, the newer layout of messages) is refused, although Discord takes it.
const (
	maxContent   = 2000
	maxFiles     = 10
	maxRows      = 5 // of a message; also the inputs of a form
	maxButtons   = 5 // in a row
	maxCustomID  = 100
	maxChoices   = 25
	maxTitle     = 45 // of a form, and of an input
	maxChoice    = 100
	maxLabel     = 80 // of a button
	maxInputText = 4000
)

// The types of components that the bot sends.
const (
	compRow    = 1
	compButton = 2
	compInput  = 4
	compLabel  = 18
)

// File is a file that came with an answer.
type File struct {
	ID          string `json:"id"` // the n of files[n], until it belongs to a message
	Name        string `json:"filename"`
	Description string `json:"description,omitempty"` // the alt text
	Data        []byte `json:"-"`
}

// Component is a component of a message or a form. Its type decides which fields are used.
type Component struct {
	Type     int    `json:"type"`
	CustomID string `json:"custom_id,omitempty"`
	Label    string `json:"label,omitempty"`
	Style    int    `json:"style,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
	Emoji    struct {
		Name string `json:"name"`
	} `json:"emoji,omitzero"`
	Row int `json:"-"` // its row, from 0

	Placeholder string      `json:"placeholder,omitempty"`
	Value       string      `json:"value,omitempty"`
	MaxLength   *int        `json:"max_length,omitempty"`
	Required    *bool       `json:"required,omitempty"`
	Components  []Component `json:"components,omitempty"`
	Inner       *Component  `json:"component,omitempty"`
}

// Choice is a fixed value of an option, or a value that the bot proposes.
type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// checker collects what is wrong with a body.
type checker struct{ problems []string }

func (k *checker) bad(format string, args ...any) {
	k.problems = append(k.problems, fmt.Sprintf(format, args...))
}

// read decodes JSON into v.
func (k *checker) read(raw json.RawMessage, v any) {
	if err := json.Unmarshal(raw, v); err != nil {
		k.bad("%v", err)
	}
}

// length complains about a text with fewer characters than least or more than most.
func (k *checker) length(what, text string, least, most int) {
	k.count(what+": characters", len([]rune(text)), least, most)
}

// count complains about fewer than least or more than most of something.
func (k *checker) count(what string, n, least, most int) {
	if n < least || n > most {
		k.bad("%s: %d, must be %d to %d", what, n, least, most)
	}
}

// unique complains about a name that comes twice.
func (k *checker) unique(what string, names []string) {
	slices.Sort(names)
	if n := len(names); len(slices.Compact(names)) < n {
		k.bad("%s: one comes twice", what)
	}
}

// checkFlags complains about flags that an application cannot set there.
func (k *checker) checkFlags(flags, allowed int) {
	if flags&^allowed != 0 {
		k.bad("flags: %d", flags)
	}
}

// body is a message, a form or a list of choices, as the bot sends it. Pointers are nil for what it leaves out.
type body struct {
	Content         *string           `json:"content"`
	Components      *[]Component      `json:"components"`
	AllowedMentions json.RawMessage   `json:"allowed_mentions"`
	Flags           *int              `json:"flags"`
	Attachments     *[]attachmentBody `json:"attachments"`

	Choices  []Choice `json:"choices"`
	CustomID string   `json:"custom_id"`
	Title    string   `json:"title"`
}

// attachmentBody describes a file.
type attachmentBody struct {
	ID          json.RawMessage `json:"id"` // of a new file, the n of files[n]; otherwise of one that the message has
	Filename    string          `json:"filename"`
	Description *string         `json:"description"` // nil leaves what the file has
}

func (a attachmentBody) id() string { return strings.Trim(string(a.ID), `"`) }

func (b *body) flags() int { return *cmp.Or(b.Flags, new(int)) }

func (b *body) attachments() []attachmentBody { return *cmp.Or(b.Attachments, new([]attachmentBody)) }

func (b *body) components() []Component { return *cmp.Or(b.Components, new([]Component)) }

// hasParse reports whether allowed_mentions lists what to parse. Without a list, every name that a player types would
// be pinged.
func (b *body) hasParse() bool {
	var m struct {
		Parse []string `json:"parse"`
	}
	return json.Unmarshal(b.AllowedMentions, &m) == nil && m.Parse != nil
}

// describe returns the files with the alt texts and names that the body has for them.
func (b *body) describe(files []File) []File {
	files = slices.Clone(files)
	for i := range files {
		f := &files[i]
		for _, a := range b.attachments() {
			if a.id() == f.ID {
				f.Description, f.Name = *cmp.Or(a.Description, &f.Description), cmp.Or(a.Filename, f.Name)
			}
		}
	}
	return files
}

// checkMessage checks a message whose components are rows of buttons.
func (k *checker) checkMessage(b *body) {
	k.length("content", *cmp.Or(b.Content, new(string)), 0, maxContent)
	rows := b.components()
	k.count("rows", len(rows), 0, maxRows)
	var ids []string
	for _, row := range rows {
		if row.Type != compRow {
			k.bad("components: no row of buttons")
		}
		k.count("buttons", len(row.Components), 1, maxButtons)
		for _, c := range row.Components {
			if c.Type != compButton || c.Style < 1 || c.Style > 4 || c.Label == "" && c.Emoji.Name == "" {
				k.bad("components: no button with a style and a label or an emoji")
			}
			k.length("label", c.Label, 0, maxLabel)
			k.length("custom_id", c.CustomID, 1, maxCustomID)
			ids = append(ids, c.CustomID)
		}
	}
	k.unique("custom_id", ids)
}

// checkForm checks a form: its inputs are each in a label.
func (k *checker) checkForm(b *body) {
	k.length("title", b.Title, 1, maxTitle)
	k.length("custom_id", b.CustomID, 1, maxCustomID)
	k.count("inputs", len(b.components()), 1, maxRows)
	var ids []string
	for _, c := range b.components() {
		in := c.Inner
		if c.Type != compLabel || in == nil || in.Type != compInput || in.Style < 1 || in.Style > 2 {
			k.bad("components: no label of an input")
			continue
		}
		k.length("label", c.Label, 1, maxTitle)
		k.length("placeholder", in.Placeholder, 0, maxChoice)
		k.length("value", in.Value, 0, *cmp.Or(in.MaxLength, new(maxInputText)))
		k.length("custom_id", in.CustomID, 1, maxCustomID)
		ids = append(ids, in.CustomID)
	}
	k.unique("custom_id", ids)
}

// checkChoices checks choices of an option, or those that are proposed for it.
func (k *checker) checkChoices(choices []Choice) {
	k.count("choices", len(choices), 0, maxChoices)
	for _, c := range choices {
		k.length("name of a choice", strings.TrimSpace(c.Name), 1, maxChoice)
		k.length("value of a choice", c.Value, 1, maxChoice)
	}
}

// checkAttachments checks that each attachment is a new file, or one that the message had before.
func (k *checker) checkAttachments(b *body, files, before []File) {
	k.count("files", len(files), 0, maxFiles)
	for _, a := range b.attachments() {
		is := func(f File) bool { return f.ID == a.id() }
		switch {
		case slices.ContainsFunc(files, is):
		case !slices.ContainsFunc(before, is):
			k.bad("attachments: there is no file %s", a.id())
		case a.id() == string(a.ID):
			k.bad("attachments: %s is a number, the id of a file that is kept must be a string", a.id())
		}
	}
}
