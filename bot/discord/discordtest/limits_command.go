package discordtest

import (
	"encoding/json"
	"slices"
	"strings"
)

func (k *checker) checkCommand(where string, b *commandBody) {
	switch b.kind() {
	case commandChat:
		k.name(under(where, "name"), b.Name)
		k.length(under(where, "description"), b.Description, 1, maxDescription)
		k.checkOptions(under(where, "options"), b.Options, 0)
	case commandUser, commandMessage:
		k.length(under(where, "name"), strings.TrimSpace(b.Name), 1, maxName)
		if b.Description != "" {
			k.bad(under(where, "description"), "must be empty in a context menu")
		}
		if len(b.Options) > 0 {
			k.bad(under(where, "options"), "there are none in a context menu")
		}
	default:
		k.bad(under(where, "type"), "no command has type %d", b.kind())
	}
	k.localizations(under(where, "name_localizations"), b.NameLocalizations.value, maxName)
	k.localizations(under(where, "description_localizations"), b.DescriptionLocalizations.value, maxDescription)
	if p := strings.Trim(string(b.DefaultMemberPermissions), `"`); p != "" && p != "null" && !isSnowflake(p) {
		k.bad(under(where, "default_member_permissions"), "%s is no set of permissions", p)
	}
	k.distinct(under(where, "contexts"), b.Contexts, 2)
	k.distinct(under(where, "integration_types"), b.IntegrationTypes, 1)
	if n := b.text(); n > maxCommandText {
		k.bad(where, "the command has %d characters, at most %d", n, maxCommandText)
	}
}

// name checks the name of a chat command or an option.
func (k *checker) name(where, name string) {
	if !commandName.MatchString(name) {
		k.bad(where, "%q is not 1 to 32 letters, digits, - _ or '", name)
	} else if strings.ToLower(name) != name {
		k.bad(where, "%q is not in lower case", name)
	}
}

// distinct checks a list of numbers from 0 to most that may be left out but
// not be empty.
func (k *checker) distinct(where string, list opt[[]int], most int) {
	if list.value == nil {
		return
	}
	if len(list.value) == 0 {
		k.bad(where, "empty")
	}
	for i, n := range list.value {
		if n < 0 || n > most {
			k.bad(under(where, i), "%d is none of 0 to %d", n, most)
		}
		if slices.Contains(list.value[:i], n) {
			k.bad(under(where, i), "%d is there twice", n)
		}
	}
}

// checkOptions checks options; depth is 0 in the command, 1 in a subcommand or
// group, 2 in a group's subcommand.
func (k *checker) checkOptions(where string, options []optionBody, depth int) {
	if len(options) > maxOptions {
		k.bad(where, "%d options, at most %d", len(options), maxOptions)
	}
	seen := map[string]bool{}
	optional, nested := false, 0
	for i, o := range options {
		place := under(where, i)
		k.name(under(place, "name"), o.Name)
		k.length(under(place, "description"), o.Description, 1, maxDescription)
		k.localizations(under(place, "name_localizations"), o.NameLocalizations.value, maxName)
		k.localizations(under(place, "description_localizations"), o.DescriptionLocalizations.value, maxDescription)
		if seen[o.Name] {
			k.bad(under(place, "name"), "%q is there twice", o.Name)
		}
		seen[o.Name] = true
		if o.Required && optional {
			k.bad(place, "required options must come before optional ones")
		}
		optional = optional || !o.Required

		switch o.Type {
		case optionSubcommand, optionGroup:
			nested++
			if depth >= 2 || depth == 1 && o.Type == optionGroup {
				k.bad(under(place, "type"), "%d is nested too deep", o.Type)
			}
			next := 2
			if o.Type == optionGroup {
				next = 1
				if len(o.Options) == 0 {
					k.bad(under(place, "options"), "a group needs subcommands")
				}
				for j, sub := range o.Options {
					if sub.Type != optionSubcommand {
						k.bad(under(place, "options", j, "type"), "only subcommands in a group")
					}
				}
			}
			k.checkOptions(under(place, "options"), o.Options, next)
		default:
			k.checkValue(place, &o)
		}
	}
	if nested > 0 && nested < len(options) {
		k.bad(where, "subcommands and other options side by side")
	}
}

// checkValue checks an option that takes a value.
func (k *checker) checkValue(where string, o *optionBody) {
	text := o.Type == optionString
	number := o.Type == optionInteger || o.Type == optionNumber
	if o.Type < 1 || o.Type > 11 {
		k.bad(under(where, "type"), "no option has type %d", o.Type)
	}
	if len(o.Options) > 0 {
		k.bad(under(where, "options"), "only in subcommands and groups")
	}
	if len(o.Choices) > 0 {
		if !text && !number {
			k.bad(under(where, "choices"), "not for type %d", o.Type)
		}
		if o.Autocomplete {
			k.bad(under(where, "choices"), "not together with autocomplete")
		}
		k.choices(under(where, "choices"), o.Choices)
		seen := map[string]bool{}
		for i, c := range o.Choices {
			var s string
			if isText := json.Unmarshal(c.Value, &s) == nil; isText != text {
				k.bad(under(where, "choices", i, "value"), "%s does not fit type %d", c.Value, o.Type)
			}
			if seen[c.Name] {
				k.bad(under(where, "choices", i, "name"), "%q is there twice", c.Name)
			}
			seen[c.Name] = true
		}
	}
	if o.Autocomplete && !text && !number {
		k.bad(under(where, "autocomplete"), "not for type %d", o.Type)
	}
	if !number && (!listless(o.MinValue) || !listless(o.MaxValue)) {
		k.bad(under(where, "min_value"), "not for type %d", o.Type)
	}
	if o.MinLength != nil && (!text || *o.MinLength < 0 || *o.MinLength > 6000) {
		k.bad(under(where, "min_length"), "%d for type %d", *o.MinLength, o.Type)
	}
	if o.MaxLength != nil && (!text || *o.MaxLength < 1 || *o.MaxLength > 6000) {
		k.bad(under(where, "max_length"), "%d for type %d", *o.MaxLength, o.Type)
	}
	if o.MinLength != nil && o.MaxLength != nil && *o.MinLength > *o.MaxLength {
		k.bad(under(where, "min_length"), "more than max_length")
	}
}

// text is how many characters Discord counts in a command: names, descriptions
// and values everywhere in it, of localized ones the longest.
func (b *commandBody) text() int {
	return longest(b.Name, b.NameLocalizations.value) + longest(b.Description, b.DescriptionLocalizations.value) + optionsText(b.Options)
}

func optionsText(options []optionBody) int {
	n := 0
	for _, o := range options {
		n += longest(o.Name, o.NameLocalizations.value) + longest(o.Description, o.DescriptionLocalizations.value)
		for _, c := range o.Choices {
			n += longest(c.Name, c.Localizations.value)
			var s string
			if json.Unmarshal(c.Value, &s) == nil {
				n += len([]rune(s))
			}
		}
		n += optionsText(o.Options)
	}
	return n
}

func longest(text string, localized map[string]string) int {
	n := len([]rune(text))
	for _, l := range localized {
		n = max(n, len([]rune(l)))
	}
	return n
}
