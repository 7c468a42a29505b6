package storage

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/game/league"
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// waitFor is how many days of results wait under a name that is nobody's.
const waitFor = 366

// Import implements [league.Store].
func (s *Store) Import(ctx context.Context, by game.Origin, results []league.Result) (done league.Imported, err error) {
	if by.Made.IsZero() {
		by.Made = time.Now()
	}
	var names []string
	for _, r := range results {
		if err := r.Check(by); err != nil {
			return done, err
		}
		if r.Player == "" {
			names = append(names, r.Name)
		}
	}
	err = s.change(by.ForCommit(ctx), func(p *plan) {
		done = league.Imported{}
		aliases, brought := p.aliases(ctx, by.Location.Guild, names...), map[game.PlayerID][]league.Result{}
		for _, r := range results {
			a, owner := aliases[r.Name], r.Player
			if owner == "" && a.Confirmed {
				owner = a.Player
			}
			if owner != "" {
				brought[owner] = append(brought[owner], r)
			} else {
				a.wait(r)
				done.Waiting = append(done.Waiting, r)
			}
		}
		for _, player := range slices.Sorted(maps.Keys(brought)) {
			p.bring(ctx, player, by.Location.Guild, brought[player], aliases, &done)
		}
		p.saveAliases(aliases)
	})
	return done, err
}

// bring plans to add results to a player's. Those without a player are the player's by their name. It adds to done what becomes of them.
func (p *plan) bring(ctx context.Context, player game.PlayerID, guild game.GuildID, results []league.Result, aliases map[string]*alias, done *league.Imported) {
	p.editLeague(ctx, player, func(records map[int]league.Record) (changed []int) {
		for _, r := range results {
			s := league.Source{Guild: guild, Official: r.Official, Won: r.Won, Guesses: r.Guesses, Hard: r.Hard}
			if r.Player == "" {
				s.Alias, r.Name = r.Name, aliases[r.Name].Called
			}
			before := records[r.Number]
			now, added := before.With(s)
			if added {
				now.Name = cmp.Or(r.Name, now.Name)
				records[r.Number], changed = now, append(changed, r.Number)
			}
			of, list := now.Of(), &done.Known
			switch here := slices.ContainsFunc(before.Sources, func(s league.Source) bool { return s.Guild == guild }); {
			case of.Official && len(before.Sources) > 0 && !before.Of().Official:
				list = &done.Replaced
			case added && !here:
				list = &done.New
			}
			*list = append(*list, league.Result{Player: player, Name: r.Name, Number: r.Number, Won: of.Won, Guesses: of.Guesses, Hard: of.Hard, Official: of.Official})
		}
		return changed
	})
}

// editLeague plans changes of a player's records of the newspaper's puzzle. The function edit makes them, and returns the numbers of the
// changed ones. Totals are counted again from all of the player's records.
func (p *plan) editLeague(ctx context.Context, player game.PlayerID, edit func(records map[int]league.Record) (changed []int)) {
	totalsOf := func(k game.Kind) ordered.Query { return ordered.Prefix(schema.TotalsOf(player) + string(k) + "\x00") }
	// Totals come first: newer ones than their records would not conflict.
	answers := p.read(ctx, totalsOf(league.Official), totalsOf(league.Claimed), ordered.Prefix(schema.LeagueOf(player)))
	records, err := schema.LeagueRecords(answers[2])
	p.fail(err)
	changed := edit(records)
	if len(changed) == 0 || p.err != nil {
		return
	}
	slices.Sort(changed)
	for _, number := range slices.Compact(changed) {
		before := ordered.Pair{Key: schema.Numbered(schema.LeagueOf(player), uint64(number))}
		if i := slices.IndexFunc(answers[2], func(p ordered.Pair) bool { return p.Key == before.Key }); i >= 0 {
			before = answers[2][i]
		}
		p.replace(before, records[number], len(records[number].Sources) > 0)
	}
	before, there := p.tally(ctx, slices.Concat(answers[0], answers[1]))
	now := statistics.TallyOf(league.Results(player, records))[player]
	for scope := range now {
		if _, counted := before[scope]; !counted {
			missing := ordered.Pair{Key: schema.TotalKey(player, scope)}
			there, p.change.If = append(there, missing), append(p.change.If, missing)
		}
	}
	p.setTotals(there, before, now)
}

// replace plans to store a record under a pair's key, or to remove it unless keep is set, with what follows from it.
func (p *plan) replace(before ordered.Pair, v any, keep bool) {
	now := ordered.Pair{Key: before.Key}
	if keep {
		data, err := record.Encode(v)
		p.fail(err)
		now.Value = data
	}
	p.swap(before, now)
}

// swap plans to store a pair in place of another one with the same key, with what follows from it.
func (p *plan) swap(before, now ordered.Pair) {
	if bytes.Equal(now.Value, before.Value) {
		return
	}
	old, err := p.store.codecs.DerivedFrom(before)
	p.fail(p.store.unlessDamaged(err)) // the check mends what followed
	follows, err := p.store.codecs.DerivedFrom(now)
	p.change.If = append(p.change.If, before)
	p.set(append(replaced(old, follows), now), err)
}

// alias is a name that may be changed.
type alias struct {
	there ordered.Pair
	schema.Alias
}

// wait keeps a result under the name. Of two results of a puzzle the first stays. All are official and have this name.
func (a *alias) wait(r league.Result) {
	r.Name, r.Official = "", false
	if !slices.ContainsFunc(a.Waiting, func(w league.Result) bool { return w.Number == r.Number }) {
		a.Waiting = append(a.Waiting, r)
		latest := slices.MaxFunc(a.Waiting, func(v, w league.Result) int { return v.Number - w.Number }).Number
		a.Waiting = slices.DeleteFunc(a.Waiting, func(w league.Result) bool { return w.Number <= latest-waitFor })
	}
}

// aliases reads names in a server. An unreadable one is nobody's.
func (p *plan) aliases(ctx context.Context, guild game.GuildID, names ...string) map[string]*alias {
	all := map[string]*alias{}
	slices.Sort(names)
	names = slices.Compact(names)
	for i, there := range p.get(ctx, game.Each(names, func(name string) string { return schema.AliasesIn(guild) + name })...) {
		a, err := schema.DecodeAs[schema.Alias](there)
		p.fail(p.store.unlessDamaged(err))
		a.Name = names[i]
		all[names[i]] = &alias{there, a}
	}
	return all
}

// saveAliases plans to store the names that have changed. One that is nobody's and has no results is removed.
func (p *plan) saveAliases(all map[string]*alias) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p.replace(all[name].there, all[name].Alias, all[name].Player != "" || len(all[name].Waiting) > 0)
	}
}

// changeAlias changes a name in the server of by.
func (s *Store) changeAlias(ctx context.Context, by game.Origin, name string, change func(*plan, *alias)) error {
	if err := league.CheckName(by, name); err != nil {
		return err
	}
	return s.change(by.ForCommit(ctx), func(p *plan) {
		all := p.aliases(ctx, by.Location.Guild, name)
		change(p, all[name])
		p.saveAliases(all)
	})
}

// Aliases implements [league.Store].
func (s *Store) Aliases(ctx context.Context, guild game.GuildID) (all []league.Alias, err error) {
	err = eachOf(ctx, s, schema.AliasesIn(guild), schema.DecodeAs[schema.Alias], func(_ string, a schema.Alias) {
		if a.Player != "" {
			all = append(all, a.Alias)
		}
	})
	return all, err
}

// Claim implements [league.Store].
func (s *Store) Claim(ctx context.Context, by game.Origin, name string) (claimed league.Alias, err error) {
	err = s.changeAlias(ctx, by, name, func(_ *plan, a *alias) {
		if a.Player == "" {
			a.Player, a.Called = by.Player, by.Global
		}
		claimed = a.Alias.Alias
	})
	return claimed, err
}

// Confirm implements [league.Store].
func (s *Store) Confirm(ctx context.Context, by game.Origin, name string, player game.PlayerID) (done league.Imported, err error) {
	err = s.changeAlias(ctx, by, name, func(p *plan, a *alias) {
		if done = (league.Imported{}); a.Player != player || player == "" {
			p.fail(league.ErrNoClaim)
		}
		waiting := a.Waiting
		for i := range waiting {
			waiting[i].Name, waiting[i].Official = name, true
		}
		a.Confirmed, a.Waiting = true, nil
		p.bring(ctx, player, by.Location.Guild, waiting, map[string]*alias{name: a}, &done)
	})
	return done, err
}

// TakeBack implements [league.Store].
func (s *Store) TakeBack(ctx context.Context, by game.Origin, name string, player game.PlayerID) error {
	return s.changeAlias(ctx, by, name, func(p *plan, a *alias) {
		if a.Player != player || player == "" {
			p.fail(league.ErrNoClaim)
		}
		a.Player, a.Called, a.Confirmed = "", "", false
		p.editLeague(ctx, player, func(records map[int]league.Record) (changed []int) {
			for number, r := range records {
				i := slices.IndexFunc(r.Sources, func(s league.Source) bool { return s.Guild == by.Location.Guild && s.Alias == name })
				if i >= 0 {
					s := r.Sources[i]
					a.wait(league.Result{Number: number, Won: s.Won, Guesses: s.Guesses, Hard: s.Hard})
					r.Sources = slices.Delete(r.Sources, i, i+1)
					records[number], changed = r, append(changed, number)
				}
			}
			return changed
		})
		slices.SortFunc(a.Waiting, func(v, w league.Result) int { return v.Number - w.Number })
	})
}

// leagueDays is Days for all of a player's results of the newspaper's puzzle, wherever they came from.
func (s *Store) leagueDays(ctx context.Context, k game.Kind, player game.PlayerID, from, to int) ([][]statistics.DailyResult, error) {
	found, err := s.m.Read(ctx, ordered.Prefix(schema.LeagueOf(player)))
	if err != nil {
		return nil, err
	}
	records, err := schema.LeagueRecords(found[0])
	days := make([][]statistics.DailyResult, max(0, to-from+1))
	for n := range days {
		if r := records[from+n].Result(player, from+n); r.Kind == k {
			days[n] = []statistics.DailyResult{{Player: player, Won: r.Status == game.Won, Guesses: r.Attempts, Limit: r.Limit}}
		}
	}
	return days, err
}

// leaveLeague plans to remove a player's results of the newspaper's puzzle and their names in summaries, with the results that wait
// under those. The totals are conditions already; where there are none, none may be added meanwhile.
func (p *plan) leaveLeague(ctx context.Context, player game.PlayerID) {
	answers := p.read(ctx, ordered.Prefix(schema.LeagueOf(player)), ordered.Prefix(schema.AliasedBy(player)))
	names := game.Each(answers[1], func(name ordered.Pair) string {
		return schema.TopicAlias + strings.TrimPrefix(name.Key, schema.AliasedBy(player))
	})
	for _, there := range append(answers[0], p.look(ctx, names...)...) {
		p.replace(there, nil, false)
	}
	for _, k := range []game.Kind{league.Official, league.Claimed} {
		key := schema.TotalKey(player, statistics.Scope{Kind: k})
		if !slices.ContainsFunc(p.change.If, func(p ordered.Pair) bool { return p.Key == key }) {
			p.change.If = append(p.change.If, ordered.Pair{Key: key})
		}
	}
}
