package discordtest

import (
	"encoding/json"
	"fmt"
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

// opt is a value that a body may leave out; null counts as given and empty.
type opt[T any] struct {
	set   bool
	value T
}

func (o *opt[T]) UnmarshalJSON(b []byte) error {
	o.set = true
	return json.Unmarshal(b, &o.value)
}

// body is what a message, a modal or a list of choices may say.
type body struct {
	Content         opt[string]           `json:"content"`
	Embeds          json.RawMessage       `json:"embeds"`
	Components      json.RawMessage       `json:"components"`
	AllowedMentions json.RawMessage       `json:"allowed_mentions"`
	Flags           opt[int]              `json:"flags"`
	Attachments     opt[[]attachmentBody] `json:"attachments"`

	Choices  []Choice `json:"choices"`
	CustomID string   `json:"custom_id"`
	Title    string   `json:"title"`
}

type attachmentBody struct {
	ID          fileID  `json:"id"`
	Filename    string  `json:"filename"`
	Description *string `json:"description"` // nil leaves what a kept file has
}

// fileID names a new file, the n of files[n], as a number or as text, or one that the
// message has, by its id.
type fileID struct {
	text   string
	number bool // it was written as a number, which loses digits of a long id
}

func (f *fileID) UnmarshalJSON(b []byte) error {
	f.text = strings.Trim(string(b), `"`)
	f.number = f.text == string(b)
	if !isSnowflake(f.text) {
		return fmt.Errorf("%s is no id", b)
	}
	return nil
}

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
	out := append([]File(nil), files...)
	for i := range out {
		for _, a := range b.Attachments.value {
			if a.ID.text == out[i].part {
				if a.Description != nil {
					out[i].Description = *a.Description
				}
				if a.Filename != "" {
					out[i].Name = a.Filename
				}
			}
		}
	}
	return out
}

// answer is the body as a test sees it.
func (b *body) answer(raw json.RawMessage, files []File) Answer {
	a := Answer{
		Flags: b.Flags.value, Content: b.Content.value, CustomID: b.CustomID, Title: b.Title,
		Choices: b.Choices, Files: files, Raw: raw,
	}
	var k checker
	components := k.components("", b.Components) // they were checked when they came
	a.Components, a.Inputs = usable(components), inputs(components)
	return a
}

// usable lists the components that players read or use, with their rows.
func usable(rows []component) []Component {
	var all []Component
	for n, row := range rows {
		in := row.Components
		if row.Inner != nil {
			in = append(in, *row.Inner)
		}
		for _, c := range in {
			all = append(all, Component{
				Type: c.Type, CustomID: c.CustomID, Label: c.Label, Emoji: c.Emoji.Name, Style: c.Style, Disabled: c.Disabled, Row: n,
			})
		}
	}
	return all
}
