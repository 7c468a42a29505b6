package game

import "maps"

// Names are the display names of players, as far as they are known: on one line, and of up to 32 characters, as on Discord. It is a
// value: no method changes it.
type Names map[PlayerID]string

// With returns the names with a player's latest one. An empty name means that it is not known, and changes nothing.
func (n Names) With(p PlayerID, name string) Names {
	if name == "" || n[p] == name {
		return n
	}
	all := make(Names, len(n)+1)
	maps.Copy(all, n)
	all[p] = name
	return all
}

// Of returns the names of the players that are kept; nil if there is none.
func (n Names) Of(kept func(PlayerID) bool) Names {
	n = maps.Clone(n)
	if maps.DeleteFunc(n, func(p PlayerID, _ string) bool { return !kept(p) }); len(n) == 0 {
		return nil
	}
	return n
}
