package game

import (
	"strconv"
	"time"
)

// Identifiers as the front knows them: Discord's snowflakes, names in the
// terminal. They are opaque here: 1 to 100 bytes of UTF-8 without NUL.
type (
	GuildID   string // a server; empty for direct messages
	ChannelID string
	PlayerID  string // empty in a finished match for a player who has cleared their history
	// RequestID is the same when a front delivers the same request again, and
	// never otherwise. Later ones are greater as text, with rare exceptions: a
	// store may use that order to forget the oldest.
	RequestID string
	// MatchID is the RequestID of the request that started the match.
	MatchID string
)

// Made returns the time, by Discord's clock, at which the request was made. The id holds it
// if it is a snowflake: see discord.com/developers/docs/reference#snowflakes. Other fronts'
// ids do not, and ok is false.
func (r RequestID) Made() (at time.Time, ok bool) {
	const (
		epoch     = 1_420_070_400_000 // 2015-01-01, in milliseconds
		oldest    = 17                // digits, from the end of January 2015 on
		otherBits = 22
	)
	id, err := strconv.ParseUint(string(r), 10, 64)
	if err != nil || len(r) < oldest {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(id>>otherBits) + epoch).UTC(), true
}

// MadeOr is Made; for an id that does not hold it, it returns the time that is given.
func (r RequestID) MadeOr(at time.Time) time.Time {
	if made, ok := r.Made(); ok {
		return made
	}
	return at
}

// Location is where a match is played.
type Location struct {
	Guild   GuildID
	Channel ChannelID
}

// Community names the players who share a history, and to whom the same answer does
// not come again soon: those of a server or, in direct messages, of the channel. It is
// the key of their history.
func (l Location) Community() string {
	if l.Guild != "" {
		return "guild/" + string(l.Guild)
	}
	return "channel/" + string(l.Channel)
}
