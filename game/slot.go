package game

import "strings"

// Slot is a place where one match of a kind is played at a time. For each kind, a
// channel has a slot for matches played together, and a player has one in each
// community for solo matches, another one there for races, and one for each daily puzzle wherever it is played. A
// daily puzzle can be played only once; clearing the history leaves a mark of today's.
type Slot struct {
	Kind      Kind
	Channel   ChannelID // in a channel's slot
	Player    PlayerID  // in a player's slot
	Community string    // in a player's slot for solo matches: see [Location.Community]
	Puzzle    PuzzleID  // in a player's slot for one puzzle, and where else more than kind and place are needed
}

// ChannelSlot returns the slot of the matches played together in a channel.
func ChannelSlot(k Kind, c ChannelID) Slot { return Slot{Kind: k, Channel: c} }

// SoloSlot returns the slot of the matches that a player plays alone in the community of
// a location.
func SoloSlot(k Kind, p PlayerID, l Location) Slot {
	return Slot{Kind: k, Player: p, Community: l.Community()}
}

// PuzzleSlot returns a player's slot for one puzzle.
func PuzzleSlot(k Kind, p PlayerID, puzzle PuzzleID) Slot {
	return Slot{Kind: k, Player: p, Puzzle: puzzle}
}

// raceSlots, in place of a puzzle, names the slots of a player's races.
const raceSlots PuzzleID = "race"

// RaceSlot returns the slot of the races that a player runs in the community of a location.
func RaceSlot(k Kind, p PlayerID, l Location) Slot {
	return Slot{Kind: k, Player: p, Community: l.Community(), Puzzle: raceSlots}
}

// archiveSlots does the same for past daily puzzles that a player practises.
const archiveSlots PuzzleID = "archive"

// ArchiveSlot returns the slot of the past daily puzzles that a player practises in the community of a location.
func ArchiveSlot(k Kind, p PlayerID, l Location) Slot {
	return Slot{Kind: k, Player: p, Community: l.Community(), Puzzle: archiveSlots}
}

// Once reports whether one match at most is ever played in the slot.
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

// Slot returns where the match is played. For a finished match in a player's slot that
// is wrong once the player's name has been cleared from it.
func (m Match) Slot() Slot {
	switch {
	case m.Mode == Racing:
		return RaceSlot(m.Kind, m.Starter, m.Location)
	case m.Mode == Archive:
		return ArchiveSlot(m.Kind, m.Starter, m.Location)
	case m.Mode.Personal() && m.Puzzle != "":
		return PuzzleSlot(m.Kind, m.Starter, m.Puzzle)
	case m.Mode.Personal():
		return SoloSlot(m.Kind, m.Starter, m.Location)
	}
	return ChannelSlot(m.Kind, m.Location.Channel)
}
