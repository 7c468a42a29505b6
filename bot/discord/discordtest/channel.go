package discordtest

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// The permissions that the fake knows. Discord's numbers (2026-08):
// https://docs.discord.com/developers/topics/permissions.
const (
	Administrator        = 1 << 3
	ManageGuild          = 1 << 5
	ViewChannel          = 1 << 10
	SendMessages         = 1 << 11
	ManageMessages       = 1 << 13
	EmbedLinks           = 1 << 14
	AttachFiles          = 1 << 15
	ReadMessageHistory   = 1 << 16
	MentionEveryone      = 1 << 17
	UseExternalEmojis    = 1 << 18
	SendMessagesInThread = 1 << 38
	UseExternalApps      = 1 << 50

	allPermissions = 1<<53 - 1

	// everyoneMay is what everyone may do in a new guild, as far as we know it.
	everyoneMay = ViewChannel | SendMessages | EmbedLinks | AttachFiles | ReadMessageHistory | MentionEveryone |
		UseExternalEmojis | SendMessagesInThread
	// directMay is what Discord sends for direct messages: embeds, files, mentions and polls.
	directMay = EmbedLinks | AttachFiles | MentionEveryone | 1<<49
)

// The types of channels.
const (
	ChannelText          = 0
	ChannelDirect        = 1
	ChannelGroup         = 3
	ChannelPublicThread  = 11
	ChannelPrivateThread = 12
)

// Role is a role of a guild.
type Role struct {
	ID          string // that of everyone has the guild's
	Name        string
	Permissions int64
}

// Guild is a guild that the bot is in.
type Guild struct {
	ID    string
	Roles []Role   // by default that of everyone alone, with what it has in a new guild
	Bot   []string // the ids of the bot's roles, without that of everyone
}

// Overwrite changes what a role or a member may do in a channel.
type Overwrite struct {
	ID          string // of a role, or of a user
	User        bool
	Allow, Deny int64
}

// Channel is what a channel is like.
type Channel struct {
	ID         string
	Guild      string // "" is a direct message or a group
	Type       int    // one of the Channel constants
	Parent     string // of a thread: the channel it is in, whose overwrites count
	Overwrites []Overwrite
}

type channel struct {
	Channel
	last string // the id of its latest message, "" for none
}

// SetGuild says what a guild that the bot is in is like. Without it, a guild has the
// role of everyone alone.
func (s *Server) SetGuild(g Guild) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*s.guildLocked(g.ID) = g
}

// SetChannel says what a channel is like, from now on.
func (s *Server) SetChannel(ch Channel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.channels[ch.ID]
	s.channels[ch.ID] = &channel{Channel: ch}
	if old != nil {
		s.channels[ch.ID].last = old.last
	}
}

// Chat has somebody else write in a channel, and returns the message's id.
func (s *Server) Chat(channel, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := &message{id: s.ids.next(), channel: channel, content: text, author: defaultUser}
	s.newMessageLocked(m)
	return m.id
}

// Posted returns the messages that the bot has posted in a channel by itself, not as
// answers, as players see them now, oldest first.
func (s *Server) Posted(channel string) []Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Answer
	for _, id := range slices.SortedFunc(maps.Keys(s.messages), byAge) {
		if m := s.messages[id]; m.posted && m.channel == channel && !m.deleted {
			all = append(all, m.shown())
		}
	}
	return all
}

// byAge orders ids by the time they were made.
func byAge(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

func (s *Server) guildLocked(id string) *Guild {
	g := s.guildsByID[id]
	if g == nil {
		g = &Guild{ID: id}
		s.guildsByID[id] = g
	}
	return g
}

// newMessageLocked puts a message into its channel, as its latest unless it is private.
func (s *Server) newMessageLocked(m *message) {
	s.messages[m.id] = m
	m.used = s.options.Now()
	if m.flags&flagEphemeral != 0 {
		return
	}
	ch := s.channels[m.channel]
	if ch == nil {
		ch = &channel{Channel: Channel{ID: m.channel, Type: ChannelDirect}}
		s.channels[m.channel] = ch
	}
	ch.last = m.id
}

// placeLocked returns what an interaction says of where it is made, and what the application may do there. It
// makes the channel if it is new, and changes its guild and type to what the interaction says.
func (s *Server) placeLocked(i Interaction) (object, int64) {
	ch := s.channels[i.Channel]
	if ch == nil {
		ch = &channel{Channel: Channel{ID: i.Channel}}
		s.channels[i.Channel] = ch
	}
	if ch.Guild = i.Guild; i.Guild == "" {
		ch.Type = ChannelDirect
		if i.GroupDM {
			ch.Type = ChannelGroup
		}
		return ch.object(), directMay
	}
	if ch.Type == ChannelDirect || ch.Type == ChannelGroup {
		ch.Type = ChannelText
	}
	o := ch.object()
	o["permissions"] = strconv.FormatInt(i.Permissions, 10)
	if i.UserInstalled {
		// What everyone may do there: the bot is no member.
		return o, s.permissionsLocked(ch, "", nil)
	}
	return o, s.permissionsLocked(ch, appID, s.guildLocked(ch.Guild).Bot)
}

// object is the channel as Discord describes it everywhere.
func (ch *channel) object() object {
	o := object{"id": ch.ID, "type": ch.Type, "last_message_id": nil, "flags": 0}
	if ch.last != "" {
		o["last_message_id"] = ch.last
	}
	if ch.Guild != "" {
		o["guild_id"], o["name"] = ch.Guild, "channel"
	}
	if ch.Parent != "" {
		o["parent_id"] = ch.Parent
	}
	return o
}

// permissionsLocked computes what a member may do in a guild's channel, as Discord does:
// https://docs.discord.com/developers/topics/permissions#permission-overwrites.
func (s *Server) permissionsLocked(ch *channel, user string, roles []string) int64 {
	g := s.guildsByID[ch.Guild]
	if g == nil {
		g = &Guild{ID: ch.Guild}
	}
	var may int64
	for _, r := range g.roles() {
		if r.ID == g.ID || slices.Contains(roles, r.ID) {
			may |= r.Permissions
		}
	}
	if may&Administrator != 0 {
		return allPermissions
	}
	overwrites := ch.Overwrites
	if parent := s.channels[ch.Parent]; parent != nil {
		overwrites = parent.Overwrites
	}
	change := func(is func(Overwrite) bool) {
		var allow, deny int64
		for _, o := range overwrites {
			if is(o) {
				allow, deny = allow|o.Allow, deny|o.Deny
			}
		}
		may = may&^deny | allow
	}
	change(func(o Overwrite) bool { return !o.User && o.ID == g.ID })
	change(func(o Overwrite) bool { return !o.User && o.ID != g.ID && slices.Contains(roles, o.ID) })
	change(func(o Overwrite) bool { return o.User && o.ID == user })
	return may
}

// roles are the guild's roles, that of everyone among them.
func (g *Guild) roles() []Role {
	if slices.ContainsFunc(g.Roles, func(r Role) bool { return r.ID == g.ID }) {
		return g.Roles
	}
	return append([]Role{{g.ID, "@everyone", everyoneMay}}, g.Roles...)
}

// reachLocked finds a channel that the bot can see, or refuses. It returns what the bot
// may do there.
func (s *Server) reachLocked(c *incoming) (*channel, int64, *reply) {
	refuse := func(status, code int, text string) (*channel, int64, *reply) {
		rep := s.refusedLocked(c, status, code, text)
		return nil, 0, &rep
	}
	ch := s.channels[c.PathValue("channel")]
	switch {
	case ch == nil:
		return refuse(http.StatusNotFound, 10003, "Unknown Channel")
	case ch.Type == ChannelGroup:
		return refuse(http.StatusForbidden, 50001, "Missing Access")
	case ch.Guild == "":
		return ch, everyoneMay, nil
	}
	g := s.guildsByID[ch.Guild]
	if g == nil {
		return refuse(http.StatusForbidden, 50001, "Missing Access")
	}
	may := s.permissionsLocked(ch, appID, g.Bot)
	if may&ViewChannel == 0 {
		return refuse(http.StatusForbidden, 50001, "Missing Access")
	}
	return ch, may, nil
}

// channelLocked answers what a channel is like.
func (s *Server) channelLocked(c *incoming) reply {
	ch, _, refusal := s.reachLocked(c)
	if refusal != nil {
		return *refusal
	}
	o := ch.object()
	switch {
	case ch.Guild == "":
		o["recipients"] = []object{userObject(defaultUser, defaultUserName)}
		return ok(o)
	case ch.Parent != "": // a thread has no overwrites of its own
		return ok(o)
	}
	overwrites := []object{}
	for _, w := range ch.Overwrites {
		kind := 0
		if w.User {
			kind = 1
		}
		overwrites = append(overwrites, object{
			"id": w.ID, "type": kind, "allow": strconv.FormatInt(w.Allow, 10), "deny": strconv.FormatInt(w.Deny, 10),
		})
	}
	o["position"], o["nsfw"], o["permission_overwrites"] = 0, false, overwrites
	return ok(o)
}

// rolesLocked lists a guild's roles.
func (s *Server) rolesLocked(c *incoming) reply {
	g := s.guildsByID[c.PathValue("guild")]
	if g == nil {
		return s.refusedLocked(c, http.StatusNotFound, 10004, "Unknown Guild")
	}
	list := []object{}
	for n, r := range g.roles() {
		list = append(list, object{
			"id": r.ID, "name": r.Name, "permissions": strconv.FormatInt(r.Permissions, 10), "position": n, "color": 0,
			"colors": object{"primary_color": 0, "secondary_color": nil, "tertiary_color": nil}, "hoist": false,
			"managed": false, "mentionable": false, "icon": nil, "unicode_emoji": nil, "flags": 0,
		})
	}
	return ok(list)
}
