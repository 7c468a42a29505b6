package discordtest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// Discord's limits for commands (2026-08):
// https://docs.discord.com/developers/interactions/application-commands.
const (
	maxCommands    = 100
	maxOptions     = 25
	maxDescription = 100
	maxCommandText = 8000
)

var (
	commandName = regexp.MustCompile(`^[-_a-z0-9]{1,32}$`)
	emojiName   = regexp.MustCompile(`^[A-Za-z0-9_]{2,32}$`)
)

// commandBody is a command or an option of one, as the bot sends it. Other fields are refused.
type commandBody struct {
	Type             int           `json:"type"`
	Name             string        `json:"name"`
	Description      string        `json:"description"`
	Required         bool          `json:"required"`
	Autocomplete     bool          `json:"autocomplete"`
	Choices          []Choice      `json:"choices"`
	Options          []commandBody `json:"options"`
	Contexts         []int         `json:"contexts"`
	IntegrationTypes []int         `json:"integration_types"`
}

// emoji is one of the application's.
type emoji struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Available bool   `json:"available"`
	png       []byte
}

// applicationLocked says what the developer portal has.
func (s *Server) applicationLocked(*incoming) reply {
	installs := object{"0": object{}}
	if !s.options.ServersOnly {
		installs["1"] = object{}
	}
	return ok(object{
		"id": appID, "name": "Fivefold", "bot": botUser, "verify_key": s.PublicKey(), "integration_types_config": installs,
		"interactions_endpoint_url": s.endpoint,
	})
}

// guildsLocked lists the servers that the bot is in.
func (s *Server) guildsLocked(*incoming) reply {
	list := []object{}
	for _, id := range slices.SortedFunc(maps.Keys(s.guilds), byAge) {
		list = append(list, object{"id": id, "name": "Guild " + id})
	}
	return ok(list)
}

// commandsLocked lists the commands of a server, or the global ones, or replaces all of them.
func (s *Server) commandsLocked(c *incoming) reply {
	guild := c.PathValue("guild")
	switch {
	case guild != "" && s.guilds[guild] == nil:
		return apiError(http.StatusForbidden, 50001, "Missing Access")
	case c.Method == http.MethodGet:
		return ok(append([]object{}, s.commands[guild]...))
	}
	var commands []commandBody
	var all []object
	var k checker
	d := json.NewDecoder(bytes.NewReader(c.body))
	d.DisallowUnknownFields()
	if err := d.Decode(&commands); err != nil {
		k.bad("%v", err)
		return s.badFormLocked(c, &k)
	}
	k.read(c.body, &all)
	k.count("commands", len(commands), 0, maxCommands)
	k.checkNames(commands)
	for i, b := range commands {
		k.count("characters of a command", k.checkOptions(b), 1, maxCommandText)
		if b.Type != 1 {
			k.bad("type: %d is no chat command", b.Type)
		}
		if s.options.ServersOnly && slices.Contains(b.IntegrationTypes, 1) {
			k.bad("users cannot install this application")
		}
		o := all[i]
		o["id"], o["version"], o["application_id"] = s.ids.next(), "1", appID
		if old := commandIn(s.commands[guild], b.Name); old != nil {
			o["id"] = old["id"]
		}
	}
	if len(k.problems) > 0 {
		return s.badFormLocked(c, &k)
	}
	s.commands[guild] = all
	s.registrations++
	return ok(append([]object{}, all...))
}

// checkNames checks the names and descriptions of commands, or of the options of one.
func (k *checker) checkNames(list []commandBody) {
	var names []string
	for _, b := range list {
		if !commandName.MatchString(b.Name) {
			k.bad("name: %q", b.Name)
		}
		k.length("description", b.Description, 1, maxDescription)
		names = append(names, b.Name)
	}
	k.unique("name", names)
}

// checkOptions checks the options of a command or of an option. It returns how many characters Discord counts in it:
// names, descriptions and values.
func (k *checker) checkOptions(b commandBody) (text int) {
	text = len([]rune(b.Name + b.Description))
	k.count("options", len(b.Options), 0, maxOptions)
	k.checkNames(b.Options)
	if len(b.Choices) > 0 && b.Autocomplete {
		k.bad("choices: not together with autocomplete")
	}
	k.checkChoices(b.Choices)
	for _, c := range b.Choices {
		text += len([]rune(c.Name + c.Value))
	}
	optional := false
	for _, o := range b.Options {
		if o.Required && optional {
			k.bad("required options must come before optional ones")
		}
		optional = optional || !o.Required
		text += k.checkOptions(o)
	}
	return text
}

// commandIn returns the command with a name, or nil.
func commandIn(list []object, name string) object {
	if n := slices.IndexFunc(list, func(o object) bool { return o["name"] == name }); n >= 0 {
		return list[n]
	}
	return nil
}

// commandIDLocked is the id of the registered command that an interaction names, or a made-up one.
func (s *Server) commandIDLocked(i Interaction) string {
	name, _, _ := strings.Cut(i.Command, " ")
	for _, guild := range []string{i.Guild, ""} {
		if o := commandIn(s.commands[guild], name); o != nil {
			return o["id"].(string)
		}
	}
	return "1500000000000000001"
}

// Commands returns what is registered for a server ("" is global), as Discord does; null if nothing was registered
// there yet.
func (s *Server) Commands(guildID string) json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return mustJSON(s.commands[guildID])
}

// Registrations returns how often commands have been replaced.
func (s *Server) Registrations() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.registrations
}

// emojisLocked lists the application's emojis, adds one or deletes one.
func (s *Server) emojisLocked(c *incoming) reply {
	switch c.Method {
	case http.MethodPost:
		return s.addEmojiLocked(c)
	case http.MethodDelete:
		n := slices.IndexFunc(s.emojis, func(e *emoji) bool { return e.ID == c.PathValue("emoji") })
		if n < 0 {
			return s.refusedLocked(c, http.StatusNotFound, 10014, "Unknown Emoji")
		}
		s.emojis = slices.Delete(s.emojis, n, n+1)
		return reply{status: http.StatusNoContent}
	}
	return ok(object{"items": slices.Clone(s.emojis)})
}

func (s *Server) addEmojiLocked(c *incoming) reply {
	var b struct {
		Name  string `json:"name"`
		Image string `json:"image"`
	}
	var k checker
	k.read(c.body, &b)
	if !emojiName.MatchString(b.Name) || slices.ContainsFunc(s.emojis, func(e *emoji) bool { return e.Name == b.Name }) {
		k.bad("name: %q is taken, or not 2 to 32 letters, digits or underscores", b.Name)
	}
	text, isPNG := strings.CutPrefix(b.Image, "data:image/png;base64,") // Discord takes other formats too; we send PNGs
	picture, err := base64.StdEncoding.DecodeString(text)
	if _, broken := png.DecodeConfig(bytes.NewReader(picture)); !isPNG || err != nil || broken != nil {
		k.bad("image: no data URI of a PNG: %.40q", b.Image)
	}
	if len(k.problems) > 0 {
		return s.badFormLocked(c, &k)
	}
	e := &emoji{s.ids.next(), b.Name, true, picture}
	s.emojis = append(s.emojis, e)
	return reply{status: http.StatusCreated, body: e}
}

// Emoji returns the PNG of the application's emoji with that name; nil if there is none.
func (s *Server) Emoji(name string) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := slices.IndexFunc(s.emojis, func(e *emoji) bool { return e.Name == name }); n >= 0 {
		return s.emojis[n].png
	}
	return nil
}
