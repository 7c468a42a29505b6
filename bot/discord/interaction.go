package discord

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/game"
)

// interaction is the part of Discord's interaction that is used here. It is
// read from the raw event: discordgo leaves Data nil, and its accessors panic,
// for a type of component or option that it does not know.
//
// See discord.com/developers/docs/interactions/receiving-and-responding.
type interaction struct {
	ID        string                    `json:"id"`
	AppID     string                    `json:"application_id"`
	Type      discordgo.InteractionType `json:"type"`
	Token     string                    `json:"token"`
	GuildID   string                    `json:"guild_id"`
	ChannelID string                    `json:"channel_id"`
	Channel   struct {
		ID string `json:"id"`
	} `json:"channel"`
	Member *struct { // in a server
		User        user   `json:"user"`
		Permissions string `json:"permissions"` // in the channel, a number
	} `json:"member"`
	User *user `json:"user"` // in direct messages
	Data struct {
		Name    string   `json:"name"`
		Options []option `json:"options"`
		// Of what was pressed or chosen under a message:
		CustomID      string `json:"custom_id"`
		ComponentType int    `json:"component_type"`
		// Of a form that was sent, which has a CustomID too:
		Components []entered `json:"components"`
	} `json:"data"`
	// Message is what it is under, or what the button that opened the form is
	// under; its ID is empty where there is none.
	Message struct {
		ID    string `json:"id"`
		Flags int    `json:"flags"`
	} `json:"message"`
}

type user struct {
	ID string `json:"id"`
}

type option struct {
	Name    string                                 `json:"name"`
	Type    discordgo.ApplicationCommandOptionType `json:"type"`
	Value   json.RawMessage                        `json:"value"`
	Focused bool                                   `json:"focused"`
	Options []option                               `json:"options"`
}

var errIncomplete = errors.New("a field is missing")

// decodeInteraction reads an interaction. Its error does not quote it.
func decodeInteraction(raw []byte) (interaction, error) {
	var i interaction
	if err := json.Unmarshal(raw, &i); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && i.ID != "" && i.Token != "" {
			// One field is not what it used to be. What could be read is enough to
			// say something; a missing user is found below.
			err = nil
		}
		if err != nil {
			return i, errors.New("not JSON")
		}
	}
	if i.ChannelID == "" {
		i.ChannelID = i.Channel.ID
	}
	if i.ID == "" || i.Token == "" || i.player() == "" {
		return i, fmt.Errorf("interaction %s: %w", i.ID, errIncomplete)
	}
	return i, nil
}

// player is who acts, in a server or in direct messages.
func (i interaction) player() string {
	switch {
	case i.Member != nil && i.Member.User.ID != "":
		return i.Member.User.ID
	case i.User != nil:
		return i.User.ID
	}
	return ""
}

// mayManage reports whether the player may manage messages in the channel.
func (i interaction) mayManage() bool {
	if i.Member == nil {
		return false
	}
	p, err := strconv.ParseInt(i.Member.Permissions, 10, 64)
	return err == nil && p&(discordgo.PermissionManageMessages|discordgo.PermissionAdministrator) != 0
}

// command is the name as in the table of commands: a subcommand's follows its
// command's after a space.
func (i interaction) command() string {
	if sub := i.subcommand(); sub != nil {
		return i.Data.Name + " " + sub.Name
	}
	return i.Data.Name
}

func (i interaction) subcommand() *option {
	if len(i.Data.Options) == 1 && i.Data.Options[0].Type == discordgo.ApplicationCommandOptionSubCommand {
		return &i.Data.Options[0]
	}
	return nil
}

func (i interaction) options() []option {
	if sub := i.subcommand(); sub != nil {
		return sub.Options
	}
	return i.Data.Options
}

func (i interaction) request() bot.Request {
	r := bot.Request{
		ID:        game.RequestID(i.ID),
		Location:  game.Location{Guild: game.GuildID(i.GuildID), Channel: game.ChannelID(i.ChannelID)},
		Player:    game.PlayerID(i.player()),
		MayManage: i.mayManage(),
		Command:   i.command(),
		Args:      map[string]string{},
	}
	for _, o := range i.options() {
		r.Args[o.Name] = o.text()
	}
	return r
}

// focused is the option that the player is typing, and what there is of it.
func (i interaction) focused() (name, typed string) {
	for _, o := range i.options() {
		if o.Focused {
			return o.Name, o.text()
		}
	}
	return "", ""
}

// text is the option's value: of a text what it says, of all else what JSON
// writes, such as true or 7.
func (o option) text() string {
	var s string
	if json.Unmarshal(o.Value, &s) == nil {
		return s
	}
	return string(o.Value)
}
