package discordtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// The kinds of commands, and Discord's limits for them (2026-08):
// https://docs.discord.com/developers/interactions/application-commands.
const (
	commandChat    = 1
	commandUser    = 2
	commandMessage = 3

	optionSubcommand = 1
	optionGroup      = 2
	optionString     = 3
	optionInteger    = 4
	optionNumber     = 10

	maxChatCommands = 100
	maxMenuCommands = 15 // of each kind, in the context menus
	maxCommandText  = 8000
	maxName         = 32
	maxDescription  = 100
)

// commandName is the pattern that Discord documents for chat commands and options.
// Letters that have a lower case must also be in it.
var commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

// command is a registered command.
type command struct {
	id, version string
	commandBody
}

// commandBody is a command as a bot sends it.
type commandBody struct {
	Type                     opt[int]               `json:"type"`
	Name                     string                 `json:"name"`
	NameLocalizations        opt[map[string]string] `json:"name_localizations"`
	Description              string                 `json:"description"`
	DescriptionLocalizations opt[map[string]string] `json:"description_localizations"`
	Options                  []optionBody           `json:"options"`
	DefaultMemberPermissions json.RawMessage        `json:"default_member_permissions"`
	DMPermission             opt[bool]              `json:"dm_permission"`
	Contexts                 opt[[]int]             `json:"contexts"`
	IntegrationTypes         opt[[]int]             `json:"integration_types"`
	NSFW                     bool                   `json:"nsfw"`
}

type optionBody struct {
	Type                     int                    `json:"type"`
	Name                     string                 `json:"name"`
	NameLocalizations        opt[map[string]string] `json:"name_localizations"`
	Description              string                 `json:"description"`
	DescriptionLocalizations opt[map[string]string] `json:"description_localizations"`
	Required                 bool                   `json:"required"`
	Autocomplete             bool                   `json:"autocomplete"`
	Choices                  []choice               `json:"choices"`
	Options                  []optionBody           `json:"options"`
	ChannelTypes             []int                  `json:"channel_types"`
	MinValue                 json.RawMessage        `json:"min_value"`
	MaxValue                 json.RawMessage        `json:"max_value"`
	MinLength                *int                   `json:"min_length"`
	MaxLength                *int                   `json:"max_length"`
}

func (b *commandBody) kind() int {
	if b.Type.value == 0 {
		return commandChat
	}
	return b.Type.value
}

// commandsLocked lists or overwrites the commands of a guild, or the global
// ones.
func (s *Server) commandsLocked(c *incoming, app, guild string) reply {
	if app != s.appID {
		return s.refusedLocked(c, http.StatusForbidden, 20012, "You are not authorized to perform this action on this application")
	}
	switch c.method {
	case http.MethodGet:
		all := slices.Contains(c.query["with_localizations"], "true")
		return reply{status: http.StatusOK, body: s.commandListLocked(guild, all)}
	case http.MethodPut:
		return s.overwriteLocked(c, guild)
	}
	return s.unknownLocked(c)
}

func (s *Server) commandListLocked(guild string, localizations bool) []object {
	list := []object{}
	for _, cmd := range s.commands[guild] {
		list = append(list, cmd.object(s.appID, guild, localizations))
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
	count := map[int]int{}
	seen := map[string]bool{}
	for i, raw := range bodies {
		var b commandBody
		if p := decode(fmt.Sprint(i), raw, &b); p != nil {
			k.problems = append(k.problems, p...)
			continue
		}
		one := checker{}
		one.checkCommand("", &b)
		if s.only && slices.Contains(b.IntegrationTypes.value, 1) {
			one.bad("integration_types", "users cannot install this application")
		}
		one.against(s.openAPI, "ApplicationCommandUpdateRequest", raw)
		for _, p := range one.problems {
			k.bad(under(i, p.where), "%s", p.what)
		}
		count[b.kind()]++
		if key := fmt.Sprint(b.kind(), b.Name); seen[key] {
			k.bad(under(i, "name"), "%q is there twice", b.Name)
		} else {
			seen[key] = true
		}
		list = append(list, command{commandBody: b})
	}
	for kind, n := range count {
		if kind == commandChat && n > maxChatCommands || kind != commandChat && n > maxMenuCommands {
			k.bad("", "%d commands of type %d", n, kind)
		}
	}
	if len(k.problems) > 0 {
		return s.badFormLocked(c, k.problems)
	}
	s.keepIDsLocked(guild, list)
	s.commands[guild] = list
	s.puts++
	return reply{status: http.StatusOK, body: s.commandListLocked(guild, true)}
}

// keepIDsLocked gives a command the id it had under the same name, and its
// version too where nothing has changed.
func (s *Server) keepIDsLocked(guild string, list []command) {
	for i := range list {
		cmd := &list[i]
		cmd.id, cmd.version = s.ids.next(), s.ids.next()
		for _, old := range s.commands[guild] {
			if old.Name != cmd.Name || old.kind() != cmd.kind() {
				continue
			}
			cmd.id = old.id
			same := *cmd
			same.version = old.version
			if string(mustJSON(same.object(s.appID, guild, true))) == string(mustJSON(old.object(s.appID, guild, true))) {
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
// it, localizations included; null if nothing was registered there yet.
func (s *Server) Commands(guildID string) json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.commands[guildID]; !ok {
		return json.RawMessage("null")
	}
	return mustJSON(s.commandListLocked(guildID, true))
}

// Registrations is how many bulk overwrites have been accepted.
func (s *Server) Registrations() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.puts
}

// object is the command as Discord returns it: with what the bot left out
// filled in, and without what is false or empty in options.
func (cmd *command) object(app, guild string, localizations bool) object {
	o := object{
		"id": cmd.id, "application_id": app, "version": cmd.version, "type": cmd.kind(),
		"name": cmd.Name, "description": cmd.Description, "default_member_permissions": nil, "nsfw": cmd.NSFW,
	}
	if p := strings.Trim(string(cmd.DefaultMemberPermissions), `"`); p != "" && p != "null" {
		o["default_member_permissions"] = p
	}
	if guild != "" {
		o["guild_id"] = guild
	} else {
		o["contexts"], o["dm_permission"] = nil, true
		if cmd.DMPermission.set {
			o["dm_permission"] = cmd.DMPermission.value
		}
		if cmd.Contexts.value != nil {
			o["contexts"] = cmd.Contexts.value
			o["dm_permission"] = slices.Contains(cmd.Contexts.value, 1)
		}
		o["integration_types"] = []int{0}
		if cmd.IntegrationTypes.value != nil {
			o["integration_types"] = cmd.IntegrationTypes.value
		}
	}
	if localizations {
		o["name_localizations"] = cmd.NameLocalizations.value
		o["description_localizations"] = cmd.DescriptionLocalizations.value
	}
	if len(cmd.Options) > 0 {
		o["options"] = optionObjects(cmd.Options, localizations)
	}
	return o
}

func optionObjects(options []optionBody, localizations bool) []object {
	list := []object{}
	for _, opt := range options {
		o := object{"type": opt.Type, "name": opt.Name, "description": opt.Description}
		if localizations {
			o["name_localizations"] = opt.NameLocalizations.value
			o["description_localizations"] = opt.DescriptionLocalizations.value
		}
		if opt.Required {
			o["required"] = true
		}
		if opt.Autocomplete {
			o["autocomplete"] = true
		}
		if len(opt.Choices) > 0 {
			choices := []object{}
			for _, c := range opt.Choices {
				one := object{"name": c.Name, "value": c.Value}
				if localizations {
					one["name_localizations"] = c.Localizations.value
				}
				choices = append(choices, one)
			}
			o["choices"] = choices
		}
		if len(opt.Options) > 0 {
			o["options"] = optionObjects(opt.Options, localizations)
		}
		if len(opt.ChannelTypes) > 0 {
			o["channel_types"] = opt.ChannelTypes
		}
		for key, v := range map[string]json.RawMessage{"min_value": opt.MinValue, "max_value": opt.MaxValue} {
			if !listless(v) {
				o[key] = v
			}
		}
		for key, v := range map[string]*int{"min_length": opt.MinLength, "max_length": opt.MaxLength} {
			if v != nil {
				o[key] = *v
			}
		}
		list = append(list, o)
	}
	return list
}
