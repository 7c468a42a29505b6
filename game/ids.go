package game

// Identifiers as the front knows them: the ids of Discord, names in the terminal. They are opaque here: 1 to 100 bytes of UTF-8
// without NUL.
type (
	GuildID   string // a server; empty for direct messages
	RoleID    string // a role in a server
	ChannelID string
	PlayerID  string // empty in a finished match for a player who has deleted their data
	// RequestID names one request: a repeated delivery has the same id, another request never. Later ids are greater as text,
	// with rare exceptions. So a store may forget the smallest ones first.
	RequestID string
	// MatchID is the RequestID of the request that started the match.
	MatchID string
)

// Location is where a match is played.
type Location struct {
	Guild   GuildID
	Channel ChannelID
}

// Community names the players who share a history and do not get the same answer again soon: those of a server or, in direct
// messages, of the channel. Stores keep the history under this name.
func (l Location) Community() string {
	if l.Guild != "" {
		return "guild/" + string(l.Guild)
	}
	return "channel/" + string(l.Channel)
}
