package schema

import (
	"fmt"
	"strings"

	"fivefold/game"
	"fivefold/game/league"
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

// DerivedTopics are the topics of records that follow from other records.
var DerivedTopics = []string{TopicHistory, TopicPlayer, TopicOwn, TopicOpen, TopicDue, TopicDaily, TopicSolved, TopicTotal, TopicRank, TopicNumber, TopicAliased}

// DerivedFrom returns the pairs that follow from a record: entries in lists and, for a match, its result.
func (all Codecs) DerivedFrom(p ordered.Pair) ([]ordered.Pair, error) {
	if p.Damaged {
		return nil, damaged(p)
	}
	switch TopicOf(p.Key) + "\x00" {
	case TopicMatch:
		v, err := all.DecodeEnded(p)
		if err != nil {
			return nil, err
		}
		r := v.Result()
		r.LogPosition = v.Position
		data, err := record.Encode(r)
		if err != nil {
			return nil, err
		}
		entries, err := all.EntriesOf(r, v.Named())
		return append(entries, ordered.Pair{Key: ResultKey(v.Position), Value: data}), err
	case TopicResult:
		r, err := DecodeResult(p)
		if err != nil {
			return nil, err
		}
		return append(SolvedIn(r), ordered.Pair{Key: NumberKey(r), Value: Nothing}), nil
	case TopicSlot:
		v, err := all.DecodeSlot(p)
		if err != nil || v.Version == 0 {
			return nil, err
		}
		if SlotKey(v.Slot()) != p.Key {
			return nil, fmt.Errorf("slot: its match is of another one: %w", game.ErrDamaged)
		}
		return append(DueEntry(v.Match), ordered.Pair{Key: OpenKey(v.Unfinished()), Value: []byte(p.Key[len(TopicSlot):])}), nil
	case TopicRace:
		r, err := DecodeRace(p)
		if err != nil || r.Version == 0 {
			return nil, err
		}
		return []ordered.Pair{{Key: RacingKey(r), Value: Nothing}}, nil
	case TopicLeague:
		r, err := LeagueResult(p)
		return DailyEntries(r), err
	case TopicAlias:
		a, err := DecodeAs[Alias](p)
		if err != nil || a.Player == "" {
			return nil, err
		}
		return []ordered.Pair{{Key: AliasedBy(a.Player) + p.Key[len(TopicAlias):], Value: Nothing}}, nil
	case TopicTotal:
		t, scope, err := DecodeTotal(p)
		return Ranks(scope, t), err
	}
	return nil, nil
}

// Source returns the key of the record that p follows from, if p is an entry in a list or a slot whose match has ended. For
// other records the key is empty.
func Source(p ordered.Pair) (key string, err error) {
	if p.Damaged {
		return "", damaged(p)
	}
	switch TopicOf(p.Key) + "\x00" {
	case TopicSlot:
		if id, ended := strings.CutPrefix(string(p.Value), string(EndedIn(""))); ended {
			key = MatchKey(game.MatchID(id))
		}
		return key, nil
	case TopicOpen:
		return TopicSlot + string(p.Value), nil
	case TopicDue:
		return DueRecord(p.Key), nil
	case TopicHistory, TopicPlayer, TopicOwn:
		e, err := DecodeEntry(p)
		return ResultKey(e.Position), err
	case TopicNumber:
		return ResultKey(NumberIn(p.Key)), nil
	case TopicDaily:
		d, position, err := DecodeDaily(p)
		if parts := strings.SplitN(p.Key, "\x00", 4); league.Is(game.Kind(parts[1])) && err == nil {
			return Numbered(LeagueOf(d.Player), NumberIn(p.Key)), nil
		}
		return ResultKey(position), err
	case TopicAliased:
		parts := strings.SplitN(p.Key, "\x00", 4)
		return AliasesIn(game.GuildID(parts[2])) + parts[3], nil
	case TopicRank:
		parts := strings.SplitN(p.Key, "\x00", 5)
		scope := statistics.Scope{Kind: game.Kind(parts[1]), Guild: game.GuildID(parts[2]), Month: parts[3]}.Kept()
		return TotalKey(game.PlayerID(parts[4][RankOrderBytes:]), scope), nil
	}
	return "", nil
}
