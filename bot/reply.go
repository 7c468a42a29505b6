package bot

import (
	"context"
	"time"

	"fivefold/game"
)

// Reply is the answer to a player: a small document, for any front to show. A reply without a heading is a notice.
type Reply struct {
	// Audience is Everyone or Asker. A front that can't reply to one player alone shows every reply to everyone.
	Audience Audience
	Tone     Tone
	Heading  Line // the state in at most 40 characters; may be empty
	Subtext  Line // one line below the heading; may be empty
	Blocks   []Block
	// InPlace replies replace the message with the pressed button. It has no effect without a press. An ephemeral reply
	// never replaces a public message.
	InPlace bool
	// Form is shown instead of all else; nil for no form. A front without forms, or too late for one, shows the rest.
	Form *Form
	// Reveal asks for the same reply with [ArgOpen]; nil for no button. A look in words has this button instead of the
	// spoilers.
	Reveal *Button
	// Names are the known names of players. A front mentions the others.
	Names game.Names
	Pings Pings
	// Look is the style of tiles and picture, set by [Bot.Handle]. It is the standard one unless the reply is for the
	// asker alone.
	Look Look
	// Board identifies the match that the reply shows; nil for no match. A front with one message for each match edits
	// that message: see [Request.LiveBoard].
	Board   *Board
	Problem Problem // why the request was not carried out, if its content was not the reason
}

// Pings are those whom a mention in the text notifies, the only ones. Players are mentioned also if their names are known.
type Pings struct {
	Players []game.PlayerID
	Roles   []game.RoleID
}

// Tone is what has happened, for the colour of a reply's edge.
type Tone uint8

// The tones. Calm replies have no colour.
const (
	Calm  Tone = iota
	Happy      // a game was won
	Sad        // a game was lost
	News       // the day's post
)

// Audience says who sees a reply.
type Audience uint8

// The audiences. Undecided is for commands only.
const (
	Everyone  Audience = iota // the whole channel
	Asker                     // the player who asked, alone: ephemeral, on Discord
	Undecided                 // the reply decides
)

// Board is the match that a reply shows, for a front that keeps one message for it.
type Board struct {
	Match    game.MatchID
	Slot     game.Slot     // the front keeps its message under this key
	Location game.Location // where the match was started
	// Version is the version of the match in the reply. A front never replaces a later version by an earlier one.
	Version   uint64
	Changed   time.Time // the time of the latest change, by the clock of the process that made it
	Past      bool      // the slot already has a later match
	Otherwise *Reply    // replaces the reply, for the asker alone, if the front already shows this version; may be nil
	Event     Line      // the latest move of the match in one line; empty before the first
	Acted     bool      // this request made that move: players who can't see the board change are told
	// End says in one line how the match ended, for a channel whose message was deleted. It has no text written by
	// players, and may be empty.
	End Line
	// Later returns the present reply for everyone if its version is later than the given one. It catches up with
	// changes by other processes.
	Later func(ctx context.Context, than uint64) (reply Reply, later bool, err error)
}

// Show shows a board that has changed without a request. It returns at once, calls read once, and shows only a reply
// for everyone.
type Show func(read func(context.Context) (Reply, error))

// Problem is the reason why a correct request was not carried out.
type Problem uint8

const (
	NoProblem Problem = iota
	Failed            // an error on our side
	TooBusy           // too many requests at once
	TooLate           // the request has expired
)

// Ephemeral is a reply that only the asker sees.
func Ephemeral(lines ...Line) Reply { return Reply{Audience: Asker, Blocks: Lines(lines...)} }

// ShownBelow replaces an ephemeral deferred response if the reply turns out to be for everyone, in a message of its
// own.
func ShownBelow() Reply {
	return Ephemeral(Text("The answer is below, where everyone can see it."))
}

// Channels posts replies without a request. A nonce has at most 25 characters: posting again with the same nonce within two
// minutes posts nothing. After an error other than Refused, the reply may have been posted. It is safe for concurrent use.
type Channels interface {
	// Post posts a reply in a channel, for everyone, and returns the front's id of the message.
	Post(ctx context.Context, in game.ChannelID, r Reply, nonce string) (message string, err error)
	// Thread starts a thread on a message, unless there is one.
	Thread(ctx context.Context, in game.ChannelID, message, name string) error
	// HasRole reports whether a server has a role.
	HasRole(ctx context.Context, g game.GuildID, r game.RoleID) (bool, error)
	// Direct posts a reply in a player's direct messages.
	Direct(ctx context.Context, to game.PlayerID, r Reply, nonce string) error
}

// Refused is the error of a post that is refused, as in a locked thread. Its text is Discord's.
type Refused string

func (r Refused) Error() string { return "refused: " + string(r) }
