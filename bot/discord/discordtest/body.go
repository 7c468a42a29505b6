package discordtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// checker collects what is wrong with a body: where, as dotted keys, and what.
type checker struct{ problems []string }

func (k *checker) bad(where, format string, args ...any) {
	k.problems = append(k.problems, strings.TrimPrefix(where+": "+fmt.Sprintf(format, args...), ": "))
}

// read reads JSON into v, and reports whether that is possible.
func (k *checker) read(where string, raw json.RawMessage, v any) bool {
	err := json.Unmarshal(raw, v)
	if err != nil {
		k.bad(where, "%v", err)
	}
	return err == nil
}

// length complains when text has fewer characters than least or more than most.
func (k *checker) length(where, text string, least, most int) {
	if n := len([]rune(text)); n < least || n > most {
		k.bad(where, "%d characters, must be %d to %d", n, least, most)
	}
}

// atMost complains about more than most of something.
func (k *checker) atMost(where string, n, most int) {
	if n > most {
		k.bad(where, "%d, at most %d", n, most)
	}
}

// under joins keys with dots; empty ones are left out.
func under(keys ...any) string {
	var parts []string
	for _, k := range keys {
		if s := fmt.Sprint(k); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, ".")
}

// body is what a message, a modal or a list of choices may say. Nil is what it leaves out.
type body struct {
	Content         *string           `json:"content"`
	Embeds          json.RawMessage   `json:"embeds"`
	Components      json.RawMessage   `json:"components"`
	AllowedMentions json.RawMessage   `json:"allowed_mentions"`
	Flags           *int              `json:"flags"`
	Attachments     *[]attachmentBody `json:"attachments"`

	Choices  []Choice `json:"choices"`
	CustomID string   `json:"custom_id"`
	Title    string   `json:"title"`
}

type attachmentBody struct {
	ID          json.RawMessage `json:"id"` // of a new file, the n of files[n], as a number or as text; or of one that the message has
	Filename    string          `json:"filename"`
	Description *string         `json:"description"` // nil leaves what a kept file has
}

func (a attachmentBody) id() string { return strings.Trim(string(a.ID), `"`) }

func (b *body) flags() int { return *cmp.Or(b.Flags, new(int)) }

func (b *body) attachments() []attachmentBody { return *cmp.Or(b.Attachments, new([]attachmentBody)) }

// hasParse reports whether allowed_mentions is there with an explicit list of
// what to parse, which is our rule: without it, or with null, every name that
// a player types would be pinged.
func (b *body) hasParse() bool {
	var m struct {
		Parse json.RawMessage `json:"parse"`
	}
	return json.Unmarshal(b.AllowedMentions, &m) == nil && strings.HasPrefix(strings.TrimSpace(string(m.Parse)), "[")
}

// describe gives the files the alt texts and names that the body has for them.
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

// usable lists the components in rows.
func usable(rows []Component) []Component {
	var all []Component
	for n, row := range rows {
		for _, c := range row.Components {
			c.Row = n
			all = append(all, c)
		}
	}
	return all
}
