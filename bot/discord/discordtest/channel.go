package discordtest

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
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
	ID          string `json:"id"` // that of everyone has the guild's
	Name        string `json:"name"`
	Permissions int64  `json:"permissions,string"`
}

// Overwrite changes what a role may do in a channel.
type Overwrite struct {
	ID    string `json:"id"`
	Allow int64  `json:"allow,string"`
	Deny  int64  `json:"deny,string"`
}

// Guild is a guild that the bot is in.
type Guild struct {
	ID    string
	Roles []Role   // by default that of everyone alone, with what it has in a new guild
	Bot   []string // the ids of the bot's roles, without that of everyone
}

// Channel is what a channel is like, as Discord describes it everywhere.
type Channel struct {
	ID         string      `json:"id"`
	Guild      string      `json:"guild_id,omitempty"` // "" is a direct message or a group
	Type       int         `json:"type"`
	Parent     string      `json:"parent_id,omitempty"` // of a thread: the channel it is in, whose overwrites count
	Locked     bool        `json:"-"`                   // whether moderators have closed and locked a thread
	Overwrites []Overwrite `json:"permission_overwrites,omitempty"`
	Last       string      `json:"last_message_id,omitempty"` // the id of its latest message, "" for none
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
	if old := s.channels[ch.ID]; old != nil {
		ch.Last = old.Last
	}
	s.channels[ch.ID] = &ch
}

// Chat has somebody else write in a channel, and returns the message's id.
func (s *Server) Chat(channel, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.newMessageLocked(0, channel, defaultUser)
	m.Content = text
	s.keepLocked(m)
	return m.ID
}

// Posted returns the messages that the bot has posted in a channel by itself, not as
// answers, as players see them now, oldest first.
func (s *Server) Posted(channel string) []Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Answer
	for _, id := range slices.SortedFunc(maps.Keys(s.messages), byAge) {
		if m := s.messages[id]; m.Type != typeAnswer && m.Author.ID == appID && m.Channel == channel && !m.deleted {
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

// keepLocked puts a message into its channel, as its latest unless it is private.
func (s *Server) keepLocked(m *message) {
	s.messages[m.ID] = m
	m.used = s.options.Now()
	if m.Flags&flagEphemeral != 0 {
		return
	}
	ch := s.channels[m.Channel]
	if ch == nil {
		ch = &Channel{ID: m.Channel, Type: ChannelDirect}
		s.channels[m.Channel] = ch
	}
	ch.Last = m.ID
}

// placeLocked returns what an interaction says of where it is made, and what the application may do there. It
// makes the channel if it is new, and changes its guild and type to what the interaction says.
func (s *Server) placeLocked(i Interaction) (Channel, int64) {
	ch := s.channels[i.Channel]
	if ch == nil {
		ch = &Channel{ID: i.Channel}
		s.channels[i.Channel] = ch
	}
	if ch.Guild = i.Guild; i.Guild == "" {
		ch.Type = ChannelDirect
		if i.GroupDM {
			ch.Type = ChannelGroup
		}
		return *ch, directMay
	}
	if ch.Type == ChannelDirect || ch.Type == ChannelGroup {
		ch.Type = ChannelText
	}
	if i.UserInstalled {
		// What everyone may do there: the bot is not a member.
		return *ch, s.permissionsLocked(ch, nil)
	}
	return *ch, s.permissionsLocked(ch, s.guildLocked(ch.Guild).Bot)
}

// permissionsLocked computes what a member with roles may do in a guild's channel, as Discord does:
// https://docs.discord.com/developers/topics/permissions#permission-overwrites.
func (s *Server) permissionsLocked(ch *Channel, roles []string) int64 {
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
		return 1<<53 - 1
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
	change(func(o Overwrite) bool { return o.ID == g.ID })
	change(func(o Overwrite) bool { return o.ID != g.ID && slices.Contains(roles, o.ID) })
	return may
}

// roles are the guild's roles, that of everyone among them.
func (g *Guild) roles() []Role {
	if slices.ContainsFunc(g.Roles, func(r Role) bool { return r.ID == g.ID }) {
		return g.Roles
	}
	return append([]Role{{ID: g.ID, Name: "@everyone", Permissions: everyoneMay}}, g.Roles...)
}

// reachLocked finds a channel that the bot can see, or refuses. It returns what the bot
// may do there.
func (s *Server) reachLocked(c *incoming) (*Channel, int64, *reply) {
	ch := s.channels[c.PathValue("channel")]
	switch {
	case ch == nil:
		return nil, 0, new(s.refusedLocked(c, http.StatusNotFound, 10003, "Unknown Channel"))
	case ch.Type == ChannelGroup:
		return nil, 0, new(s.refusedLocked(c, http.StatusForbidden, 50001, "Missing Access"))
	case ch.Guild == "":
		return ch, everyoneMay, nil
	}
	g := s.guildsByID[ch.Guild]
	if g == nil {
		return nil, 0, new(s.refusedLocked(c, http.StatusForbidden, 50001, "Missing Access"))
	}
	may := s.permissionsLocked(ch, g.Bot)
	if may&ViewChannel == 0 {
		return nil, 0, new(s.refusedLocked(c, http.StatusForbidden, 50001, "Missing Access"))
	}
	return ch, may, nil
}

// channelLocked answers what a channel is like.
func (s *Server) channelLocked(c *incoming) reply {
	ch, _, refusal := s.reachLocked(c)
	if refusal != nil {
		return *refusal
	}
	return ok(*ch)
}

// rolesLocked lists a guild's roles.
func (s *Server) rolesLocked(c *incoming) reply {
	g := s.guildsByID[c.PathValue("guild")]
	if g == nil {
		return s.refusedLocked(c, http.StatusNotFound, 10004, "Unknown Guild")
	}
	return ok(g.roles())
}
