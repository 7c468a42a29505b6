package schema

import (
	"encoding/binary"
	"fmt"

	"fivefold/game"
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
)

// DecodeTotal reads a player's totals, and their scope. Missing totals are zero, with the player set.
func DecodeTotal(p ordered.Pair) (statistics.Total, statistics.Scope, error) {
	player, scope := ParseTotalKey(p.Key)
	t, err := DecodeAs[statistics.Total](p)
	if err == nil && p.Value == nil {
		t.Player = player
	}
	if err == nil && (player == "" || t.Player != player) {
		err = fmt.Errorf("total: not of the player that its key names: %w", game.ErrDamaged)
	}
	return t, scope, err
}

// Ranks returns the pairs that place a player in leaderboards: that of the scope's guild or, for a month, those of the guilds
// where it counts.
func Ranks(s statistics.Scope, t statistics.Total) (pairs []ordered.Pair) {
	guilds := t.Guilds
	if s.Guild != "" {
		guilds = []game.GuildID{s.Guild}
	}
	for _, guild := range guilds {
		if s.Guild = guild; t.Daily.Played > 0 {
			pairs = append(pairs, ordered.Pair{Key: RanksOf(s) + RankOrder(t.Totals) + string(t.Player), Value: Nothing})
		}
	}
	return pairs
}

// RankOrder returns the part of a key that orders the players of a scope. Players with more puzzles come first, but counts from
// [statistics.RankedFrom] on are equal. Then [statistics.Totals.Compare] decides.
func RankOrder(t statistics.Totals) string {
	const bits = 36 // of the average's fraction: enough to tell apart averages of up to 2^18 puzzles
	key := binary.BigEndian.AppendUint64(RankGroup(t.Daily.Played), uint64(t.Daily.Score())<<bits/uint64(max(1, t.Daily.Played)))
	return string(binary.BigEndian.AppendUint32(key, ^uint32(t.Daily.Played)))
}

// RankGroup returns the first byte of the [RankOrder] of a player with that many puzzles.
func RankGroup(played int) []byte {
	return []byte{byte(statistics.RankedFrom - min(statistics.RankedFrom, played))}
}

// RankOrderBytes is the length of a [RankOrder].
const RankOrderBytes = 13

// TotalIn picks the totals of a key from all totals of its player.
func TotalIn(again statistics.Tally, key string) statistics.Total {
	player, scope := ParseTotalKey(key)
	t := again[scope]
	t.Player = player
	return t
}
