package discordtest

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// commandBody is a command or an option of one, as the bot sends it. Other fields are refused.
type commandBody struct {
	Type             int           `json:"type"`
	Name             string        `json:"name" limit:"1-32"`
	Description      string        `json:"description" limit:"0-100"`
	Required         bool          `json:"required"`
	Autocomplete     bool          `json:"autocomplete"`
	Choices          []Choice      `json:"choices" limit:"0-25"`
	Options          []commandBody `json:"options" limit:"0-25"`
	Contexts         []int         `json:"contexts"`
	IntegrationTypes []int         `json:"integration_types"`
}

// emoji is one of the application's emojis.
type emoji struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Available bool   `json:"available"`
	png       []byte
}

// application is what the developer portal knows.
type application struct {
	*places
	endpoint      string // see SetEndpoint
	key           ed25519.PublicKey
	commands      map[string][]object // by server id; "" is global
	registrations int
	emojis        []*emoji // oldest first
}

// PublicKey is the application's public key, as the developer portal shows it.
func (a *application) PublicKey() string { return hex.EncodeToString(a.key) }

// applicationLocked answers with the application as the developer portal has it.
func (a *application) applicationLocked(*incoming) reply {
	installs := object{"0": object{}}
	if !a.options.ServersOnly {
		installs["1"] = object{}
	}
	return ok(object{
		"id": appID, "name": "Fivefold", "bot": botUser, "verify_key": a.PublicKey(), "integration_types_config": installs,
		"interactions_endpoint_url": a.endpoint,
	})
}

// commandsLocked lists the commands of a server, or the global ones, or replaces all of them.
func (a *application) commandsLocked(c *incoming) reply {
	guild := c.PathValue("guild")
	switch {
	case guild != "" && a.guilds[guild] == nil:
		return apiError(http.StatusForbidden, 50001, "Missing Access")
	case c.Method == http.MethodGet:
		return ok(append([]object{}, a.commands[guild]...))
	}
	var commands []commandBody
	var all []object
	var k checker
	d := json.NewDecoder(bytes.NewReader(c.body))
	d.DisallowUnknownFields()
	if err := d.Decode(&commands); err != nil {
		k.bad("%v", err)
		a.checkLocked(c, &k)
	}
	k.limits(reflect.ValueOf(commands))
	k.checkCommands(commands)
	k.read(c.body, &all)
	for i, b := range commands {
		if a.options.ServersOnly && slices.Contains(b.IntegrationTypes, 1) {
			k.bad("users cannot install this application")
		}
		o := all[i]
		o["id"], o["version"], o["application_id"] = a.newIDLocked(), "1", appID
		if old := commandIn(a.commands[guild], b.Name); old != nil {
			o["id"] = old["id"]
		}
	}
	a.checkLocked(c, &k)
	a.commands[guild] = all
	a.registrations++
	return ok(append([]object{}, all...))
}

// commandOnMessage is the type of commands that are used on a message.
const commandOnMessage = 3

// typedName is what commands are called that are typed, and options. A command on a message can have capitals and spaces.
var typedName = regexp.MustCompile(`^[-_\p{Ll}\p{N}]*$`)

// checkCommands checks commands, each with its options.
func (k *checker) checkCommands(list []commandBody) {
	for _, b := range list {
		if b.Type == commandOnMessage {
			k.size("description and options of a command on a message", len(b.Description)+len(b.Options), 0, 0)
		} else {
			k.checkTyped(b)
		}
		k.size("characters of a command", b.characters(), 0, 8000)
	}
}

// checkTyped checks a command or an option, with its own options.
func (k *checker) checkTyped(b commandBody) {
	k.size("description", len(b.Description), 1, 400)
	if !typedName.MatchString(b.Name) {
		k.bad("name: %q", b.Name)
	}
	optional := false
	for _, o := range b.Options {
		if o.Required && optional {
			k.bad("required options must come before optional ones")
		}
		optional = !o.Required
		k.checkTyped(o)
	}
}

// characters counts what Discord adds up for a command: names, descriptions and the values of choices.
func (b commandBody) characters() int {
	n := utf8.RuneCountInString(b.Name + b.Description)
	for _, c := range b.Choices {
		n += utf8.RuneCountInString(c.Name + c.Value)
	}
	for _, o := range b.Options {
		n += o.characters()
	}
	return n
}

// commandIn returns the command with a name, or nil.
func commandIn(list []object, name string) object {
	if n := slices.IndexFunc(list, func(o object) bool { return o["name"] == name }); n >= 0 {
		return list[n]
	}
	return nil
}

// commandIDLocked is the id of the command that is registered in a server or everywhere, or a made-up one.
func (a *application) commandIDLocked(guild, name string) string {
	for _, guild := range []string{guild, ""} {
		if o := commandIn(a.commands[guild], name); o != nil {
			return o["id"].(string)
		}
	}
	return "1500000000000000001"
}

// Commands returns the commands of a server, or the global ones for "", as Discord does; null if none were registered.
func (a *application) Commands(guildID string) json.RawMessage {
	a.mu.Lock()
	defer a.mu.Unlock()
	return mustJSON(a.commands[guildID])
}

// Registrations returns how often commands have been replaced.
func (a *application) Registrations() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.registrations
}

// emojisLocked lists the application's emojis, or deletes one.
func (a *application) emojisLocked(c *incoming) reply {
	if c.Method == http.MethodDelete {
		a.emojis = slices.DeleteFunc(a.emojis, func(e *emoji) bool { return e.ID == c.PathValue("emoji") })
		return reply{status: http.StatusNoContent}
	}
	return ok(object{"items": slices.Clone(a.emojis)})
}

func (a *application) addEmojiLocked(c *incoming) reply {
	var b struct {
		Name  string `json:"name" limit:"2-32"`
		Image string `json:"image"`
	}
	var k checker
	k.read(c.body, &b)
	if slices.ContainsFunc(a.emojis, func(e *emoji) bool { return e.Name == b.Name }) {
		k.bad("name: %q is taken", b.Name)
	}
	text, isPNG := strings.CutPrefix(b.Image, "data:image/png;base64,") // Discord takes other formats too; we send PNGs
	picture, err := base64.StdEncoding.DecodeString(text)
	if !isPNG || err != nil {
		k.bad("image: no data URI of a PNG: %.40q", b.Image)
	}
	a.checkLocked(c, &k)
	e := &emoji{a.newIDLocked(), b.Name, true, picture}
	a.emojis = append(a.emojis, e)
	return reply{status: http.StatusCreated, body: e}
}

// Emoji returns the PNG of the application's emoji with that name; nil if there is none.
func (a *application) Emoji(name string) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := slices.IndexFunc(a.emojis, func(e *emoji) bool { return e.Name == name }); n >= 0 {
		return a.emojis[n].png
	}
	return nil
}
