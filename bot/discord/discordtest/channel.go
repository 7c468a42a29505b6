package discordtest

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
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
	CreatePublicThreads  = 1 << 35
	SendMessagesInThread = 1 << 38
	UseExternalApps      = 1 << 50

	// everyoneMay has the permissions of everyone in a new server, as far as we know them.
	everyoneMay = ViewChannel | SendMessages | EmbedLinks | AttachFiles | ReadMessageHistory | MentionEveryone |
		UseExternalEmojis | CreatePublicThreads | SendMessagesInThread
	// directMay has the permissions that Discord sends for direct messages: embeds, files, mentions and polls.
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

// Role is a role of a server.
type Role struct {
	ID          string `json:"id"` // the role of everyone has the id of the server
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
	Roles []Role   // by default only the role of everyone, with the permissions of a new server
	Bot   []string // the ids of the bot's roles, without the role of everyone
}

// Channel describes a channel, as Discord does.
type Channel struct {
	ID         string      `json:"id"`
	Guild      string      `json:"guild_id,omitempty"` // empty in a direct message or a group
	Type       int         `json:"type"`
	Parent     string      `json:"parent_id,omitempty"` // a thread's channel, whose overwrites count for the thread
	Locked     bool        `json:"-"`                   // a thread that moderators have closed and locked, or direct messages that the player refuses
	Overwrites []Overwrite `json:"permission_overwrites,omitempty"`
	Last       string      `json:"last_message_id,omitempty"` // the id of its latest message
	Name       string      `json:"name,omitempty"`            // of a thread that the bot has started
}

// places are the servers and channels, and the messages in them.
type places struct {
	*rest
	guilds   map[string]*Guild // those that the bot is in
	channels map[string]*Channel
	messages map[string]*message
	nonces   map[string]*message
}

// SetGuild describes a server that the bot is in.
func (p *places) SetGuild(g Guild) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.guilds[g.ID] = &g
}

// SetChannel describes a channel from now on.
func (p *places) SetChannel(ch Channel) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if old := p.channels[ch.ID]; old != nil {
		ch.Last = old.Last
	}
	p.channels[ch.ID] = &ch
}

// Chat has a user write in a channel, and returns the message's id.
func (p *places) Chat(channel, user, text string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	m := p.newMessageLocked(0, channel, user)
	m.Content = text
	p.keepLocked(m)
	return m.ID
}

// Posted returns the messages that the bot has posted in a channel, oldest first. Answers don't count.
func (p *places) Posted(channel string) (all []Answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range slices.SortedFunc(maps.Keys(p.messages), byAge) {
		if m := p.messages[id]; m.Type != typeAnswer && m.Author.ID == appID && m.Channel == channel && !m.deleted {
			a := m.shown()
			a.Thread = cmp.Or(p.channels[m.ID], &Channel{}).Name
			all = append(all, a)
		}
	}
	return all
}

// byAge orders ids by the time at which they were made.
func byAge(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }

// keepLocked puts a message into its channel. A message that is not private becomes the channel's latest.
func (p *places) keepLocked(m *message) {
	p.messages[m.ID] = m
	m.used = p.options.Now()
	if m.Flags&flagEphemeral != 0 {
		return
	}
	if p.channels[m.Channel] == nil {
		p.channels[m.Channel] = &Channel{ID: m.Channel, Type: ChannelDirect}
	}
	p.channels[m.Channel].Last = m.ID
}

// placeLocked returns a channel, as an interaction describes it, and the application's permissions there. Where the
// application is no member, it has those of everyone.
func (p *places) placeLocked(channel, guild string, group, member bool) (Channel, int64) {
	ch := p.channels[channel]
	if ch == nil {
		ch = &Channel{ID: channel}
		p.channels[channel] = ch
	}
	ch.Guild = guild
	switch {
	case group:
		ch.Type = ChannelGroup
	case guild == "":
		ch.Type = ChannelDirect
	case ch.Type == ChannelDirect || ch.Type == ChannelGroup:
		ch.Type = ChannelText
	}
	switch {
	case guild == "":
		return *ch, directMay
	case !member:
		return *ch, p.permissionsLocked(ch, nil)
	case p.guilds[guild] == nil:
		p.guilds[guild] = &Guild{ID: guild}
	}
	return *ch, p.permissionsLocked(ch, p.guilds[guild].Bot)
}

// permissionsLocked computes what a member with roles may do in a server's channel, as Discord does:
// https://docs.discord.com/developers/topics/permissions#permission-overwrites.
func (p *places) permissionsLocked(ch *Channel, roles []string) (may int64) {
	g := cmp.Or(p.guilds[ch.Guild], &Guild{ID: ch.Guild})
	for _, r := range g.roles() {
		if r.ID == g.ID || slices.Contains(roles, r.ID) {
			may |= r.Permissions
		}
	}
	if may&Administrator != 0 {
		return 1<<53 - 1
	}
	overwrites := cmp.Or(p.channels[ch.Parent], ch).Overwrites
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

// roles returns the server's roles, with the role of everyone.
func (g *Guild) roles() []Role {
	if slices.ContainsFunc(g.Roles, func(r Role) bool { return r.ID == g.ID }) {
		return g.Roles
	}
	return append([]Role{{ID: g.ID, Name: "@everyone", Permissions: everyoneMay}}, g.Roles...)
}

// reachLocked finds a channel that the bot can see, or refuses. It returns the channel and the bot's permissions there.
func (p *places) reachLocked(c *incoming) (*Channel, int64) {
	ch := p.channels[c.PathValue("channel")]
	switch {
	case ch == nil:
		p.refuseLocked(c, http.StatusNotFound, 10003, "Unknown Channel")
	case ch.Guild == "" && ch.Type != ChannelGroup:
		return ch, everyoneMay
	case p.guilds[ch.Guild] != nil:
		if may := p.permissionsLocked(ch, p.guilds[ch.Guild].Bot); may&ViewChannel != 0 {
			return ch, may
		}
	}
	p.refuseLocked(c, http.StatusForbidden, 50001, "Missing Access")
	return nil, 0
}

// channelLocked describes a channel.
func (p *places) channelLocked(c *incoming) reply {
	ch, _ := p.reachLocked(c)
	return ok(*ch)
}

// guildsLocked lists the servers that the bot is in, up to limit after one of them.
func (p *places) guildsLocked(c *incoming) reply {
	list := []object{}
	limit, _ := strconv.Atoi(c.URL.Query().Get("limit"))
	for _, id := range slices.Sorted(maps.Keys(p.guilds)) {
		if id > c.URL.Query().Get("after") && len(list) < cmp.Or(min(limit, 200), 200) {
			list = append(list, object{"id": id, "name": "Guild " + id})
		}
	}
	return ok(list)
}

// guildLocked describes a server that the bot is in.
func (p *places) guildLocked(c *incoming) reply {
	if p.guilds[c.PathValue("guild")] == nil {
		return apiError(http.StatusNotFound, 10004, "Unknown Guild") // no violation: the bot asks for that
	}
	return ok(object{"id": c.PathValue("guild")})
}

// rolesLocked lists a server's roles.
func (p *places) rolesLocked(c *incoming) reply {
	g := p.guilds[c.PathValue("guild")]
	if g == nil {
		return p.refuseLocked(c, http.StatusNotFound, 10004, "Unknown Guild")
	}
	return ok(g.roles())
}

// selfLocked describes the bot as a member of a server.
func (p *places) selfLocked(c *incoming) reply {
	g := p.guilds[c.PathValue("guild")]
	if g == nil {
		return p.refuseLocked(c, http.StatusNotFound, 10004, "Unknown Guild")
	}
	return ok(object{"user": userObject(appID, "fivefold"), "roles": append([]string{}, g.Bot...)})
}

// postLocked takes a message that the bot posts in a channel.
func (p *places) postLocked(c *incoming) reply {
	ch, may := p.reachLocked(c)
	need := int64(SendMessages)
	if ch.Type == ChannelPublicThread || ch.Type == ChannelPrivateThread {
		need = SendMessagesInThread
	}
	if len(c.files) > 0 {
		need |= AttachFiles
	}
	switch {
	case may&need != need:
		return p.refuseLocked(c, http.StatusForbidden, 50013, "Missing Permissions")
	case ch.Locked && ch.Type == ChannelDirect: // no violation: a bot cannot know
		return apiError(http.StatusForbidden, 50007, "Cannot send messages to this user")
	case ch.Locked:
		return p.refuseLocked(c, http.StatusBadRequest, 50083, "Thread is archived")
	}
	var once struct {
		Nonce   string `json:"nonce"`
		Enforce bool   `json:"enforce_nonce"`
	}
	_ = json.Unmarshal(c.body, &once)                        // a body that cannot be read is refused below
	if m := p.nonces[once.Nonce]; once.Enforce && m != nil { // Discord enforces a nonce for a few minutes
		return ok(*m)
	}
	m := p.changedLocked(c, p.newMessageLocked(0, ch.ID, appID), c.body, false)
	p.keepLocked(m)
	if once.Nonce != "" {
		p.nonces[once.Nonce] = m
	}
	return ok(*m)
}

// DirectOf returns the channel of the bot's direct messages with a user.
func DirectOf(user string) string { return "18" + user[2:] }

// openDirectLocked finds or opens the channel of direct messages with a user.
func (p *places) openDirectLocked(c *incoming) reply {
	var to struct {
		User string `json:"recipient_id"`
	}
	if err := json.Unmarshal(c.body, &to); err != nil || len(to.User) < 17 {
		return p.refuseLocked(c, http.StatusBadRequest, 50033, "Invalid Recipient(s)")
	}
	id := DirectOf(to.User)
	if p.channels[id] == nil {
		p.channels[id] = &Channel{ID: id, Type: ChannelDirect}
	}
	return ok(*p.channels[id])
}

// threadLocked starts a thread on a message, which has the message's id.
func (p *places) threadLocked(c *incoming) reply {
	ch, may := p.reachLocked(c)
	var about struct {
		Name string `json:"name" limit:"1-100"`
	}
	var k checker
	k.read(c.body, &about)
	p.checkLocked(c, &k)
	m := p.messages[c.PathValue("message")]
	switch {
	case ch.Type != ChannelText:
		return apiError(http.StatusBadRequest, 50024, "Cannot execute action on this channel type")
	case may&CreatePublicThreads == 0:
		return apiError(http.StatusForbidden, 50013, "Missing Permissions") // no violation: a bot need not know
	case m == nil || m.deleted || m.Channel != ch.ID:
		return p.unknownMessageLocked(c, m)
	case p.channels[m.ID] != nil:
		return apiError(http.StatusBadRequest, 160004, "A thread has already been created for this message")
	}
	p.channels[m.ID] = &Channel{ID: m.ID, Guild: ch.Guild, Type: ChannelPublicThread, Parent: ch.ID, Name: about.Name}
	return reply{status: http.StatusCreated, body: *p.channels[m.ID]}
}

// ownMessageLocked edits or deletes a message of the bot's in a channel.
func (p *places) ownMessageLocked(c *incoming) reply {
	ch, _ := p.reachLocked(c)
	m := p.messages[c.PathValue("message")]
	if m == nil || m.deleted || m.Channel != ch.ID || m.Author.ID != appID || m.Flags&flagEphemeral != 0 { // a channel has no private messages
		return p.unknownMessageLocked(c, m)
	}
	return p.doLocked(c, m)
}
