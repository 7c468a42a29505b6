package storage

import (
	"bytes"
	"fmt"
	"strings"

	"fivefold/game"
	"fivefold/storage/ordered"
)

// derivedTopics are those of what follows from other data.
var derivedTopics = []string{topicHistory, topicPlayer, topicOwn, topicOpen, topicRacing, topicDaily, topicSolved, topicTotal, topicRank, topicNumber}

// follows returns what follows from a slot, a race or totals alone: a place in a list.
func (s *Store) follows(p ordered.Pair) ([]ordered.Pair, error) {
	switch topicOf(p.Key) + "\x00" {
	case topicSlot:
		v, err := s.decodeSlot(p)
		if err != nil || v.Version == 0 {
			return nil, err
		}
		if slotKey(v.Slot()) != p.Key {
			return nil, fmt.Errorf("slot: its match is of another one: %w", game.ErrDamaged)
		}
		return []ordered.Pair{{Key: openKey(v.Unfinished("")), Value: []byte(p.Key[len(topicSlot):])}}, nil
	case topicRace:
		r, err := decodeRace(p)
		if err != nil || r.Version == 0 {
			return nil, err
		}
		return []ordered.Pair{{Key: racingKey(r), Value: nothing}}, nil
	case topicTotal:
		t, scope, err := decodeTotal(p)
		return ranks(scope, t), err
	}
	return nil, nil
}

// source returns the key of what a record follows from: a place in a list, or a slot whose match has ended. It is empty
// for other records.
func source(p ordered.Pair) (key string, err error) {
	switch topicOf(p.Key) + "\x00" {
	case topicSlot:
		if id, ended := strings.CutPrefix(string(p.Value), string(endedIn(""))); ended {
			key = matchKey(game.MatchID(id))
		}
		return key, nil
	case topicOpen:
		return topicSlot + string(p.Value), nil
	case topicRacing:
		return raceOfDue(p.Key), nil
	case topicHistory, topicPlayer, topicOwn:
		e, err := decodeHistoryEntry(p)
		return resultKey(e.place), err
	case topicNumber:
		return resultKey(numberIn(p.Key)), nil
	case topicDaily:
		_, place, err := decodeDaily(p)
		return resultKey(place), err
	case topicRank:
		parts := strings.SplitN(p.Key, "\x00", 5)
		scope := game.Scope{Kind: game.Kind(parts[1]), Guild: game.GuildID(parts[2]), Month: parts[3]}.Kept()
		return totalKey(game.PlayerID(parts[4][rankOrderBytes:]), scope), nil
	}
	return "", nil
}

// differs reports whether a record is missing or is not what it should be.
func differs(there, want ordered.Pair) bool {
	return there.Damaged || there.Value == nil || !bytes.Equal(there.Value, want.Value)
}
