package interaction

import (
	"errors"
	"fmt"
	"strings"

	"fivefold/bot"
)

// modal is how Discord shows a form. Each input is in a label of its own: inputs
// in rows are deprecated since 2025-08. See
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
	Required    bool   `json:"required"` // if omitted, Discord takes it as true
	MaxLength   int    `json:"max_length"`
}

const (
	componentInput = 4
	componentLabel = 18

	styleShort = 1 // one line
)

// Discord's limits for modals, taken in UTF-16 units to be on the safe side.
const (
	maxFields     = 5
	maxTitle      = 45
	maxFieldLabel = 45
	maxHelp       = 100
	maxInput      = 4000
)

// renderModal returns a form as a modal, or an error if Discord would refuse it
// or could not send it back. The error does not quote what is filled in.
func renderModal(f bot.Form) (modal, error) {
	id, err := CustomID(f.Command, f.Args)
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
	taken := map[string]bool{}
	for n, field := range f.Fields {
		d, err := renderField(field)
		if _, isArg := f.Args[field.Name]; err == nil && (isArg || taken[field.Name]) {
			err = errors.New("its name is taken")
		}
		if err != nil {
			return modal{}, fmt.Errorf("field %d, %q: %w", n+1, field.Name, err)
		}
		taken[field.Name] = true
		m.Components = append(m.Components, d)
	}
	return m, nil
}

func renderField(f bot.Field) (label, error) {
	if !fieldName.MatchString(f.Name) {
		return label{}, errors.New("its name cannot be an argument's")
	}
	if f.Max < 1 || f.Max > maxInput {
		return label{}, fmt.Errorf("at most %d characters, must be 1 to %d", f.Max, maxInput)
	}
	for _, part := range []struct {
		what, text  string
		least, most int
	}{{"a label", f.Label, 1, maxFieldLabel}, {"a help", f.Help, 0, maxHelp}, {"a value", f.Value, 0, f.Max}} {
		if err := fits(part.text, part.least, part.most); err != nil {
			return label{}, fmt.Errorf("%s of %w", part.what, err)
		}
	}
	return label{Type: componentLabel, Label: f.Label, Component: input{
		Type: componentInput, CustomID: f.Name, Style: styleShort, Placeholder: f.Help, Value: f.Value, Required: f.Required, MaxLength: f.Max,
	}}, nil
}

// fits returns an error if a text is too long, or blank although it has a minimum
// length. The error reads well after "a text of".
func fits(text string, least, most int) error {
	n := units(text)
	if n > most || least > 0 && strings.TrimSpace(text) == "" {
		return fmt.Errorf("%d characters, must be %d to %d", n, least, most)
	}
	return nil
}
