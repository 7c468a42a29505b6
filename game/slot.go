package game

// Slot is where matches of a kind follow one another, one at a time: a channel has
// a slot for each kind, a player has one for solo matches, and one for each daily
// puzzle, which sees one match only.
type Slot struct {
	Kind    Kind
	Channel ChannelID // of a slot for everybody there; empty otherwise
	Player  PlayerID  // of a slot of the player's own; empty otherwise
	Puzzle  PuzzleID  // of a player's slot for one puzzle; empty otherwise
}

// ChannelSlot is the slot of what is played together in a channel.
func ChannelSlot(k Kind, c ChannelID) Slot { return Slot{Kind: k, Channel: c} }

// Key names the slot in a store: no two have the same. The keys of all a player's
// slots begin with that of [OwnKey].
func (s Slot) Key() string {
	if s.Player == "" {
		return string(s.Channel) + "\x00" + string(s.Kind)
	}
	return OwnKey(s.Player) + string(s.Kind) + "\x00" + string(s.Puzzle)
}

// OwnKey is what the keys of all slots of a player begin with, and no others.
func OwnKey(p PlayerID) string { return "\x00" + string(p) + "\x00" }

// Slot returns where the match is played. Nobody can tell of a finished match of
// a player's own once the player has cleared their history.
func (m Match) Slot() Slot {
	if m.Mode.Own() {
		return Slot{Kind: m.Kind, Player: m.Starter, Puzzle: m.Puzzle}
	}
	return ChannelSlot(m.Kind, m.Location.Channel)
}

// Scope is what totals and leaderboards are kept for: a kind of game in a guild or,
// for the empty guild, everywhere.
type Scope struct {
	Kind  Kind
	Guild GuildID
}
