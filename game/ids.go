package game

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
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

// Made returns when the request was made by Discord's clock, which is in its id if that is
// a snowflake: see discord.com/developers/docs/reference#snowflakes. Other fronts' ids
// do not say when.
func (r RequestID) Made() (at time.Time, ok bool) {
	const (
		epoch     = 1_420_070_400_000 // 2015-01-01, in milliseconds
		oldest    = 17                // digits, from July 2015 on
		otherBits = 22
	)
	id, err := strconv.ParseUint(string(r), 10, 64)
	if err != nil || len(r) < oldest {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(id>>otherBits) + epoch).UTC(), true
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

// GuildOf returns the guild of a community, and whether it is that of one.
func GuildOf(community string) (GuildID, bool) {
	guild, ok := strings.CutPrefix(community, "guild/")
	return GuildID(guild), ok
}

// Origin says who asks for a change, where, and by which request.
type Origin struct {
	Request  RequestID
	Location Location
	Player   PlayerID
}

// ErrID means that a front passed something that cannot be an identifier.
var ErrID = errors.New("not an identifier")

const maxIDBytes = 100 // bytes; Discord's have 20

// Check returns nil, or an error that wraps [ErrID] and names the field that cannot be
// an identifier. Only the guild may be empty.
func (o Origin) Check() error {
	for _, id := range []struct {
		name, value string
		empty       bool // may be empty
	}{
		{"request", string(o.Request), false},
		{"guild", string(o.Location.Guild), true},
		{"channel", string(o.Location.Channel), false},
		{"player", string(o.Player), false},
	} {
		if id.value == "" && !id.empty || len(id.value) > maxIDBytes || strings.ContainsRune(id.value, 0) || !utf8.ValidString(id.value) {
			return fmt.Errorf("%s: %w", id.name, ErrID)
		}
	}
	return nil
}
