package storage

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/game/league"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// Servers returns the servers that the bot is or was in, with the time when it was found to have been removed; zero if it is there.
func (s *Store) Servers(ctx context.Context) (map[game.GuildID]time.Time, error) {
	all := map[game.GuildID]time.Time{}
	err := ordered.Each(ctx, s.m, ordered.Prefix(schema.TopicMember), func(batch []ordered.Pair) error {
		for _, p := range batch {
			gone, err := schema.DecodeAs[time.Time](p)
			if s.unlessDamaged(err) != nil {
				return err
			}
			all[game.GuildID(p.Key[len(schema.TopicMember):])] = gone
		}
		return nil
	})
	return all, err
}

// SetServer stores that the bot is in a server or, with a time, that it was gone then. Of two such times the first stays.
func (s *Store) SetServer(ctx context.Context, guild game.GuildID, gone time.Time) error {
	err := s.change(ctx, func(p *plan) {
		there := p.get(ctx, schema.TopicMember+string(guild))[0]
		was, err := schema.DecodeAs[time.Time](there)
		if p.fail(s.unlessDamaged(err)); there.Value != nil && was.IsZero() == gone.IsZero() {
			p.fail(game.ErrConflict) // it is stored already, as of most servers after a start
		}
		p.put(there.Key, gone)
	})
	if errors.Is(err, game.ErrConflict) {
		return nil
	}
	return err
}

// lost is where dailies are kept that were played in a server whose data was deleted.
var lost = game.Location{Channel: "gone"}

// DeleteServer deletes what is a server's: its choices, names, tables and history, and the matches that began there. Daily puzzles
// stay with their players, without the server; so do results of the newspaper's puzzle, and totals everywhere. Everything takes
// effect in batches, with other commits between them. If it is cut off, the next call goes on. The server's membership goes last.
func (s *Store) DeleteServer(ctx context.Context, guild game.GuildID) error {
	if err := s.stopServer(ctx, guild); err != nil {
		return err
	}
	community := game.Location{Guild: guild}.Community()
	lists := []string{schema.NumbersOf(community)}
	for _, codec := range s.codecs.Codecs {
		lists = append(lists, schema.TopicDaily+string(codec.Kind())+"\x00"+string(guild)+"\x00")
	}
	for _, list := range lists {
		if _, err := s.inBatches(ctx, forgetAtOnce, 1, func(p *plan) int { return p.leaveServer(ctx, guild, list) }); err != nil {
			return err
		}
	}
	for _, k := range []game.Kind{league.Official, league.Claimed} {
		list := ordered.Prefix(schema.TopicDaily + string(k) + "\x00" + string(guild) + "\x00")
		list.Limit = forgetAtOnce
		if _, err := s.inBatches(ctx, forgetAtOnce, 1, func(p *plan) int { return p.leaveLeagueIn(ctx, guild, list) }); err != nil {
			return err
		}
	}
	err := ordered.Each(ctx, s.m, ordered.Prefix(schema.TopicTotal), func(batch []ordered.Pair) error {
		batch = slices.DeleteFunc(slices.Clone(batch), func(p ordered.Pair) bool { return !strings.Contains(p.Key+string(p.Value), string(guild)) })
		if len(batch) == 0 {
			return nil
		}
		return s.change(ctx, func(p *plan) { p.leaveTables(ctx, guild, batch) })
	})
	var reminded []game.PlayerID
	err = errors.Join(err, s.Reminders(ctx, func(p game.PlayerID, r game.Reminder) {
		if r.Guild == guild {
			reminded = append(reminded, p)
		}
	}))
	for _, p := range reminded {
		_, failed := s.ChangeReminder(ctx, p, func(r *game.Reminder) error { r.Guild = ""; return nil })
		err = errors.Join(err, failed)
	}
	if err != nil {
		return err
	}
	return s.change(ctx, func(p *plan) { p.removeServer(ctx, guild) })
}

// stopServer removes the matches that are being played in a server, with their boards. A daily puzzle leaves the server.
func (s *Store) stopServer(ctx context.Context, guild game.GuildID) error {
	return s.eachPlayed(ctx, func(there ordered.Pair, v schema.Slot) error {
		if v.Location.Guild != guild {
			return nil
		}
		p, now := plan{store: s}, ordered.Pair{Key: there.Key}
		if v.Mode == game.Daily {
			var err error
			v.Location = lost
			now.Value, err = s.codecs.EncodeMatch(v.Match, v.Requests)
			p.fail(err)
		}
		p.swap(there, now)
		p.write(schema.BoardKey(v.Slot()), nil)
		if p.err == nil {
			p.err = s.m.Commit(ctx, p.change)
		}
		return p.err // a conflict too: the next call goes on
	})
}

// leaveServer plans the next batch of matches in a list: it removes those that began in the server, and takes the server from
// daily puzzles.
func (p *plan) leaveServer(ctx context.Context, guild game.GuildID, list string) int {
	q := ordered.Prefix(list)
	q.Limit = forgetAtOnce
	entries := p.read(ctx, q)[0]
	results := p.look(ctx, game.Each(entries, func(e ordered.Pair) string {
		key, _ := schema.Source(e) // empty for an unreadable entry, which leads nowhere
		return key
	})...)
	var whole []ordered.Pair
	for i, there := range results {
		r, err := schema.DecodeResult(there)
		if err == nil && r.Month() == "" {
			whole = append(whole, there)
			continue
		}
		stored := p.look(ctx, schema.MatchKey(r.Match))[0]
		v, failed := p.store.codecs.DecodeEnded(stored)
		if err = errors.Join(err, failed); errors.Is(err, game.ErrDamaged) {
			p.write(entries[i].Key, nil) // the check does the rest
			continue
		}
		old, failed := p.store.codecs.DerivedFrom(stored)
		follow, _ := p.store.codecs.DerivedFrom(there) // it was read before
		if p.fail(errors.Join(err, failed)); v.Location.Guild == guild {
			v.Location, v.Shared = lost, ""
		}
		v.Guilds, v.Outside = without(v.Guilds, guild), without(v.Outside, guild)
		now := v.Result()
		now.LogPosition = v.Position
		set, err := p.store.codecs.EncodeEnded(v, now)
		lists, failed := p.store.codecs.EntriesOf(now, v.Named())
		set = append(append(append(set, lists...), schema.SolvedIn(now)...), ordered.Pair{Key: schema.NumberKey(now), Value: schema.Nothing})
		p.change.If = append(p.change.If, there, stored)
		p.set(replaced(append(old, follow...), set), errors.Join(err, failed))
	}
	p.forgetAll(ctx, whole)
	return len(entries)
}

// without returns guilds except one; nil if no other is left.
func without(all []game.GuildID, guild game.GuildID) []game.GuildID {
	if all = slices.DeleteFunc(slices.Clone(all), func(g game.GuildID) bool { return g == guild }); len(all) == 0 {
		return nil
	}
	return all
}

// leaveLeagueIn plans the next batch of results of the newspaper's puzzle that count in a server: they no longer do.
func (p *plan) leaveLeagueIn(ctx context.Context, guild game.GuildID, list ordered.Query) int {
	entries := p.read(ctx, list)[0]
	players := game.Each(entries, func(e ordered.Pair) string { return strings.SplitN(e.Key, "\x00", 4)[3][8:] })
	slices.Sort(players)
	for _, player := range slices.Compact(players) {
		p.editLeague(ctx, game.PlayerID(player), func(records map[int]league.Record) (changed []int) {
			for number, r := range records {
				r.Sources = slices.Clone(r.Sources)
				for i, s := range r.Sources {
					if s.Guild == guild {
						r.Sources[i].Guild, r.Sources[i].Alias = "", ""
						records[number], changed = r, append(changed, number)
					}
				}
			}
			return changed
		})
	}
	return len(entries)
}

// leaveTables plans to take a server's tables from totals.
func (p *plan) leaveTables(ctx context.Context, guild game.GuildID, totals []ordered.Pair) {
	for _, there := range p.look(ctx, game.Each(totals, func(p ordered.Pair) string { return p.Key })...) {
		t, scope, err := schema.DecodeTotal(there)
		if scope.Guild == guild || err == nil && slices.Contains(t.Guilds, guild) {
			t.Guilds = without(t.Guilds, guild)
			p.replace(there, t, scope.Guild != guild)
		}
	}
}

// removeServer plans to remove what is left of a server.
func (p *plan) removeServer(ctx context.Context, guild game.GuildID) {
	community := game.Location{Guild: guild}.Community()
	queries := []ordered.Query{ordered.Prefix(schema.AliasesIn(guild)), ordered.Prefix(schema.HistoryOf(community))}
	for _, codec := range p.store.codecs.Codecs {
		queries = append(queries, ordered.Prefix(schema.TopicSolved+string(codec.Kind())+"\x00"+string(guild)+"\x00"))
		p.write(schema.TopicRecent+string(codec.Kind())+" "+community, nil)
	}
	for _, pairs := range p.read(ctx, queries...) {
		for _, there := range pairs {
			p.replace(there, nil, false)
		}
	}
	there := p.get(ctx, schema.TopicChanges+string(guild), schema.KeyGuilds, schema.ForgottenKey(community))
	changes, _ := schema.DecodeAs[[]struct{ By game.PlayerID }](there[0]) // an unreadable one goes too
	var managers []game.PlayerID
	for _, c := range changes {
		if !slices.Contains(managers, c.By) {
			managers = append(managers, c.By)
			p.write(schema.ManagesKey(c.By, guild), nil)
		}
	}
	if guilds, err := schema.DecodeAs[[]game.GuildID](there[1]); err == nil && slices.Contains(guilds, guild) {
		p.put(there[1].Key, without(guilds, guild))
	}
	if there[2].Value != nil { // the check must know that matches were removed
		p.write(schema.ForgottenKey(lost.Community()), there[2].Value)
	}
	for _, key := range []string{there[0].Key, there[2].Key, schema.TopicServer + string(guild), schema.TopicDayPost + string(guild), schema.TopicMember + string(guild)} {
		p.write(key, nil)
	}
}
