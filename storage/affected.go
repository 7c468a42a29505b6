package storage

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// Affected is a game, or something else of somebody, that something is wrong with. What is not known is empty.
type Affected struct {
	What, Where, Who string
	Ended            time.Time
	Derived          bool // as in [Finding]: nothing of it is lost
}

// naming gathers what findings are about, by its key.
type naming map[string]*Affected

// add notes a finding.
func (n naming) add(f Finding) {
	a, key := affectedBy(f.Key)
	a.Derived = f.Derived && (n[key] == nil || n[key].Derived)
	n[key] = &a
}

// tell calls say for each game or the like, those with losses first. Whichever of a match and its result can be read
// says whose the other is.
func (n naming) tell(ctx context.Context, s *Store, say func(Affected)) error {
	if len(n) == 0 || say == nil {
		return nil
	}
	for _, topic := range []string{topicResult, topicMatch} { // the match has the last word
		err := s.each(ctx, ordered.Prefix(topic), func(batch []ordered.Pair) error {
			for _, p := range batch {
				var r game.Result
				var key string
				if topic == topicResult {
					r, _ = s.decodeResult(p) // if it cannot be read, it is for its match to say
					key = p.Key
				} else if v, err := s.decodeEnded(p); err == nil {
					r, key = v.Result(), resultKey(v.place)
				}
				match, result := n[matchKey(r.Match)], n[key]
				if r.Match == "" || match == nil && result == nil {
					continue
				}
				a := affectedIn(r)
				a.Derived = match == nil || match.Derived // a result follows from its match
				delete(n, key)
				n[matchKey(r.Match)] = &a
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	lost := map[bool]int{true: 1}
	for _, a := range slices.SortedFunc(maps.Values(n), func(a, b *Affected) int {
		return cmp.Or(lost[a.Derived]-lost[b.Derived], b.Ended.Compare(a.Ended), cmp.Compare(a.What, b.What))
	}) {
		say(*a)
	}
	return nil
}

// affectedIn says whose a finished game is.
func affectedIn(r game.Result) Affected {
	a := Affected{What: fmt.Sprintf("%s game %s", r.Kind, r.Match), Where: "channel " + string(r.Location.Channel), Ended: r.Ended}
	if r.Location.Guild != "" {
		a.Where = "server " + string(r.Location.Guild) + ", " + a.Where
	}
	var players []string
	for _, p := range r.Participants {
		players = append(players, string(p.Player))
	}
	a.Who = strings.Join(players, ", ")
	return a
}

// affectedBy says what a key tells of whose it is, and returns the key of the game or the like.
func affectedBy(key string) (a Affected, of string) {
	parts := append(strings.Split(key, "\x00"), "", "", "") // a damaged key may have fewer
	switch topic := parts[0] + "\x00"; topic {
	case topicMatch, topicReview:
		return Affected{What: "game " + parts[1]}, matchKey(game.MatchID(parts[1]))
	case topicResult:
		return Affected{What: "game"}, key
	case topicSlot, topicBoard:
		of = topicSlot + strings.TrimPrefix(key, topic)
		if parts[1] == "" { // a player's
			return Affected{What: "latest " + parts[3] + " game", Who: parts[2]}, of
		}
		return Affected{What: "latest " + parts[2] + " game", Where: "channel " + parts[1]}, of
	case topicRace:
		return Affected{What: parts[1] + " race", Where: "channel " + parts[2]}, key
	case topicTotal, topicPlayer, topicOwn:
		return Affected{What: "statistics and lists", Who: parts[1]}, topicTotal + parts[1]
	case topicSession, topicLook:
		return Affected{What: parts[0], Who: parts[1]}, key
	}
	return Affected{What: parts[0]}, parts[0]
}
