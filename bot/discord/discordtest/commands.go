package discordtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	Choices      []Choice     `json:"choices"`
	Options      []optionBody `json:"options"`
}

// inGuild refuses calls about the commands of a guild that the bot is not in.
func (s *Server) inGuild(do handler) handler {
	return func(c *incoming) reply {
		if guild := c.PathValue("guild"); guild != "" && s.guildsByID[guild] == nil {
			return apiError(http.StatusForbidden, 50001, "Missing Access")
		}
		return do(c)
	}
}

// guildsLocked lists the guilds that the bot is in.
func (s *Server) guildsLocked(*incoming) reply {
	list := []object{}
	for _, id := range slices.SortedFunc(maps.Keys(s.guildsByID), byAge) {
		list = append(list, object{"id": id, "name": "Guild " + id})
	}
	return ok(list)
}

// commandsLocked lists the commands of a guild, or the global ones.
func (s *Server) commandsLocked(c *incoming) reply {
	return ok(append([]object{}, s.commands[c.PathValue("guild")]...))
}

// overwriteLocked is the bulk overwrite: all commands at once or none.
func (s *Server) overwriteLocked(c *incoming) reply {
	guild := c.PathValue("guild")
	var bodies []json.RawMessage
	var k checker
	k.read("", c.body, &bodies)
	k.atMost("", len(bodies), maxCommands)
	list := []object{}
	for i, raw := range bodies {
		var b commandBody
		var all object
		place := fmt.Sprint(i)
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := errors.Join(d.Decode(&b), json.Unmarshal(raw, &all)); err != nil {
			k.bad(place, "%v", err)
			continue
		}
		if n := k.checkOptions(under(i, "options"), b.Options) + len([]rune(b.Name+b.Description)); n > maxCommandText {
			k.bad(place, "the command has %d characters, at most %d", n, maxCommandText)
		}
		if b.Type != 1 || b.Description == "" {
			k.bad(place, "no chat command with a description")
		}
		if s.options.ServersOnly && slices.Contains(b.IntegrationTypes, 1) {
			k.bad(place, "users cannot install this application")
		}
		if commandIn(list, b.Name) != nil {
			k.bad(under(i, "name"), "%q is there twice", b.Name)
		}
		k.against(s.openAPI, "ApplicationCommandUpdateRequest", raw)
		list = append(list, s.registeredLocked(guild, all))
	}
	if len(k.problems) > 0 {
		return s.badFormLocked(c, &k)
	}
	s.commands[guild] = list
	s.puts++
	return ok(list)
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

// registeredLocked is a command as Discord returns it. It has the id of the one that had its name before.
func (s *Server) registeredLocked(guild string, o object) object {
	o["id"], o["version"], o["application_id"] = s.ids.next(), "1", appID
	if old := commandIn(s.commands[guild], o["name"]); old != nil {
		o["id"] = old["id"]
	}
	return o
}

// commandIn returns the command with a name, or nil.
func commandIn(list []object, name any) object {
	if n := slices.IndexFunc(list, func(o object) bool { return o["name"] == name }); n >= 0 {
		return list[n]
	}
	return nil
}

// commandIDLocked is the id of the registered command that an interaction
// names, or a made-up one.
func (s *Server) commandIDLocked(i Interaction) string {
	name, _, _ := strings.Cut(i.Command, " ")
	for _, guild := range []string{i.Guild, ""} {
		if o := commandIn(s.commands[guild], name); o != nil {
			return o["id"].(string)
		}
	}
	return "1500000000000000001"
}

// Commands is what is registered for a guild ("" is global) as Discord returns
// it; null if nothing was registered there yet.
func (s *Server) Commands(guildID string) json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return mustJSON(s.commands[guildID])
}

// Registrations is how many bulk overwrites have been accepted.
func (s *Server) Registrations() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.puts
}
