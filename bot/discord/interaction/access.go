package interaction

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"fivefold/bot/discord/calls"
	"fivefold/game"
)

// Access tells which channels of a server a member may read, since the finished games of a channel are for its readers only.
// An interaction has the member's roles, and the member's permissions in its own channel. For other channels, Access asks
// Discord for the server's roles and the channel, and keeps the answers for a short while. It is safe for concurrent use.
type Access struct {
	api  *calls.Client
	keep time.Duration // how long an answer is kept
	log  *slog.Logger

	mu   sync.Mutex       // protects the fields below
	kept map[string]saved // by address
}

// saved is an answer of Discord, of the type that [ask] was called with.
type saved struct {
	at     time.Time
	answer any
}

const (
	// mostChannels is how many answers are kept at most, of a few kilobytes each.
	mostChannels = 2000
	// channelLookups is how many channels are looked up for one request at most: more than a page of a list needs.
	channelLookups = 25
)

// NewAccess returns an access that asks Discord and keeps the answers for that long.
func NewAccess(api *calls.Client, keep time.Duration, log *slog.Logger) *Access {
	return &Access{api: api, keep: keep, log: log, kept: map[string]saved{}}
}

// readableBy returns a function that reports whether the player of an interaction may read a channel of the same server. The
// function reports false for unknown channels, and is for one goroutine. It is nil where Discord tells the bot nothing about
// other channels.
func (c *Access) readableBy(i Interaction) func(context.Context, game.ChannelID) bool {
	if i.Member == nil || i.BotContext().UserOnly { // outside a server, or where the bot is not a member
		return nil
	}
	lookups := 0
	return func(ctx context.Context, id game.ChannelID) bool {
		if i.memberMay(discordgo.PermissionAdministrator) { // the server's owner has it too
			return true
		}
		if lookups++; lookups > channelLookups || !calls.IsSnowflake(string(id)) {
			return false
		}
		may, err := c.permissions(ctx, i.GuildID, &discordgo.Member{User: &discordgo.User{ID: i.Player()}, Roles: i.Member.Roles}, string(id))
		if err != nil && ctx.Err() == nil {
			c.log.Warn("could not look up who may read a channel", "id", i.ID, "channel", id, "error", err)
		}
		const read = discordgo.PermissionViewChannel | discordgo.PermissionReadMessageHistory
		return err == nil && may&read == read
	}
}

// lookup is the [bot.Server] of an interaction.
type lookup struct {
	*Access
	Interaction
}

func (l lookup) HasRole(ctx context.Context, id game.RoleID) (bool, error) {
	return l.Access.HasRole(ctx, game.GuildID(l.GuildID), id)
}

// HasRole reports whether a server has a role, true if Discord doesn't say.
func (c *Access) HasRole(ctx context.Context, g game.GuildID, id game.RoleID) (bool, error) {
	roles, err := ask[[]*discordgo.Role](ctx, c, discordgo.EndpointGuildRoles(string(g)))
	has := slices.ContainsFunc(roles, func(r *discordgo.Role) bool { return r.ID == string(id) })
	return has || roles == nil, err
}

func (l lookup) MayPost(ctx context.Context, id game.ChannelID) (bool, error) {
	self, err := ask[discordgo.Member](ctx, l.Access, discordgo.EndpointGuildMember(l.GuildID, l.AppID))
	if err != nil || self.User == nil { // an old bot's id is not that of its application
		return true, err
	}
	may, err := l.permissions(ctx, l.GuildID, &self, string(id))
	channel, failed := ask[discordgo.Channel](ctx, l.Access, discordgo.EndpointChannel(string(id)))
	needs := int64(discordgo.PermissionViewChannel | discordgo.PermissionSendMessages)
	if channel.IsThread() {
		needs = discordgo.PermissionViewChannel | discordgo.PermissionSendMessagesInThreads
	}
	return may&needs == needs && channel.Type != discordgo.ChannelTypeGuildForum, errors.Join(err, failed) // a forum has threads only
}

// permissions returns the permissions of a member of a server in one of its channels, 0 if the bot cannot
// see that channel. Threads have the permissions of their channel. A private thread can be read by its members, who are not
// known here, and by people who manage threads.
func (c *Access) permissions(ctx context.Context, guild string, member *discordgo.Member, id string) (int64, error) {
	channel, err := ask[discordgo.Channel](ctx, c, discordgo.EndpointChannel(id))
	if err != nil || channel.GuildID != guild || channel.ID != id {
		return 0, err
	}
	private := channel.Type == discordgo.ChannelTypeGuildPrivateThread
	if channel.IsThread() {
		if !calls.IsSnowflake(channel.ParentID) {
			return 0, nil
		}
		if channel, err = ask[discordgo.Channel](ctx, c, discordgo.EndpointChannel(channel.ParentID)); err != nil || channel.GuildID != guild {
			return 0, err
		}
	}
	roles, err := ask[[]*discordgo.Role](ctx, c, discordgo.EndpointGuildRoles(guild))
	if err != nil {
		return 0, err
	}
	known := discordgo.NewState() // it computes permissions as Discord does, from the roles' and the channel's
	err = known.GuildAdd(&discordgo.Guild{ID: guild, Roles: roles, Channels: []*discordgo.Channel{&channel}, Members: []*discordgo.Member{member}})
	if err != nil {
		return 0, err
	}
	may, err := known.UserChannelPermissions(member.User.ID, channel.ID)
	if private && may&discordgo.PermissionManageThreads == 0 {
		return 0, err
	}
	return may, err
}

// ask returns the kept answer for an address, or asks Discord. The answer is zero if the bot cannot see the channel or server.
func ask[T any](ctx context.Context, c *Access, address string) (answer T, err error) {
	c.mu.Lock()
	known, ok := c.kept[address]
	c.mu.Unlock()
	if ok && time.Since(known.at) < c.keep {
		return known.answer.(T), nil
	}
	body, err := c.api.Call(ctx, http.MethodGet, address, nil)
	switch {
	case calls.IsStatus(err, http.StatusForbidden), calls.IsStatus(err, http.StatusNotFound):
	case err != nil:
		return answer, err
	default:
		if err := json.Unmarshal(body, &answer); err != nil {
			return answer, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.kept) >= mostChannels {
		clear(c.kept) // within a minute Discord would be asked again anyway
	}
	c.kept[address] = saved{time.Now(), answer}
	return answer, nil
}
