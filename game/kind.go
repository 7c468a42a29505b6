package game

import (
	"strconv"
)

// Kind is which game a match is of.
type Kind string

// The games.
const (
	Wordle Kind = "wordle" // the word game
	Pokle  Kind = "pokle"  // the poker game
)

// Mode is who plays a match.
type Mode string

// The modes. The zero value is Together.
const (
	Together Mode = ""      // everybody in the channel
	Solo     Mode = "solo"  // who started it, alone
	Daily    Mode = "daily" // the same, with the puzzle of the day
)

// Own reports whether a match of this mode belongs to one player, who alone sees it
// while it is played.
func (m Mode) Own() bool { return m != Together }

func (m Mode) known() bool { return m == Together || m == Solo || m == Daily }

// Table is where matches are played one after another: a channel has one for each
// game, and so has a player for matches of their own. A daily puzzle has a table
// for each player and day, which sees one match only.
type Table struct {
	Kind    Kind
	Channel ChannelID // of what is played together; empty otherwise
	Player  PlayerID  // whose own it is; empty in a channel
	Day     int       // the number of the daily puzzle; 0 for no daily one
}

// ChannelTable is the table of what is played together in a channel.
func ChannelTable(k Kind, c ChannelID) Table { return Table{Kind: k, Channel: c} }

// Key names the table in a store: no two have the same, and no identifier is one
// but a channel's, which is its table's for the word game. What a player owns
// begins with the key of the player's table for solo matches.
func (t Table) Key() string {
	switch {
	case t.Player != "":
		key := "\x00" + string(t.Kind) + "\x00" + string(t.Player)
		if t.Day != 0 {
			key += "\x00" + strconv.Itoa(t.Day)
		}
		return key
	case t.Kind == Wordle:
		return string(t.Channel)
	}
	return string(t.Channel) + "\x00" + string(t.Kind)
}

// Table returns where the match is played. It is not known of a finished match of
// somebody's own once they have cleared their history.
func (m Match) Table() Table {
	if m.Mode.Own() {
		return Table{Kind: m.Kind(), Player: m.Starter, Day: m.Day}
	}
	return ChannelTable(m.Kind(), m.Place.Channel)
}

// Scope is what totals and leaderboards are kept for: a game in a guild or, for the
// empty guild, everywhere.
type Scope struct {
	Kind  Kind
	Guild GuildID
}
