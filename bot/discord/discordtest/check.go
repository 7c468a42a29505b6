package discordtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// File is a file that came with an answer.
type File struct {
	ID          string // the n of files[n], until it belongs to a message
	Name        string
	Description string // the alt text
	Data        []byte
	named       bool // whether the latest body says its name, so that a component can show it
	shown       bool // whether one does
}

// Choice is a fixed value of an option, or a value that the bot proposes.
type Choice struct {
	Name  string `json:"name" limit:"1-100"`
	Value string `json:"value" limit:"1-100"`
}

// body is a message, a form or a list of choices, as the bot sends it. A field that the bot leaves out is nil.
type body struct {
	Content         json.RawMessage `json:"content"`
	Embeds          json.RawMessage `json:"embeds"`
	Poll            json.RawMessage `json:"poll"`
	Stickers        json.RawMessage `json:"sticker_ids"`
	Components      []Component     `json:"components"`
	AllowedMentions struct {
		Parse []string `json:"parse"` // without a list, every name that a player types would be pinged
		Users []string `json:"users" limit:"0-100"`
		Roles []string `json:"roles" limit:"0-100"`
	} `json:"allowed_mentions"`
	Flags       *int             `json:"flags"`
	Attachments []attachmentBody `json:"attachments" limit:"0-10"`

	Choices  []Choice `json:"choices" limit:"0-25"`
	CustomID string   `json:"custom_id"`
	Title    string   `json:"title"`
}

// flags returns the flags, 0 by default.
func (b *body) flags() int { return *cmp.Or(b.Flags, new(int)) }

// attachmentBody describes a file.
type attachmentBody struct {
	ID          string `json:"id"` // the n of files[n] for a new file; the file's id for one that the message has
	Filename    string `json:"filename" limit:"0-1024"`
	Description string `json:"description" limit:"0-1024"`
}

// checker collects the faults of a body.
type checker struct{ problems []string }

func (k *checker) bad(format string, args ...any) {
	k.problems = append(k.problems, fmt.Sprintf(format, args...))
}

// read decodes JSON into v and checks its limits.
func (k *checker) read(raw json.RawMessage, v any) {
	if err := json.Unmarshal(raw, v); err != nil {
		k.bad("%v", err)
	}
	k.limits(reflect.ValueOf(v))
}

// limits complains about texts and lists that are too short or too long, by the tags "limit" of struct fields. The numbers are
// those of https://docs.discord.com/developers.
func (k *checker) limits(v reflect.Value) {
	switch v = reflect.Indirect(v); v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			k.limits(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if from, to, limited := strings.Cut(f.Tag.Get("limit"), "-"); limited {
				least, _ := strconv.Atoi(from) // numbers, since we wrote them
				most, _ := strconv.Atoi(to)
				k.size(strings.ToLower(f.Name), lengthOf(reflect.Indirect(v.Field(i))), least, most)
			}
			k.limits(v.Field(i))
		}
	}
}

// size complains about a number outside a range.
func (k *checker) size(what string, n, least, most int) {
	if n < least || n > most {
		k.bad("%s: %d, must be %d-%d", what, n, least, most)
	}
}

// unique complains about empty and repeated texts.
func (k *checker) unique(what string, list []string) {
	seen := map[string]bool{"": true}
	for _, text := range list {
		if seen[text] {
			k.bad("%s: %q is empty or used twice", what, text)
		}
		seen[text] = true
	}
}

// lengthOf counts the characters of a text or the elements of a list, or returns a number. A field that is left out counts 0.
func lengthOf(v reflect.Value) int {
	switch v.Kind() {
	case reflect.String:
		return utf8.RuneCountInString(v.String())
	case reflect.Slice:
		return v.Len()
	case reflect.Int:
		return int(v.Int())
	}
	return 0
}

// checkFlags complains about flags other than the allowed ones.
func (k *checker) checkFlags(flags, allowed int) {
	if flags&^allowed != 0 {
		k.bad("flags: %d", flags)
	}
}

// checkMessage checks a message of the newer layout.
func (k *checker) checkMessage(b *body) {
	k.checkLayout(atTop, b.Components)
	for name, said := range map[string]json.RawMessage{"content": b.Content, "embeds": b.Embeds, "poll": b.Poll, "sticker_ids": b.Stickers} {
		if !slices.Contains([]string{"", "null", `""`, "[]"}, string(said)) { // discordgo sends some of these
			k.bad("%s: cannot be used with IS_COMPONENTS_V2", name)
		}
	}
}

// checkAttachments checks that each attachment is a new file, or one that the message had before.
func (k *checker) checkAttachments(b *body, files, before []File) {
	for _, a := range b.Attachments {
		if is := func(f File) bool { return f.ID == a.ID }; !slices.ContainsFunc(files, is) && !slices.ContainsFunc(before, is) {
			k.bad("attachments: there is no file %s", a.ID)
		}
	}
}
