package interaction

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/game"
)

// Request returns the request of an interaction and its command from the table. The command is zero for unknown commands and
// components.
func (i Interaction) Request(table bot.Table, a *Access) (c bot.Command, r bot.Request) {
	command, options := i.typed()
	r = bot.Request{
		ID:        game.RequestID(i.ID),
		Location:  game.Location{Guild: game.GuildID(i.GuildID), Channel: game.ChannelID(i.ChannelID)},
		Player:    game.PlayerID(i.Player()),
		Context:   i.BotContext(),
		MayManage: i.memberMay(discordgo.PermissionManageMessages),
		MayRead:   a.readableBy(i),
		Command:   command,
		Args:      map[string]string{},
		LiveBoard: true,
		Made:      i.Made,
		Expires:   i.Expires,

		MayPost:         i.BotMay().Post,
		MayEdit:         i.BotMay().Edit,
		MayManageServer: i.memberMay(discordgo.PermissionManageGuild),
	}
	r.Name, r.Global = i.names()
	r.Others = i.others()
	if i.Member != nil {
		r.Server = lookup{a, i}
		r.Roles = game.Each(i.Member.Roles, func(id string) game.RoleID { return game.RoleID(id) })
	}
	if i.Data.Type == discordgo.MessageApplicationCommand {
		r.Message = i.target()
	}
	modal := i.Type == discordgo.InteractionModalSubmit
	if !modal && i.Type != discordgo.InteractionMessageComponent {
		for _, o := range options {
			r.Args[o.Name] = o.text()
		}
		c, _ = table.Find(r.Command)
		return c, r
	}
	r.FromComponent = true
	name, args, known := readCustomID(i.Data.CustomID)
	r.Command, r.Args = name, args
	if !known || modal && !readInputs(i.Data.Components, args) || !modal && !i.readChoice(args) {
		return bot.Command{}, r
	}
	c, _ = table.Find(name)
	for arg := range args {
		if !slices.Contains(c.HiddenArgs, arg) && !slices.ContainsFunc(c.Options, func(o bot.Option) bool { return o.Name == arg }) {
			return bot.Command{}, r
		}
	}
	return c, r
}

// readChoice adds the chosen values of a menu to args. It reports false for a component that no message of ours has.
func (i Interaction) readChoice(args map[string]string) bool {
	_, name, menu := strings.Cut(i.Data.CustomID, "#")
	picked := slices.Contains(pickers[1:], i.Data.ComponentType)
	if !picked && i.Data.ComponentType != discordgo.SelectMenuComponent {
		return i.Data.ComponentType == discordgo.ButtonComponent
	}
	bad := func(value string) bool {
		return value == "" || utf8.RuneCountInString(value) > maxOption || picked && !calls.IsSnowflake(value)
	}
	if !menu || !fieldName.MatchString(name) || len(i.Data.Values) > bot.MaxChoices || slices.ContainsFunc(i.Data.Values, bad) {
		return false
	}
	args[name] = strings.Join(i.Data.Values, ",")
	return true
}

// readInputs adds the values of a modal's inputs to args. It reports false for inputs that no modal of ours sends: none or too
// many, one that comes twice or has the name of an argument, a value that is too long or not a string. An input without a value
// is empty.
func readInputs(components []submitted, args map[string]string) bool {
	count := 0
	for _, c := range components {
		if c.Type == typeText {
			continue
		}
		inputs := c.Components
		if c.Component != nil {
			inputs = append(inputs, *c.Component)
		}
		for _, in := range inputs {
			_, taken := args[in.CustomID]
			count++
			if count > maxFields || taken || in.Type != discordgo.TextInputComponent || !fieldName.MatchString(in.CustomID) {
				return false
			}
			var text string
			if in.Value != nil && json.Unmarshal(in.Value, &text) != nil || utf8.RuneCountInString(text) > maxInput {
				return false
			}
			args[in.CustomID] = text
		}
	}
	return count > 0
}

// permissionUseExternalApps lets members use apps in public that only they have installed.
// See discord.com/developers/docs/topics/permissions.
const permissionUseExternalApps = 1 << 50

// BotContext returns where the interaction was made. Without Discord's fields about that, the application is taken to be
// installed by the server.
func (i Interaction) BotContext() bot.Context {
	var c bot.Context
	switch {
	case i.GuildID != "":
		if c.Thread = (&discordgo.Channel{Type: i.Channel.Type}).IsThread(); c.Thread {
			c.Parent = game.ChannelID(i.Channel.ParentID)
		}
	case i.Context != nil && *i.Context == discordgo.InteractionContextPrivateChannel:
		c.Place = bot.InGroup
	default:
		c.Place = bot.InDirect
	}
	c.UserOnly = c.Place == bot.InGroup || c.Place == bot.InServer && i.Owners.User != "" && i.Owners.Server == ""
	c.AskerOnly = c.UserOnly && c.Place == bot.InServer && !i.memberMay(permissionUseExternalApps)
	return c
}

// Permissions are what the bot may do in a channel by itself. Replies to a request need none.
type Permissions struct {
	Edit bool // edit its own messages that everyone sees
	Post bool // post messages
}

// BotMay returns what the bot may do in the channel by itself.
func (i Interaction) BotMay() Permissions {
	switch c := i.BotContext(); {
	case c.Place == bot.InDirect:
		// Discord's list for direct messages leaves out what needs no permission there.
		return Permissions{Edit: true, Post: true}
	case c.UserOnly || !allows(i.AppPermissions, discordgo.PermissionViewChannel):
		return Permissions{}
	case c.Thread:
		return Permissions{Edit: true, Post: allows(i.AppPermissions, discordgo.PermissionSendMessagesInThreads)}
	}
	return Permissions{Edit: true, Post: allows(i.AppPermissions, discordgo.PermissionSendMessages)}
}
