package bot

// Context is where a request was made. The zero value is a server in which the bot is
// installed.
type Context struct {
	Place  Place
	Thread bool // of a server's channel
	// UserOnly means that only the player has installed the bot, not the server. The bot is
	// then no member there: it can answer, but it can post or edit nothing by itself.
	UserOnly bool
	// AskerOnly means that the player alone sees every reply, whatever its [Audience]: the
	// server does not let members use their own apps in public.
	AskerOnly bool
}

// Place is what kind of channel a request was made in.
type Place uint8

// The places.
const (
	InServer Place = iota // a channel or thread of a server
	InDirect              // direct messages between the player and the bot
	InGroup               // private messages between other people, where the bot is no member
)

// Permissions is what the bot may do in a channel by itself. Replies to a request need
// none of them.
type Permissions struct {
	Edit bool // messages of its own that everyone sees
	Post bool // messages
}
