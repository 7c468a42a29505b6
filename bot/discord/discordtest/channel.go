package discordtest

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Permissions, by Discord's numbers (2026-08): https://docs.discord.com/developers/topics/permissions.
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

	// everyoneMay is what everyone may do in a new server, as far as we know it.
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

// nonceKept is how long a nonce is enforced. Discord says "a few minutes".
const nonceKept = 2 * time.Minute

// Role is a role of a server.
type Role struct {
	ID          string `json:"id"` // that of everyone has the server's
	Name        string `json:"name"`
	Permissions int64  `json:"permissions,string"`
}

// Overwrite changes what a role may do in a channel.
type Overwrite struct {
	ID    string `json:"id"`
	Allow int64  `json:"allow,string"`
	Deny  int64  `json:"deny,string"`
}

// Guild is a server that the bot is in.
type Guild struct {
	ID    string
	Roles []Role   // by default that of everyone alone, with what it has in a new server
	Bot   []string // the ids of the bot's roles, without that of everyone
}

// Channel describes a channel, as Discord does.
type Channel struct {
	ID         string      `json:"id"`
	Guild      string      `json:"guild_id,omitempty"` // empty in a direct message or a group
	Type       int         `json:"type"`
	Parent     string      `json:"parent_id,omitempty"` // of a thread: its channel, whose overwrites count
	Locked     bool        `json:"-"`                   // a thread that moderators have closed and locked
	Overwrites []Overwrite `json:"permission_overwrites,omitempty"`
	Last       string      `json:"last_message_id,omitempty"` // the id of its latest message
}

// SetGuild describes a server that the bot is in.
func (s *Server) SetGuild(g Guild) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.guilds[g.ID] = &g
}

// SetChannel describes a channel from now on.
func (s *Server) SetChannel(ch Channel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.channels[ch.ID]; old != nil {
		ch.Last = old.Last
	}
	s.channels[ch.ID] = &ch
}

// Chat has a player write in a channel.
func (s *Server) Chat(channel, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.newMessageLocked(0, channel, defaultUser)
	m.Content = text
	s.keepLocked(m)
}

// Posted returns the messages that the bot has posted in a channel and that answer nothing, as players see them now,
// oldest first.
func (s *Server) Posted(channel string) (all []Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range slices.SortedFunc(maps.Keys(s.messages), byAge) {
		if m := s.messages[id]; m.Type != typeAnswer && m.Author.ID == appID && m.Channel == channel && !m.deleted {
			all = append(all, m.shown())
		}
	}
	return all
}

// byAge orders ids by the time at which they were made.
func byAge(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

// keepLocked puts a message into its channel, as its latest unless it is private.
func (s *Server) keepLocked(m *message) {
	s.messages[m.ID] = m
	m.used = s.options.Now()
	if m.Flags&flagEphemeral != 0 {
		return
	}
	if s.channels[m.Channel] == nil {
		s.channels[m.Channel] = &Channel{ID: m.Channel, Type: ChannelDirect}
	}
	s.channels[m.Channel].Last = m.ID
}

// placeLocked returns the channel of an interaction, and what the application may do there. It makes the channel if it
// is new, and changes its server and type to those of the interaction.
func (s *Server) placeLocked(i Interaction) (Channel, int64) {
	ch := s.channels[i.Channel]
	if ch == nil {
		ch = &Channel{ID: i.Channel}
		s.channels[i.Channel] = ch
	}
	ch.Guild = i.Guild
	switch {
	case i.GroupDM:
		ch.Type = ChannelGroup
	case i.Guild == "":
		ch.Type = ChannelDirect
	case ch.Type == ChannelDirect || ch.Type == ChannelGroup:
		ch.Type = ChannelText
	}
	switch {
	case i.Guild == "":
		return *ch, directMay
	case i.UserInstalled: // the bot is not a member, so it may do what everyone may
		return *ch, s.permissionsLocked(ch, nil)
	case s.guilds[i.Guild] == nil:
		s.guilds[i.Guild] = &Guild{ID: i.Guild}
	}
	return *ch, s.permissionsLocked(ch, s.guilds[i.Guild].Bot)
}

// permissionsLocked computes what a member with roles may do in a server's channel, as Discord does:
// https://docs.discord.com/developers/topics/permissions#permission-overwrites.
func (s *Server) permissionsLocked(ch *Channel, roles []string) (may int64) {
	g := cmp.Or(s.guilds[ch.Guild], &Guild{ID: ch.Guild})
	for _, r := range g.roles() {
		if r.ID == g.ID || slices.Contains(roles, r.ID) {
			may |= r.Permissions
		}
	}
	if may&Administrator != 0 {
		return 1<<53 - 1
	}
	overwrites := cmp.Or(s.channels[ch.Parent], ch).Overwrites
	change := func(counts func(id string) bool) {
		var allow, deny int64
		for _, o := range overwrites {
			if counts(o.ID) {
				allow, deny = allow|o.Allow, deny|o.Deny
			}
		}
		may = may&^deny | allow
	}
	change(func(id string) bool { return id == g.ID })
	change(func(id string) bool { return id != g.ID && slices.Contains(roles, id) })
	return may
}

// roles are the server's roles, that of everyone among them.
func (g *Guild) roles() []Role {
	if slices.ContainsFunc(g.Roles, func(r Role) bool { return r.ID == g.ID }) {
		return g.Roles
	}
	return append([]Role{{ID: g.ID, Name: "@everyone", Permissions: everyoneMay}}, g.Roles...)
}

// reachLocked finds a channel that the bot can see, or refuses. It returns what the bot may do there.
func (s *Server) reachLocked(c *incoming) (*Channel, int64, *reply) {
	ch := s.channels[c.PathValue("channel")]
	noAccess := func() (*Channel, int64, *reply) {
		return nil, 0, new(s.refusedLocked(c, http.StatusForbidden, 50001, "Missing Access"))
	}
	switch {
	case ch == nil:
		return nil, 0, new(s.refusedLocked(c, http.StatusNotFound, 10003, "Unknown Channel"))
	case ch.Type == ChannelGroup:
		return noAccess()
	case ch.Guild == "":
		return ch, everyoneMay, nil
	case s.guilds[ch.Guild] == nil:
		return noAccess()
	}
	may := s.permissionsLocked(ch, s.guilds[ch.Guild].Bot)
	if may&ViewChannel == 0 {
		return noAccess()
	}
	return ch, may, nil
}

// channelLocked describes a channel.
func (s *Server) channelLocked(c *incoming) reply {
	ch, _, refusal := s.reachLocked(c)
	if refusal != nil {
		return *refusal
	}
	return ok(*ch)
}

// rolesLocked lists a server's roles.
func (s *Server) rolesLocked(c *incoming) reply {
	g := s.guilds[c.PathValue("guild")]
	if g == nil {
		return s.refusedLocked(c, http.StatusNotFound, 10004, "Unknown Guild")
	}
	return ok(g.roles())
}

// postLocked takes a message that the bot posts in a channel.
func (s *Server) postLocked(c *incoming) reply {
	ch, may, refusal := s.reachLocked(c)
	if refusal != nil {
		return *refusal
	}
	need := int64(SendMessages)
	if ch.Type == ChannelPublicThread || ch.Type == ChannelPrivateThread {
		need = SendMessagesInThread
	}
	if len(c.files) > 0 {
		need |= AttachFiles
	}
	switch {
	case may&need != need:
		return s.refusedLocked(c, http.StatusForbidden, 50013, "Missing Permissions")
	case ch.Locked:
		return s.refusedLocked(c, http.StatusBadRequest, 50083, "Thread is archived")
	}
	var once struct {
		Nonce   string `json:"nonce"`
		Enforce bool   `json:"enforce_nonce"`
	}
	if err := json.Unmarshal(c.body, &once); err != nil {
		return s.badFormLocked(c, &checker{[]string{err.Error()}})
	}
	if m := s.nonces[once.Nonce]; once.Enforce && m != nil && c.at.Sub(MadeAt(m.ID)) < nonceKept {
		return ok(m.seen())
	}
	m, refusal := s.changedLocked(c, s.newMessageLocked(0, ch.ID, appID), c.body, false)
	if refusal != nil {
		return *refusal
	}
	s.keepLocked(m)
	if once.Nonce != "" {
		s.nonces[once.Nonce] = m
	}
	return ok(m.seen())
}

// ownMessageLocked edits or deletes a message of the bot's in a channel.
func (s *Server) ownMessageLocked(c *incoming) reply {
	ch, _, refusal := s.reachLocked(c)
	if refusal != nil {
		return *refusal
	}
	m := s.messages[c.PathValue("message")]
	switch {
	case m == nil || m.deleted || m.Channel != ch.ID || m.Flags&flagEphemeral != 0: // a channel has no private messages
		return s.unknownMessageLocked(c, m)
	case m.Author.ID != appID:
		return s.refusedLocked(c, http.StatusForbidden, 50005, "Cannot edit a message authored by another user")
	}
	return s.doLocked(c, m)
}
