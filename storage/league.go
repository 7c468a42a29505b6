package storage

import (
	"bytes"
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
	at := by.Made
	if at.IsZero() {
		at = time.Now()
	}
	var names []string
	results = slices.Clone(results)
	for i, r := range results {
		if err := r.Check(by, at); err != nil {
			return done, err
		}
		if !r.Won {
			results[i].Guesses = 0
		}
		if r.Player == "" {
			names = append(names, r.Name)
		}
	}
	err = s.change(by.ForCommit(ctx), func(p *plan) {
		done = league.Imported{}
		aliases, brought := p.aliases(ctx, by.Location.Guild, names...), map[game.PlayerID][]league.Result{}
		for _, r := range results {
			if a := aliases[r.Name]; r.Player != "" {
				brought[r.Player] = append(brought[r.Player], r)
			} else if a.Confirmed {
				brought[a.Player] = append(brought[a.Player], r)
			} else {
				a.wait(r)
				done.Waiting = append(done.Waiting, r)
			}
		}
		edits := map[game.PlayerID]leagueEdit{}
		for player, of := range brought {
			edits[player] = bring(player, by.Location.Guild, of, aliases, &done)
		}
		p.editLeague(ctx, edits)
		p.saveAliases(aliases)
	})
	return done, err
}

// leagueEdit changes a player's records of the newspaper's puzzle, by number, and returns the numbers of those that it has changed.
type leagueEdit func(records map[int]league.Record) (changed []int)

// bring returns an edit that adds results to a player's records. Those without a player are the player's by their name. The edit
// adds to done what becomes of them.
func bring(player game.PlayerID, guild game.GuildID, results []league.Result, aliases map[string]*alias, done *league.Imported) leagueEdit {
	return func(records map[int]league.Record) (changed []int) {
		for _, r := range results {
			s := league.Source{Guild: guild, Official: r.Official, Won: r.Won, Guesses: r.Guesses, Hard: r.Hard}
			if r.Player == "" {
				s.Alias, r.Name = r.Name, aliases[r.Name].Called
			}
			before := records[r.Number]
			now, added := before.With(s)
			if added {
				if r.Name != "" {
					now.Name = r.Name
				}
				records[r.Number], changed = now, append(changed, r.Number)
			}
			of := now.Of()
			r.Player, r.Won, r.Guesses, r.Hard, r.Official = player, of.Won, of.Guesses, of.Hard, of.Official
			switch {
			case added && r.Official && len(before.Sources) > 0 && !before.Of().Official:
				done.Replaced = append(done.Replaced, r)
			case added && !slices.ContainsFunc(before.Sources, func(s league.Source) bool { return s.Guild == guild }):
				done.New = append(done.New, r)
			default:
				done.Known = append(done.Known, r)
			}
		}
		slices.Sort(changed)
		return slices.Compact(changed)
	}
}

// editLeague plans changes of the players' records of the newspaper's puzzle, and of what follows from them: their totals are counted
// again from all of a player's records.
func (p *plan) editLeague(ctx context.Context, edits map[game.PlayerID]leagueEdit) {
	players := slices.Sorted(maps.Keys(edits))
	var totals, records []ordered.Query
	for _, player := range players {
		for _, k := range []game.Kind{league.Official, league.Claimed} {
			totals = append(totals, ordered.Prefix(schema.TotalsOf(player)+string(k)+"\x00"))
		}
		records = append(records, ordered.Prefix(schema.LeagueOf(player)))
	}
	answers := p.read(ctx, append(totals, records...)...) // totals first: newer ones than their records would not conflict
	for i, player := range players {
		p.editLeagueOf(ctx, player, slices.Concat(answers[2*i], answers[2*i+1]), answers[len(totals)+i], edits[player])
	}
}

func (p *plan) editLeagueOf(ctx context.Context, player game.PlayerID, totals, stored []ordered.Pair, edit leagueEdit) {
	records, err := schema.LeagueRecords(stored)
	if p.fail(err); p.err != nil {
		return
	}
	changed := edit(records)
	if len(changed) == 0 {
		return
	}
	for _, number := range changed {
		before := ordered.Pair{Key: schema.Numbered(schema.LeagueOf(player), uint64(number))}
		if i := slices.IndexFunc(stored, func(p ordered.Pair) bool { return p.Key == before.Key }); i >= 0 {
			before = stored[i]
		}
		now := ordered.Pair{Key: before.Key}
		if r := records[number]; len(r.Sources) > 0 {
			now.Value, err = record.Encode(r)
		}
		p.fail(err)
		p.replace(before, now)
	}
	before, now := statistics.Tally{}, league.Tally(player, records)
	for _, pair := range totals {
		_, scope := schema.ParseTotalKey(pair.Key)
		before[scope], err = p.store.total(ctx, pair)
		p.fail(err)
	}
	for scope := range now {
		if _, there := before[scope]; !there {
			totals = append(totals, ordered.Pair{Key: schema.TotalKey(player, scope)})
		}
	}
	p.change.If = append(p.change.If, totals...)
	p.setTotals(totals, before, now)
}

// replace plans to store a pair in place of another one with the same key, with what follows from it.
func (p *plan) replace(before, now ordered.Pair) {
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
	for i, there := range p.get(ctx, game.Each(names, func(name string) string { return schema.AliasKey(guild, name) })...) {
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
		a := all[name]
		now := ordered.Pair{Key: a.there.Key}
		if a.Player != "" || len(a.Waiting) > 0 {
			data, err := record.Encode(a.Alias)
			p.fail(err)
			now.Value = data
		}
		if !bytes.Equal(now.Value, a.there.Value) {
			p.replace(a.there, now)
		}
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
	err = ordered.Each(ctx, s.m, ordered.Prefix(schema.AliasesIn(guild)), func(batch []ordered.Pair) error {
		for _, p := range batch {
			a, err := schema.DecodeAs[schema.Alias](p)
			if s.unlessDamaged(err) != nil {
				return err
			}
			if a.Player != "" {
				all = append(all, a.Alias)
			}
		}
		return nil
	})
	return all, err
}

// Claim implements [league.Store].
func (s *Store) Claim(ctx context.Context, by game.Origin, name string) (claimed league.Alias, err error) {
	err = s.changeAlias(ctx, by, name, func(p *plan, a *alias) {
		switch a.Player {
		case "":
			a.Player, a.Called = by.Player, by.Global
		case by.Player:
		default:
			p.fail(league.ErrTaken)
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
		p.editLeague(ctx, map[game.PlayerID]leagueEdit{player: bring(player, by.Location.Guild, waiting, map[string]*alias{name: a}, &done)})
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
		p.editLeague(ctx, map[game.PlayerID]leagueEdit{player: func(records map[int]league.Record) (changed []int) {
			for _, number := range slices.Sorted(maps.Keys(records)) {
				without, gone := records[number].Without(by.Location.Guild, name)
				for _, s := range gone {
					a.wait(league.Result{Number: number, Won: s.Won, Guesses: s.Guesses, Hard: s.Hard})
					records[number], changed = without, append(changed, number)
				}
			}
			return changed
		}})
	})
}

// leaveLeague plans to remove a player's results of the newspaper's puzzle and their names in summaries, with the results that wait
// under those. The totals are conditions already; where there are none, none may be added meanwhile.
func (p *plan) leaveLeague(ctx context.Context, player game.PlayerID) {
	answers := p.read(ctx, ordered.Prefix(schema.LeagueOf(player)), ordered.Prefix(schema.AliasedBy(player)))
	for _, there := range append(answers[0], p.look(ctx, game.Each(answers[1], func(name ordered.Pair) string {
		return schema.TopicAlias + strings.TrimPrefix(name.Key, schema.AliasedBy(player))
	})...)...) {
		p.replace(there, ordered.Pair{Key: there.Key})
	}
	for _, k := range []game.Kind{league.Official, league.Claimed} {
		key := schema.TotalKey(player, statistics.Scope{Kind: k})
		if !slices.ContainsFunc(p.change.If, func(p ordered.Pair) bool { return p.Key == key }) {
			p.change.If = append(p.change.If, ordered.Pair{Key: key})
		}
	}
}
