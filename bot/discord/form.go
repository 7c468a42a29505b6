package discord

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
)

// modal is how Discord shows a form. Each of its inputs stands in a label of its
// own: rows, in which inputs stood before, are deprecated since 2025-08. See
// discord.com/developers/docs/components/reference.
type modal struct {
	CustomID   string  `json:"custom_id"`
	Title      string  `json:"title"`
	Components []label `json:"components"`
}

type label struct {
	Type      int    `json:"type"`
	Label     string `json:"label"`
	Component input  `json:"component"`
}

type input struct {
	Type        int    `json:"type"`
	CustomID    string `json:"custom_id"`
	Style       int    `json:"style"`
	Placeholder string `json:"placeholder,omitempty"`
	Value       string `json:"value,omitempty"`
	Required    bool   `json:"required"` // left out it is true
	MaxLength   int    `json:"max_length"`
}

const (
	componentInput = 4
	componentLabel = 18

	styleShort = 1
	styleLong  = 2
)

// Discord's limits for forms, in UTF-16 units to be on the safe side.
const (
	maxFields     = 5
	maxTitle      = 45
	maxFieldLabel = 45
	maxHelp       = 100
	maxEntered    = 4000
)

// drawForm returns a form as Discord takes it, or an error for what Discord would
// refuse or could not send back. The error does not quote what is filled in.
func drawForm(f bot.Form) (modal, error) {
	id, err := customID(f.Command, f.Args)
	if err != nil {
		return modal{}, err
	}
	if err := fits(f.Title, 1, maxTitle); err != nil {
		return modal{}, fmt.Errorf("a title of %w", err)
	}
	if n := len(f.Fields); n < 1 || n > maxFields {
		return modal{}, fmt.Errorf("%d fields, must be 1 to %d", n, maxFields)
	}
	m := modal{CustomID: id, Title: f.Title}
	seen := map[string]bool{}
	for n, field := range f.Fields {
		d, err := drawField(field)
		if _, given := f.Args[field.Name]; err == nil && (given || seen[field.Name]) {
			err = errors.New("its name is taken")
		}
		if err != nil {
			return modal{}, fmt.Errorf("field %d, %q: %w", n+1, field.Name, err)
		}
		seen[field.Name] = true
		m.Components = append(m.Components, d)
	}
	return m, nil
}

func drawField(f bot.Field) (label, error) {
	if !fieldName.MatchString(f.Name) {
		return label{}, errors.New("no name of an argument")
	}
	if f.Max < 1 || f.Max > maxEntered {
		return label{}, fmt.Errorf("at most %d characters, must be 1 to %d", f.Max, maxEntered)
	}
	for _, part := range []struct {
		what, text  string
		least, most int
	}{{"a label", f.Label, 1, maxFieldLabel}, {"a help", f.Help, 0, maxHelp}, {"a value", f.Value, 0, f.Max}} {
		if err := fits(part.text, part.least, part.most); err != nil {
			return label{}, fmt.Errorf("%s of %w", part.what, err)
		}
	}
	style := styleShort
	if f.Long {
		style = styleLong
	}
	return label{Type: componentLabel, Label: f.Label, Component: input{
		Type: componentInput, CustomID: f.Name, Style: style, Placeholder: f.Help, Value: f.Value, Required: f.Required, MaxLength: f.Max,
	}}, nil
}

// fits returns an error for a text that is too long, or blank where it must say
// something. Its words follow on "a text of".
func fits(text string, least, most int) error {
	n := units(text)
	if n > most || least > 0 && strings.TrimSpace(text) == "" {
		return fmt.Errorf("%d characters, must be %d to %d", n, least, most)
	}
	return nil
}

// entered is a component of a form as it comes back: an input with what was
// entered, or what is around inputs, a label or a row.
type entered struct {
	Type       int             `json:"type"`
	CustomID   string          `json:"custom_id"`
	Value      json.RawMessage `json:"value"`
	Component  *entered        `json:"component"`
	Components []entered       `json:"components"`
}

// readFields adds what was entered to arguments. It reports false for what no
// form of ours sends: none or too many fields, one twice or already among the
// arguments, one that is no text or too long. A field without a value is empty.
func readFields(components []entered, args map[string]string) bool {
	fields := 0
	for _, c := range components {
		in := c.Components
		if c.Component != nil {
			in = append(in, *c.Component)
		}
		for _, field := range in {
			_, taken := args[field.CustomID]
			fields++
			if fields > maxFields || taken || field.Type != componentInput || !fieldName.MatchString(field.CustomID) {
				return false
			}
			var text string
			if field.Value != nil && json.Unmarshal(field.Value, &text) != nil || utf8.RuneCountInString(text) > maxEntered {
				return false
			}
			args[field.CustomID] = text
		}
	}
	return fields > 0
}

// form draws the reply's form. It reports false where there is none that can be
// shown: what sent a form cannot be answered by another.
func (a *answerer) form(i interaction, r bot.Reply) (modal, bool) {
	if r.Form == nil || i.Type == discordgo.InteractionModalSubmit {
		return modal{}, false
	}
	m, err := drawForm(*r.Form)
	if err != nil {
		a.log.Error("a form was not shown", "id", i.ID, "command", r.Form.Command, "error", err)
	}
	return m, err == nil
}
