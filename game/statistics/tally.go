package statistics

import (
	"slices"

	"fivefold/game"
)

// Total is the record of a player's totals in a scope. A month has one record for all guilds, with the guilds where it counts.
type Total struct {
	LogPosition uint64 // place in the log of the result counted last
	Totals
	Guilds []game.GuildID `json:",omitzero"` // in whose leaderboards a month counts, in their order
}

// MostGuilds is in how many guilds a player's month can count.
const MostGuilds = 20

// Tally is one player's totals.
type Tally map[Scope]Total

// TallyOf counts all totals again from a log of results, in its order: the same as a store keeps. Players who have deleted
// their data have none.
func TallyOf(results []game.Result) map[game.PlayerID]Tally {
	all := map[game.PlayerID]Tally{}
	for _, r := range results {
		for _, p := range r.Known() {
			if all[p.Player] == nil {
				all[p.Player] = Tally{}
			}
			all[p.Player].Add(r, p)
		}
	}
	return all
}

// Of returns the totals of a scope. They are zero for a month in a guild where it does not count.
func (t Tally) Of(s Scope) Totals {
	total := t[s.Kept()]
	if s != s.Kept() && !slices.Contains(total.Guilds, s.Guild) {
		return Totals{}
	}
	return total.Totals
}

// Add counts a result. A daily puzzle counts in every guild in which its month does. Add returns the guilds in which the month
// may not count, as [Tally.Enter] says.
func (t Tally) Add(r game.Result, p game.Participant) (outside []game.GuildID) {
	scopes, month := Scopes(r), Scope{Kind: r.Kind, Month: r.Month()}
	if month.Month != "" {
		scopes = append(scopes[:2], scopesIn(r.Kind, t[month].Guilds)...) // in place of the guilds of its own tables
	}
	for _, s := range scopes {
		total := t[s]
		total.Totals, total.LogPosition = total.add(s, r, p), max(total.LogPosition, r.LogPosition)
		t[s] = total
	}
	for _, month.Guild = range r.Tables() {
		if month.Month != "" && !t.Enter(month) {
			outside = append(outside, month.Guild)
		}
	}
	return outside
}

// Enter makes all of the scope's month count in its guild from now on. It reports false if the month already counts in
// [MostGuilds] others.
func (t Tally) Enter(s Scope) bool {
	month := t[s.Kept()]
	at, there := slices.BinarySearch(month.Guilds, s.Guild)
	if there || len(month.Guilds) >= MostGuilds {
		return there
	}
	month.Guilds = slices.Insert(slices.Clone(month.Guilds), at, s.Guild)
	always := Scope{Kind: s.Kind, Guild: s.Guild}
	total := t[always]
	total.Player, total.LogPosition, total.Daily = month.Player, max(total.LogPosition, month.LogPosition), total.Daily.Plus(month.Daily)
	t[s.Kept()], t[always] = month, total
	return true
}

// Scopes returns the scopes in which a result counts: everywhere and in the guilds of its tables; a daily puzzle also in its
// month.
func Scopes(r game.Result) []Scope {
	scopes := []Scope{{Kind: r.Kind}}
	if month := r.Month(); month != "" {
		scopes = append(scopes, Scope{Kind: r.Kind, Month: month})
	}
	return append(scopes, scopesIn(r.Kind, r.Tables())...)
}

func scopesIn(k game.Kind, guilds []game.GuildID) []Scope {
	return game.Each(guilds, func(g game.GuildID) Scope { return Scope{Kind: k, Guild: g} })
}
