package game

import (
	"context"
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

// Origin says who asks for a change, where, and by which request.
type Origin struct {
	Request  RequestID
	Location Location
	Player   PlayerID
	Name     string // what the player is called, for [Move.Name]; empty if no one needs to know
	// Made is when the player made the request, by the clock of requests, see [Manager.Now]. The zero time is now.
	Made time.Time
	// Expires is when it is too late to carry the request out: from then on it changes
	// nothing, and is refused with [ErrExpired]. The zero time is never.
	Expires time.Time
}

// CheckExpiry returns [ErrExpired] if it is too late to carry the request out.
func (o Origin) CheckExpiry() error {
	if !o.Expires.IsZero() && !time.Now().Before(o.Expires) {
		return ErrExpired
	}
	return nil
}

// Within returns a context that ends when the request expires, with [ErrExpired] as its
// cause, or when ctx does. It is for all that leads to a change; the commit has [Origin.ForCommit], since after one
// that was cut off, whether the change counts would be unknown.
func (o Origin) Within(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.Expires.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadlineCause(ctx, o.Expires, ErrExpired)
}

// ForCommit returns a context for the commit of the request. A store does not begin it, wherever it has waited, once the
// request has expired: the error is then [ErrExpired]. What has begun is not cut off.
func (o Origin) ForCommit(ctx context.Context) context.Context {
	return context.WithValue(ctx, committing{}, o)
}

// Committing returns the origin of a context of [Origin.ForCommit]; from any other, one that never expires. A store
// checks it last before it begins a transaction that changes something.
func Committing(ctx context.Context) Origin {
	o, _ := ctx.Value(committing{}).(Origin)
	return o
}

type committing struct{}

// Expired returns an error that wraps [ErrExpired] for one that came from the end of a
// context of [Origin.Within], and any other error as it is.
func (o Origin) Expired(err error) error {
	if (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) && o.CheckExpiry() != nil {
		return fmt.Errorf("%w: %w", ErrExpired, err)
	}
	return err
}

// ErrID means that a front passed something that cannot be an identifier.
var ErrID = errors.New("not an identifier")

const maxIDBytes = 100 // Discord's have up to 20

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
