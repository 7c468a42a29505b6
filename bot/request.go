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

// Request is a player's request.
type Request struct {
	ID        game.RequestID // the same when a front delivers the request again
	Location  game.Location
	Player    game.PlayerID
	Name      string     // the player's name as others there see it; may be empty
	Global    string     // the player's name outside all servers; may be empty
	Others    game.Names // the names of the players that options name, as others there see them
	Context   Context
	Surface   Surface // the front that shows the reply
	MayManage bool    // the player may manage messages in the channel
	// Roles are those that the player has in the server, without the one that everyone has.
	Roles []game.RoleID
	// MayRead reports whether the player may read another channel of the same server; false if unknown. A nil MayRead
	// permits no other channel.
	MayRead         func(context.Context, game.ChannelID) bool
	MayPost         bool              // the bot may post messages in the channel without a request
	MayEdit         bool              // the bot may edit its messages in the channel without a request
	Server          Server            // looks up the server; set in servers only
	MayManageServer bool              // the player may change the server's settings
	Command         string            // name in the [Table], such as "wordle start"
	Args            map[string]string // by option; a FlagOption is "true" or "false", a PlayerOption an identifier
	Message         *Message          // the one that an OnMessage command is used on; nil for a press of its buttons
	// Made is when the player made the request, by Discord's clock, or by our own in a terminal. Zero means now.
	Made time.Time
	// Expires is when the player stops waiting. The request then changes nothing, but may still be answered. Zero means
	// never.
	Expires time.Time
	// LiveBoard means that the front keeps one message for each match and edits it: see [Reply.Board]. A hint is then a
	// line of the board.
	LiveBoard     bool
	FromComponent bool // made by a button or a form, not by a typed command
}

// Message is a message in a channel.
type Message struct {
	Author  game.PlayerID // or an app
	Text    string        // all of it, also that of embeds and components
	Written time.Time
	Names   game.Names // of the players it mentions, outside all servers
}

// Server looks up roles and channels of a server. If Discord doesn't say, a role exists, and the bot may post.
type Server interface {
	HasRole(context.Context, game.RoleID) (bool, error)
	MayPost(context.Context, game.ChannelID) (bool, error)
}

// Context is where a request was made. The zero value is a server with the bot installed.
type Context struct {
	Place  Place
	Thread bool           // a thread of a server's channel
	Parent game.ChannelID // the channel of the thread; may be unknown
	// UserOnly means that the player has installed the bot, and the server hasn't. The bot is not a member there and
	// can only answer.
	UserOnly bool
	// AskerOnly means that only the player sees the replies, whatever their [Audience]: the server lets no member use
	// their own apps in public.
	AskerOnly bool
}

// Place is the kind of channel where a request was made.
type Place uint8

const (
	InServer Place = iota // a channel or thread of a server
	InDirect              // direct messages between the player and the bot
	InGroup               // private messages between other people; the bot is not a member
)

// Origin returns the request as package game needs it.
func (r Request) Origin() game.Origin {
	return game.Origin{
		Request: r.ID, Location: r.Location, Player: r.Player, Name: r.PrintableName(), Global: Printable(r.Global), Made: r.Made, Expires: r.Expires,
	}
}

// Alone reports whether only the player would see a result shared here.
func (r Request) Alone() bool { return r.Context.Place == InDirect || r.Context.AskerOnly }

// PrintableName is the player's name on one line, as [game.Names] have it.
func (r Request) PrintableName() string { return Printable(r.Name) }

// Printable returns a name on one line, in valid UTF-8 and cut to the length that Discord's have at most.
func Printable(name string) string {
	const most = 32
	line := []rune(strings.Join(strings.FieldsFunc(name, func(c rune) bool { return !unicode.IsGraphic(c) || unicode.IsSpace(c) }), " "))
	return string(line[:min(most, len(line))])
}

// Viewer returns the player as package game needs it to show finished matches.
func (r Request) Viewer() game.Viewer {
	return game.Viewer{Player: r.Player, Location: r.Location, MayRead: r.MayRead}
}

// LogValue leaves out the arguments, which players type.
func (r Request) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("id", string(r.ID)),
		slog.String("guild", string(r.Location.Guild)),
		slog.String("channel", string(r.Location.Channel)),
		slog.String("command", r.Command),
	)
}

// Number reads a number as players type it, such as "12" or "#12". It reports whether the number is valid and within
// the bounds.
func Number(typed string, least, most int) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(typed), "#"))
	return n, err == nil && n >= least && n <= most
}

// Quote returns typed text in quotation marks, on one line, printable and cut to 30 characters.
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

// Surface is the kind of front that shows a reply.
type Surface uint8

const (
	InChat     Surface = iota // Discord, with buttons, servers and moderators
	InTerminal                // everything is typed; the terminal has one owner
)

// HasButtons reports whether replies have buttons.
func (s Surface) HasButtons() bool { return s == InChat }

// Manager names the people who may stop any game, besides its starter.
func (s Surface) Manager() string {
	if s == InTerminal {
		return "the owner of this terminal"
	}
	return "someone who can manage messages here"
}

// Lists reports whether help lists a command. A terminal leaves out a server's settings.
func (s Surface) Lists(c Command) bool {
	if s.HasButtons() {
		return !c.Pressed && !c.OnMessage
	}
	return c.Name != NameSettings && !c.OnMessage
}
