package discordtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Discord's limits for commands (2026-08):
// https://docs.discord.com/developers/interactions/application-commands.
const (
	maxCommands    = 100
	maxCommandText = 8000
)

// command is a registered command.
type command struct {
	id, version string
	commandBody
}

// commandBody is a command as the bot sends it. Other fields are refused.
type commandBody struct {
	Type             int          `json:"type"`
	Name             string       `json:"name"`
	Description      string       `json:"description"`
	Options          []optionBody `json:"options"`
	Contexts         []int        `json:"contexts"`
	IntegrationTypes []int        `json:"integration_types"`
}

type optionBody struct {
	Type         int          `json:"type"`
	Name         string       `json:"name"`
	Description  string       `json:"description"`
	Required     bool         `json:"required"`
	Autocomplete bool         `json:"autocomplete"`
	Choices      []choice     `json:"choices"`
	Options      []optionBody `json:"options"`
}

// commandsLocked lists or overwrites the commands of a guild, or the global
// ones.
func (s *Server) commandsLocked(c *incoming, guild string) reply {
	switch c.method {
	case http.MethodGet:
		return reply{status: http.StatusOK, body: s.commandListLocked(guild)}
	case http.MethodPut:
		return s.overwriteLocked(c, guild)
	}
	return s.unknownLocked(c)
}

func (s *Server) commandListLocked(guild string) []object {
	list := []object{}
	for _, cmd := range s.commands[guild] {
		list = append(list, cmd.object(guild))
	}
	return list
}

// overwriteLocked is the bulk overwrite: all commands at once or none.
func (s *Server) overwriteLocked(c *incoming, guild string) reply {
	var bodies []json.RawMessage
	if p := decode("", c.body, &bodies); p != nil {
		return s.badFormLocked(c, p)
	}
	var k checker
	var list []command
	k.atMost("", len(bodies), maxCommands)
	seen := map[string]bool{}
	for i, raw := range bodies {
		var b commandBody
		if p := decodeAll(fmt.Sprint(i), raw, &b); p != nil {
			k.problems = append(k.problems, p...)
			continue
		}
		one := checker{}
		if n := one.checkOptions("options", b.Options) + len([]rune(b.Name+b.Description)); n > maxCommandText {
			one.bad("", "the command has %d characters, at most %d", n, maxCommandText)
		}
		if b.Type != 1 || b.Description == "" {
			one.bad("", "no chat command with a description")
		}
		if s.options.ServersOnly && slices.Contains(b.IntegrationTypes, 1) {
			one.bad("integration_types", "users cannot install this application")
		}
		one.against(s.openAPI, "ApplicationCommandUpdateRequest", raw)
		for _, p := range one.problems {
			k.bad(under(i, p.where), "%s", p.what)
		}
		if seen[b.Name] {
			k.bad(under(i, "name"), "%q is there twice", b.Name)
		}
		seen[b.Name] = true
		list = append(list, command{commandBody: b})
	}
	if len(k.problems) > 0 {
		return s.badFormLocked(c, k.problems)
	}
	s.keepIDsLocked(guild, list)
	s.commands[guild] = list
	s.puts++
	return reply{status: http.StatusOK, body: s.commandListLocked(guild)}
}

// checkOptions checks what Discord's description of its API does not say of options. It returns how many
// characters Discord counts in them: names, descriptions and values everywhere.
func (k *checker) checkOptions(where string, options []optionBody) int {
	text := 0
	seen := map[string]bool{}
	optional := false
	for i, o := range options {
		place := under(where, i)
		if seen[o.Name] {
			k.bad(under(place, "name"), "%q is there twice", o.Name)
		}
		seen[o.Name] = true
		if o.Required && optional {
			k.bad(place, "required options must come before optional ones")
		}
		optional = optional || !o.Required
		if len(o.Choices) > 0 && o.Autocomplete {
			k.bad(under(place, "choices"), "not together with autocomplete")
		}
		k.choices(under(place, "choices"), o.Choices)
		text += len([]rune(o.Name+o.Description)) + k.checkOptions(under(place, "options"), o.Options)
		for _, c := range o.Choices {
			text += len([]rune(c.Name + c.Value))
		}
	}
	return text
}

// keepIDsLocked gives a command the id it had under the same name, and its
// version too where nothing has changed.
func (s *Server) keepIDsLocked(guild string, list []command) {
	for i := range list {
		cmd := &list[i]
		cmd.id, cmd.version = s.ids.next(), s.ids.next()
		for _, old := range s.commands[guild] {
			if old.Name != cmd.Name {
				continue
			}
			cmd.id = old.id
			same := *cmd
			same.version = old.version
			if string(mustJSON(same.object(guild))) == string(mustJSON(old.object(guild))) {
				cmd.version = old.version
			}
		}
	}
}

// commandIDLocked is the id of the registered command that an interaction
// names, or a made-up one.
func (s *Server) commandIDLocked(i Interaction) string {
	name, _, _ := strings.Cut(i.Command, " ")
	for _, guild := range []string{i.Guild, ""} {
		for _, cmd := range s.commands[guild] {
			if cmd.Name == name || cmd.Name == i.Command {
				return cmd.id
			}
		}
	}
	return "1500000000000000001"
}

// Commands is what is registered for a guild ("" is global) as Discord returns
// it; null if nothing was registered there yet.
func (s *Server) Commands(guildID string) json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.commands[guildID]; !ok {
		return json.RawMessage("null")
	}
	return mustJSON(s.commandListLocked(guildID))
}

// Registrations is how many bulk overwrites have been accepted.
func (s *Server) Registrations() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.puts
}

// object is the command as Discord returns it: with what the bot left out
// filled in, and without what is false or empty in options.
func (cmd *command) object(guild string) object {
	o := object{
		"id": cmd.id, "application_id": appID, "version": cmd.version, "type": cmd.Type, "name": cmd.Name, "description": cmd.Description,
		"default_member_permissions": nil, "nsfw": false, "name_localizations": nil, "description_localizations": nil,
	}
	if guild != "" {
		o["guild_id"] = guild
	} else {
		o["contexts"], o["dm_permission"], o["integration_types"] = nil, true, []int{0}
		if cmd.Contexts != nil {
			o["contexts"], o["dm_permission"] = cmd.Contexts, slices.Contains(cmd.Contexts, 1)
		}
		if cmd.IntegrationTypes != nil {
			o["integration_types"] = cmd.IntegrationTypes
		}
	}
	if len(cmd.Options) > 0 {
		o["options"] = optionObjects(cmd.Options)
	}
	return o
}

func optionObjects(options []optionBody) []object {
	list := []object{}
	for _, opt := range options {
		o := object{"type": opt.Type, "name": opt.Name, "description": opt.Description, "name_localizations": nil, "description_localizations": nil}
		if opt.Required {
			o["required"] = true
		}
		if opt.Autocomplete {
			o["autocomplete"] = true
		}
		if len(opt.Choices) > 0 {
			choices := []object{}
			for _, c := range opt.Choices {
				choices = append(choices, object{"name": c.Name, "value": c.Value, "name_localizations": nil})
			}
			o["choices"] = choices
		}
		if len(opt.Options) > 0 {
			o["options"] = optionObjects(opt.Options)
		}
		list = append(list, o)
	}
	return list
}
