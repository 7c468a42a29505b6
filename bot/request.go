package bot

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"
	"unicode"

	"fivefold/game"
)

// Request is what a player asks for.
type Request struct {
	ID        game.RequestID // the same when a front delivers the same request again
	Location  game.Location
	Player    game.PlayerID
	Name      string // of the player, as others there see it; may be empty
	Context   Context
	Surface   Surface // on which the reply is shown
	MayManage bool    // the player may manage messages in the channel
	// MayRead reports whether the player may read another channel of the same server. If it
	// is nil, or if that is not known, the player may not.
	MayRead         func(context.Context, game.ChannelID) bool
	MayPost         bool              // the bot may post messages in the channel that answer no request
	MayManageServer bool              // the player may change the server's settings
	Command         string            // its name in the [Table], such as "wordle start"
	Args            map[string]string // by option; a FlagOption is "true" or "false", a PlayerOption an identifier
	// Made is when the player made the request, by the clock of requests: Discord's, or our own in a terminal. The zero
	// time is now.
	Made time.Time
	// Expires is when the player stops waiting: the request then changes nothing, but may still be answered. The zero time
	// is never.
	Expires time.Time
	// LiveBoard means that the front keeps one message for each match and edits it: see [Reply.Board]. A hint is then a line
	// of the board.
	LiveBoard     bool
	FromComponent bool // a button or a form made the request, not a typed command
}

// Context is where a request was made. The zero value is a server in which the bot is installed.
type Context struct {
	Place  Place
	Thread bool // of a server's channel
	// UserOnly means that only the player has installed the bot, not the server. The bot is no member there: it can answer,
	// and nothing else.
	UserOnly bool
	// AskerOnly means that the player alone sees every reply, whatever its [Audience]: the server lets no member use their
	// own apps in public.
	AskerOnly bool
}

// Place is what kind of channel a request was made in.
type Place uint8

const (
	InServer Place = iota // a channel or thread of a server
	InDirect              // direct messages between the player and the bot
	InGroup               // private messages between other people, where the bot is not a member
)

// Origin returns the request as package game needs it, without the player's name.
func (r Request) Origin() game.Origin {
	return game.Origin{Request: r.ID, Location: r.Location, Player: r.Player, Made: r.Made, Expires: r.Expires}
}

// Alone reports whether only the player sees what the player shares where the request was made.
func (r Request) Alone() bool { return r.Context.Place == InDirect || r.Context.AskerOnly }

// PrintableName is the player's name on one line.
func (r Request) PrintableName() string {
	return strings.Join(strings.FieldsFunc(r.Name, func(c rune) bool { return !unicode.IsGraphic(c) || unicode.IsSpace(c) }), " ")
}

// Viewer returns the player as package game needs it to show finished matches.
func (r Request) Viewer() game.Viewer {
	return game.Viewer{Player: r.Player, Location: r.Location, MayRead: r.MayRead}
}

// LogValue leaves out the arguments: they are what the player typed.
func (r Request) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("id", string(r.ID)),
		slog.String("guild", string(r.Location.Guild)),
		slog.String("channel", string(r.Location.Channel)),
		slog.String("command", r.Command),
	)
}

// Number reads a number as a player types it, such as "12" or "#12", and reports whether it is one within these bounds.
func Number(typed string, least, most int) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(typed), "#"))
	return n, err == nil && n >= least && n <= most
}

// Quote returns, in quotation marks, what a player typed: on one line, printable and cut to 30 characters.
func Quote(text string) string {
	const most = 30
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return fmt.Sprintf("“%s”", text)
}

// Surface is where a player reads a reply: what there is, and what sentences call it.
type Surface uint8

const (
	InChat     Surface = iota // Discord, with buttons, servers and people who look after their channels
	InTerminal                // where everything is typed, and somebody owns the terminal
)

// HasButtons reports whether a reply's buttons are shown.
func (s Surface) HasButtons() bool { return s == InChat }

// Manager is who may stop anybody's game, besides its starter.
func (s Surface) Manager() string {
	if s == InTerminal {
		return "the owner of this terminal"
	}
	return "someone who can manage messages here"
}

// Lists reports whether help lists a command. The preferences of a server are those of one person in a
// terminal, who has their own, and nothing is posted there.
func (s Surface) Lists(c Command) bool {
	if s.HasButtons() {
		return !c.Pressed
	}
	return c.Name != NameDayPost && c.Name != NameServerPreferences
}
