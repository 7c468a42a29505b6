package discordtest

import (
	"slices"
	"strings"
)

// checkCommand checks a chat command; the bot has no others.
func (k *checker) checkCommand(where string, b *commandBody) {
	if b.Type != commandChat {
		k.bad(under(where, "type"), "%d is no chat command", b.Type)
	}
	k.name(under(where, "name"), b.Name)
	k.length(under(where, "description"), b.Description, 1, maxDescription)
	k.checkOptions(under(where, "options"), b.Options, false)
	k.distinct(under(where, "contexts"), b.Contexts, 2)
	k.distinct(under(where, "integration_types"), b.IntegrationTypes, 1)
	if n := len([]rune(b.Name+b.Description)) + optionsText(b.Options); n > maxCommandText {
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
func (k *checker) distinct(where string, list []int, most int) {
	if list == nil {
		return
	}
	if len(list) == 0 {
		k.bad(where, "empty")
	}
	for i, n := range list {
		if n < 0 || n > most {
			k.bad(under(where, i), "%d is none of 0 to %d", n, most)
		}
		if slices.Contains(list[:i], n) {
			k.bad(under(where, i), "%d is there twice", n)
		}
	}
}

// checkOptions checks the options of a command, or of its subcommand.
func (k *checker) checkOptions(where string, options []optionBody, nested bool) {
	if len(options) > maxOptions {
		k.bad(where, "%d options, at most %d", len(options), maxOptions)
	}
	seen := map[string]bool{}
	optional, subcommands := false, 0
	for i, o := range options {
		place := under(where, i)
		k.name(under(place, "name"), o.Name)
		k.length(under(place, "description"), o.Description, 1, maxDescription)
		if seen[o.Name] {
			k.bad(under(place, "name"), "%q is there twice", o.Name)
		}
		seen[o.Name] = true
		if o.Required && optional {
			k.bad(place, "required options must come before optional ones")
		}
		optional = optional || !o.Required
		switch o.Type {
		case optionSubcommand:
			subcommands++
			if nested {
				k.bad(under(place, "type"), "%d is nested too deep", o.Type)
			}
			k.checkOptions(under(place, "options"), o.Options, true)
			continue
		case optionString:
		case optionBoolean, optionUser:
			if len(o.Choices) > 0 || o.Autocomplete {
				k.bad(under(place, "choices"), "not for type %d", o.Type)
			}
		default:
			k.bad(under(place, "type"), "this bot has no option of type %d", o.Type)
		}
		if len(o.Options) > 0 {
			k.bad(under(place, "options"), "only in subcommands")
		}
		if len(o.Choices) > 0 && o.Autocomplete {
			k.bad(under(place, "choices"), "not together with autocomplete")
		}
		k.choices(under(place, "choices"), o.Choices)
		names := map[string]bool{}
		for j, c := range o.Choices {
			if names[c.Name] {
				k.bad(under(place, "choices", j, "name"), "%q is there twice", c.Name)
			}
			names[c.Name] = true
		}
	}
	if subcommands > 0 && subcommands < len(options) {
		k.bad(where, "subcommands and other options side by side")
	}
}

// optionsText is how many characters Discord counts in options: names, descriptions and values
// everywhere in them.
func optionsText(options []optionBody) int {
	n := 0
	for _, o := range options {
		n += len([]rune(o.Name+o.Description)) + optionsText(o.Options)
		for _, c := range o.Choices {
			n += len([]rune(c.Name + c.Value))
		}
	}
	return n
}
