package discord

import (
	"strconv"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot"
)

// permissionUseExternalApps lets members use apps in public that only they have installed.
// See discord.com/developers/docs/topics/permissions.
const permissionUseExternalApps = 1 << 50

// context returns where the interaction was made. Fields that Discord leaves out are read as if
// users could not install applications for themselves.
func (i interaction) context() bot.Context {
	var c bot.Context
	switch {
	case i.GuildID != "":
		switch i.Channel.Type {
		case discordgo.ChannelTypeGuildNewsThread, discordgo.ChannelTypeGuildPublicThread, discordgo.ChannelTypeGuildPrivateThread:
			c.Thread = true
		}
	case i.Context != nil && *i.Context == discordgo.InteractionContextPrivateChannel:
		c.Place = bot.InGroup
	default:
		c.Place = bot.InDirect
	}
	_, forServer := i.Owners[strconv.Itoa(int(discordgo.ApplicationIntegrationGuildInstall))]
	_, forUser := i.Owners[strconv.Itoa(int(discordgo.ApplicationIntegrationUserInstall))]
	c.UserOnly = c.Place == bot.InGroup || c.Place == bot.InServer && forUser && !forServer
	c.AskerOnly = c.UserOnly && c.Place == bot.InServer && !i.memberMay(permissionUseExternalApps)
	return c
}

// botMay returns what the bot may do in the channel by itself.
func (i interaction) botMay() bot.Permissions {
	switch c := i.context(); {
	case c.Place == bot.InDirect:
		// What Discord sends for direct messages leaves out what needs no permission there.
		return bot.Permissions{Edit: true, Post: true}
	case c.UserOnly || !allows(i.AppPermissions, discordgo.PermissionViewChannel):
		return bot.Permissions{}
	case c.Thread:
		return bot.Permissions{Edit: true, Post: allows(i.AppPermissions, discordgo.PermissionSendMessagesInThreads)}
	}
	return bot.Permissions{Edit: true, Post: allows(i.AppPermissions, discordgo.PermissionSendMessages)}
}
