package game

import "strings"

// Slot is a place where one match of a kind is played at a time. Each channel has a slot for matches played together. Each player
// has, in every community, one slot each for solo matches, races, challenges and practice. For each daily puzzle, a player has
// one slot everywhere, so the puzzle can be played only once.
type Slot struct {
	Kind      Kind
	Channel   ChannelID // in a channel's slot
	Player    PlayerID  // in a player's slot
	Community string    // in a player's slot, except that for one puzzle: see [Location.Community]
	Puzzle    PuzzleID  // in a player's slot for one puzzle; or the mode, if it is [Racing], [Challenged] or [Practice]
}

// ChannelSlot returns the slot of the matches played together in a channel.
func ChannelSlot(k Kind, c ChannelID) Slot { return Slot{Kind: k, Channel: c} }

// OwnSlot returns the slot of a player's matches in the mode [Solo], [Racing], [Challenged] or [Practice] in the community of a
// location.
func OwnSlot(k Kind, mode Mode, p PlayerID, l Location) Slot {
	s := Slot{Kind: k, Player: p, Community: l.Community()}
	if mode != Solo {
		s.Puzzle = PuzzleID(mode)
	}
	return s
}

// PuzzleSlot returns a player's slot for one puzzle.
func PuzzleSlot(k Kind, p PlayerID, puzzle PuzzleID) Slot {
	return Slot{Kind: k, Player: p, Puzzle: puzzle}
}

// Once reports whether the slot takes only one match, ever.
func (s Slot) Once() bool { return s.Puzzle != "" && s.Community == "" }

// Key names the slot in a store: no two have the same key.
func (s Slot) Key() string {
	if s.Player == "" {
		return strings.TrimSuffix(string(s.Channel)+"\x00"+string(s.Kind)+"\x00"+string(s.Puzzle), "\x00")
	}
	key := PlayerKeyPrefix(s.Player) + string(s.Kind) + "\x00" + string(s.Puzzle)
	if s.Community != "" {
		key += "\x00" + s.Community
	}
	return key
}

// PlayerKeyPrefix returns the prefix of the keys of a player's slots; no other key has it.
func PlayerKeyPrefix(p PlayerID) string { return "\x00" + string(p) + "\x00" }

// Slot returns where the match is played. It is wrong for a finished match in a player's slot once that player has been made
// anonymous.
func (m Match) Slot() Slot {
	switch {
	case !m.Mode.Personal():
		return ChannelSlot(m.Kind, m.Location.Channel)
	case m.Mode == Daily:
		return PuzzleSlot(m.Kind, m.Starter, m.Puzzle)
	}
	return OwnSlot(m.Kind, m.Mode, m.Starter, m.Location)
}
