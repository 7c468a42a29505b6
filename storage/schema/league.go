package schema

import (
	"errors"
	"strings"

	"fivefold/game"
	"fivefold/game/league"
	"fivefold/storage/ordered"
)

// Alias is a name in the summaries of a server, with the results that wait until it is confirmed: those of the latest year.
type Alias struct {
	league.Alias
	Waiting []league.Result `json:",omitzero"`
}

// LeagueOf is the prefix of a player's results of the newspaper's puzzle. The number follows.
func LeagueOf(p game.PlayerID) string { return TopicLeague + string(p) + "\x00" }

// AliasesIn is the prefix of the names in a server. The name follows.
func AliasesIn(g game.GuildID) string { return TopicAlias + string(g) + "\x00" }

// AliasedBy is the prefix of the names that a player has claimed. What follows [TopicAlias] in the name's key follows.
func AliasedBy(p game.PlayerID) string { return TopicAliased + string(p) + "\x00" }

// LeagueResult reads a result of the newspaper's puzzle as statistics count it. A missing one is zero.
func LeagueResult(p ordered.Pair) (game.Result, error) {
	r, err := DecodeAs[league.Record](p)
	return r.Result(game.PlayerID(strings.Split(p.Key, "\x00")[1]), int(NumberIn(p.Key))), err
}

// LeagueRecords returns a player's results of the newspaper's puzzle by number. Unreadable ones are left out.
func LeagueRecords(pairs []ordered.Pair) (map[int]league.Record, error) {
	records := map[int]league.Record{}
	for _, p := range pairs {
		r, err := DecodeAs[league.Record](p)
		if err != nil && !errors.Is(err, game.ErrDamaged) {
			return nil, err
		}
		records[int(NumberIn(p.Key))] = r
	}
	return records, nil
}
