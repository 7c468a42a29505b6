package storage

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// eachPlayed calls f with every slot where a match is being played.
func (s *Store) eachPlayed(ctx context.Context, f func(there ordered.Pair, v schema.Slot) error) error {
	return ordered.Each(ctx, s.m, ordered.Prefix(schema.TopicOpen), func(batch []ordered.Pair) error {
		there, err := s.m.Get(ctx, game.Each(batch, func(p ordered.Pair) string { return schema.TopicSlot + string(p.Value) })...)
		for _, p := range there {
			if v, failed := s.decodeSlot(p); err == nil && failed == nil && v.Version > 0 {
				err = f(p, v)
			}
		}
		return err
	})
}

// Held implements [finished.Store].
func (s *Store) Held(ctx context.Context, player game.PlayerID) (map[string]int, error) {
	queries := append(schema.OwnedBy(player), ordered.Prefix(schema.EverywhereOf(player)), ordered.Prefix(schema.TotalsOf(player)),
		ordered.Prefix(schema.LeagueOf(player)), ordered.Prefix(schema.AliasedBy(player)), ordered.Prefix(schema.ManagedBy(player)))
	counts, err := s.m.Count(ctx, queries...)
	held := map[string]int{}
	for i, n := range counts {
		held[schema.TopicOf(queries[i].From)] += n
	}
	return held, err
}

// Export implements [finished.Store].
func (s *Store) Export(ctx context.Context, x finished.Export) error {
	e := exporting{Store: s, Export: x}
	if x.Before == 0 {
		if err := e.state(ctx); err != nil {
			return err
		}
	}
	everywhere := ordered.Prefix(schema.EverywhereOf(x.Player))
	if everywhere.Limit, everywhere.Backward = 100, true; x.Before > 0 {
		everywhere.To = schema.Numbered(everywhere.From, x.Before)
	}
	for {
		entries, err := ordered.Scan(ctx, s.m, everywhere)
		if err != nil || len(entries) == 0 {
			return err
		}
		results, err := s.m.Get(ctx, game.Each(entries, func(p ordered.Pair) string { return schema.ResultKey(schema.NumberIn(p.Key)) })...)
		for i, p := range results {
			if err == nil {
				err = e.ended(ctx, entries[i], p)
			}
		}
		if err != nil {
			return err
		}
		everywhere.To = entries[len(entries)-1].Key
	}
}

// exporting is one call of Export. It hides all players but one.
type exporting struct {
	*Store
	finished.Export
}

// listed returns a record without a value: it only lists others, or cannot be read.
func listed(key string) finished.Record {
	return finished.Record{Topic: schema.TopicOf(key), Key: schema.Readable(key)}
}

// state exports what is not of an ended match.
func (e *exporting) state(ctx context.Context) error {
	var all []finished.Record
	add := func(key string, v any, err error) {
		r := listed(key)
		if err == nil {
			r.Value, _ = json.Marshal(v) // what was decoded can be encoded
		}
		all = append(all, r)
	}
	raw := func(pairs []ordered.Pair) {
		for _, p := range pairs {
			var err error
			if p.Damaged || !json.Valid(p.Value) || schema.TopicOf(p.Key)+"\x00" == schema.TopicAside {
				err = game.ErrDamaged
			}
			add(p.Key, json.RawMessage(p.Value), err)
		}
	}
	queries := append(schema.OwnedBy(e.Player), ordered.Prefix(schema.TotalsOf(e.Player)), ordered.Prefix(schema.LeagueOf(e.Player)), ordered.Prefix(schema.AliasedBy(e.Player)), ordered.Prefix(schema.ManagedBy(e.Player)))
	answers, err := e.m.Read(ctx, append(queries, ordered.Prefix(schema.TopicSlot+game.PlayerKeyPrefix(e.Player)))...)
	if err != nil {
		return err
	}
	for _, pairs := range answers[:len(queries)] {
		raw(pairs)
	}
	for _, p := range slices.Concat(answers[:len(queries)]...) {
		follows, _ := e.codecs.DerivedFrom(p) // nothing follows from what cannot be read
		for _, f := range follows {
			if strings.Contains(f.Key, string(e.Player)) {
				all = append(all, listed(f.Key))
			}
		}
	}
	claimed, err := e.m.Get(ctx, game.Each(answers[len(queries)-2], func(p ordered.Pair) string {
		return schema.TopicAlias + strings.TrimPrefix(p.Key, schema.AliasedBy(e.Player))
	})...)
	if err != nil {
		return err
	}
	raw(claimed)
	changes, err := e.m.Get(ctx, game.Each(answers[len(queries)-1], func(p ordered.Pair) string {
		return schema.TopicChanges + strings.TrimPrefix(p.Key, schema.ManagedBy(e.Player))
	})...)
	if err != nil {
		return err
	}
	for _, p := range changes {
		made, err := schema.DecodeAs[[]map[string]json.RawMessage](p)
		made = slices.DeleteFunc(made, func(c map[string]json.RawMessage) bool { return string(c["By"]) != strconv.Quote(string(e.Player)) })
		add(p.Key, made, err)
	}
	for _, p := range answers[len(queries)] {
		if v, err := e.decodeSlot(p); err != nil || v.Version == 0 {
			all = append(all, listed(p.Key)) // it holds the id of a match that has ended
		}
	}
	err = e.eachPlayed(ctx, func(there ordered.Pair, v schema.Slot) error {
		if slices.Contains(v.Named(), e.Player) {
			v.Calls = slices.Clone(v.Calls) // the cache has them too
			for i, c := range v.Calls {
				if c.Player != e.Player {
					v.Calls[i].Proposed = "" // nobody else sees it until it is played
				}
			}
			data, err := e.codecs.ExportMatch(v.Renamed(e.As), true)
			add(there.Key, data, err)
			all = append(all, listed(schema.OpenKey(v.Unfinished())))
		}
		return nil
	})
	err = errors.Join(err, ordered.Each(ctx, e.m, ordered.Prefix(schema.TopicRace), func(batch []ordered.Pair) error {
		for _, p := range batch {
			if r, err := schema.DecodeRace(p); err == nil && r.Named(e.Player) {
				add(p.Key, r.Renamed(e.As), nil)
			}
		}
		return nil
	}))
	if err != nil {
		return err
	}
	return e.Each(0, time.Time{}, all)
}

// ended exports an ended match with its result and the lists that have it, by its entry among the player's.
func (e *exporting) ended(ctx context.Context, entry, logged ordered.Pair) error {
	position := schema.NumberIn(entry.Key)
	all := []finished.Record{listed(entry.Key)}
	r, err := schema.DecodeResult(logged)
	if errors.Is(err, game.ErrDamaged) {
		return e.Each(position, r.Ended, append(all, listed(logged.Key)))
	}
	if err != nil {
		return err
	}
	secret, err := e.Hides(ctx, r)
	if err != nil {
		return err
	}
	stored, err := e.m.Get(ctx, schema.MatchKey(r.Match))
	if err != nil {
		return err
	}
	own, failed := e.codecs.EntriesOf(r, []game.PlayerID{e.Player})
	for _, p := range own {
		if p.Key != entry.Key && strings.Contains(p.Key, string(e.Player)) {
			all = append(all, listed(p.Key))
		}
	}
	match, result := listed(stored[0].Key), listed(logged.Key)
	if v, err := e.codecs.DecodeEnded(stored[0]); err == nil {
		match.Value, failed = e.codecs.ExportMatch(v.Renamed(e.As), secret)
	}
	if r = r.Renamed(e.As); secret {
		r.Answer = ""
	}
	result.Value, err = record.Encode(r)
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	return e.Each(position, r.Ended, append(all, result, match))
}
