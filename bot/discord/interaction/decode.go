// Package interaction turns Discord's interactions into requests, and replies into what Discord shows:
//
//	decode.go    the raw event becomes an interaction
//	request.go   the interaction becomes a bot.Request
//	render.go    the bot.Reply becomes a message
//	deliver.go   the message is sent, or a modal: as first response, edit or follow-up
package interaction

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/endpoint"
	"fivefold/game"
)

// Interaction has the fields of Discord's interaction that we use. It replaces discordgo's type: for unknown types of
// components and options, discordgo has a nil Data, and its accessors panic.
//
// See discord.com/developers/docs/interactions/receiving-and-responding.
type Interaction struct {
	ID        string                    `json:"id"`
	AppID     string                    `json:"application_id"`
	Type      discordgo.InteractionType `json:"type"`
	Token     string                    `json:"token"`
	GuildID   string                    `json:"guild_id"`
	ChannelID string                    `json:"channel_id"`
	Channel   struct {
		ID            string                `json:"id"`
		Type          discordgo.ChannelType `json:"type"`
		LastMessageID string                `json:"last_message_id"`
		ParentID      string                `json:"parent_id"` // of a thread
	} `json:"channel"`
	Context        *discordgo.InteractionContextType `json:"context"`
	AppPermissions string                            `json:"app_permissions"` // of the bot in the channel, a number
	Owners         struct {
		Server string `json:"0"` // the server that has installed the bot
		User   string `json:"1"` // the user who has installed it
	} `json:"authorizing_integration_owners"`
	Member *struct { // in a server
		User        user     `json:"user"`
		Nick        string   `json:"nick"`
		Permissions string   `json:"permissions"` // in the channel, a number
		Roles       []string `json:"roles"`       // their ids, without the role of everyone
	} `json:"member"`
	User *user `json:"user"` // in direct messages
	Data struct {
		Type    discordgo.ApplicationCommandType `json:"type"`
		Name    string                           `json:"name"`
		Options []option                         `json:"options"`
		// Resolved has the users that options name.
		Resolved struct {
			Users   map[string]user `json:"users"`
			Members map[string]struct {
				Nick string `json:"nick"`
			} `json:"members"` // in a server
			// Messages come with their content, without the intent for that: see
			// discord.com/developers/docs/interactions/application-commands#message-commands.
			Messages map[string]struct {
				Content    string            `json:"content"`
				Components []json.RawMessage `json:"components"`
				Author     user              `json:"author"`
				Mentions   []user            `json:"mentions"`
			} `json:"messages"`
		} `json:"resolved"`
		TargetID string `json:"target_id"` // the message that a command is used on
		// Of a message component or a modal:
		CustomID string `json:"custom_id"`
		// Of a message component:
		ComponentType discordgo.ComponentType `json:"component_type"`
		Values        []string                `json:"values"` // that were chosen in a menu
		// Of a modal:
		Components []submitted `json:"components"`
	} `json:"data"`
	// Message is the message whose component was used, or opened the modal; its ID is empty if there is none.
	Message struct {
		ID         string            `json:"id"`
		Flags      int               `json:"flags"`
		Components []json.RawMessage `json:"components"`
	} `json:"message"`

	Received time.Time          `json:"-"` // when it arrived here
	Made     time.Time          `json:"-"` // when the player made it, by Discord's clock
	asked    time.Time          // the same by our clock; zero if that is not known
	Expires  time.Time          `json:"-"` // when it is too late to carry it out; zero for never
	Exchange *endpoint.Exchange `json:"-"` // of the HTTP request that brought it; nil if it came over the gateway
}

type user struct {
	ID         string `json:"id"`
	Username   string `json:"username"`
	GlobalName string `json:"global_name"`
}

// File returns the file that the message of the used component shows; the zero File if it shows none.
func (i Interaction) File() (found File) {
	for _, p := range parts(i.Message.Components) {
		for _, m := range p.Items {
			if u, err := url.Parse(m.Media.URL); err == nil {
				found = File{ID: m.Media.AttachmentID, Name: path.Base(u.Path), Description: m.Description}
			}
		}
	}
	return found
}

// SetAge records how old the interaction was when it arrived, and how old it may be when it is carried out.
func (i *Interaction) SetAge(age, most time.Duration) {
	i.asked = i.Received.Add(-age)
	i.Expires = i.asked.Add(most)
}

// Age returns how long ago the player made the interaction, 0 if that is not known.
func (i Interaction) Age() time.Duration {
	if i.asked.IsZero() {
		return 0
	}
	return time.Since(i.asked)
}

// names returns the player's name where the interaction was made, and the one outside all servers.
func (i Interaction) names() (here, global string) {
	u := i.user()
	global = cmp.Or(u.GlobalName, u.Username)
	if i.Member != nil {
		return cmp.Or(i.Member.Nick, global), global
	}
	return global, global
}

// others returns the names of the users that options name.
func (i Interaction) others() (names game.Names) {
	for id, u := range i.Data.Resolved.Users {
		names = names.With(game.PlayerID(id), bot.Printable(cmp.Or(i.Data.Resolved.Members[id].Nick, u.GlobalName, u.Username)))
	}
	return names
}

// target returns the message that a command is used on.
func (i Interaction) target() *bot.Message {
	m := i.Data.Resolved.Messages[i.Data.TargetID]
	target := &bot.Message{Author: game.PlayerID(m.Author.ID), Text: m.Content + "\n" + Text(m.Components), Written: calls.Made(i.Data.TargetID)}
	for _, u := range m.Mentions {
		target.Names = target.Names.With(game.PlayerID(u.ID), bot.Printable(cmp.Or(u.GlobalName, u.Username)))
	}
	return target
}

type option struct {
	Name    string                                 `json:"name"`
	Type    discordgo.ApplicationCommandOptionType `json:"type"`
	Value   json.RawMessage                        `json:"value"`
	Focused bool                                   `json:"focused"`
	Options []option                               `json:"options"`
}

// submitted is a component of a modal as it is sent back: a text input with its
// value, or a label or row around inputs.
type submitted struct {
	Type       discordgo.ComponentType `json:"type"`
	CustomID   string                  `json:"custom_id"`
	Value      json.RawMessage         `json:"value"`
	Component  *submitted              `json:"component"`
	Components []submitted             `json:"components"`
}

var (
	errIncomplete = errors.New("a field is missing")
	errID         = errors.New("malformed id or token")
)

// Decode reads JSON that has an interaction. If Discord has changed the type of a field, the rest is enough for some answer:
// [Interaction.Arrive] finds what is missing. The error does not quote the JSON.
func Decode(raw []byte, into any) error {
	err := json.Unmarshal(raw, into)
	if _, changed := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !changed {
		return errors.New("not JSON")
	}
	return nil
}

// Arrive checks and completes a decoded interaction that has just come. The exchange is that of its HTTP request; nil if it
// came over the gateway.
func (i *Interaction) Arrive(x *endpoint.Exchange) error {
	i.Received, i.Exchange = time.Now(), x
	if i.ChannelID == "" {
		i.ChannelID = i.Channel.ID
	}
	switch {
	case i.ID == "" || i.Token == "" || i.Player() == "":
		return fmt.Errorf("interaction %.20s: %w", i.ID, errIncomplete)
	case !calls.IsSnowflake(i.ID) || !isToken(i.Token):
		return errID
	}
	for _, id := range [...]string{i.AppID, i.ChannelID, i.GuildID, i.Message.ID} { // these become parts of paths, unescaped
		if id != "" && !calls.IsSnowflake(id) {
			return errID
		}
	}
	i.Made = calls.Made(i.ID)
	if x != nil {
		x.ID = i.ID
	}
	return nil
}

// maxToken is the longest token of an interaction, in bytes. Discord's have some 200.
const maxToken = 1000

// isToken reports whether a text can be the token of an interaction, which becomes part of paths unescaped.
func isToken(token string) bool {
	return token != "" && len(token) <= maxToken && !strings.ContainsFunc(token, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.~=", r)
	}) && strings.Trim(token, ".") != ""
}

// Player is the user's id; empty if missing.
func (i Interaction) Player() string { return i.user().ID }

// user returns the user, in a server or in direct messages.
func (i Interaction) user() (u user) {
	switch {
	case i.Member != nil && i.Member.User != (user{}):
		u = i.Member.User
	case i.User != nil:
		u = *i.User
	}
	return u
}

// memberMay reports whether the player has a permission in the channel of a server.
func (i Interaction) memberMay(permission int64) bool {
	return i.Member != nil && allows(i.Member.Permissions, permission)
}

// allows reports whether a set of permissions, as Discord writes it, has the given one or that of administrators, who may do
// everything.
func allows(set string, permission int64) bool {
	p, err := strconv.ParseInt(set, 10, 64)
	return err == nil && p&(permission|discordgo.PermissionAdministrator) != 0
}

// FromMessage reports whether the answer may update a message: one whose component was used, or opened the modal.
func (i Interaction) FromMessage() bool {
	return i.Type == discordgo.InteractionMessageComponent || i.Type == discordgo.InteractionModalSubmit && i.Message.ID != ""
}

// TakesModal reports whether the first response can be a modal: Discord refuses one after a modal.
func (i Interaction) TakesModal() bool { return i.Type != discordgo.InteractionModalSubmit }

// typed returns the command's name in the table, "wordle start" for a subcommand, and the options that were typed.
func (i Interaction) typed() (command string, options []option) {
	command, options = strings.ToLower(i.Data.Name), i.Data.Options // commands on messages have a capital
	if len(options) == 1 && options[0].Type == discordgo.ApplicationCommandOptionSubCommand {
		return command + " " + options[0].Name, options[0].Options
	}
	return command, options
}

// Focused returns the option that the player is typing, and its text so far.
func (i Interaction) Focused() (name, typed string) {
	_, options := i.typed()
	for _, o := range options {
		if o.Focused {
			return o.Name, o.text()
		}
	}
	return "", ""
}

// text returns the option's value: a string without its quotes, anything else as in JSON, such as true or 7.
func (o option) text() string {
	var s string
	if json.Unmarshal(o.Value, &s) == nil {
		return s
	}
	return string(o.Value)
}

// ObservedCommand is the interaction's command, empty if its custom_id cannot be read: a custom_id of another release may
// hold anything.
func (i Interaction) ObservedCommand() string {
	command, _ := i.typed()
	if i.Data.CustomID != "" {
		command, _, _ = readCustomID(i.Data.CustomID)
	}
	return command
}

// tokenLife is how long the token of an interaction is used: Discord takes it for 15 minutes.
const tokenLife = 14*time.Minute + 30*time.Second

// TokenEnd is when the token of the interaction ends. It is zero without the application's id, since the token needs that.
func (i Interaction) TokenEnd() time.Time {
	if i.AppID == "" {
		return time.Time{}
	}
	return time.Now().Add(tokenLife - i.Age())
}
