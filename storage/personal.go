package storage

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
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

// beside returns queries for what names a player, apart from matches and races.
func beside(player game.PlayerID) []ordered.Query {
	return append(schema.OwnedBy(player), ordered.Prefix(schema.TotalsOf(player)), ordered.Prefix(schema.LeagueOf(player)),
		ordered.Prefix(schema.AliasedBy(player)), ordered.Prefix(schema.ManagedBy(player)))
}

// Held implements [finished.Store].
func (s *Store) Held(ctx context.Context, player game.PlayerID) (map[string]int, error) {
	queries := append(beside(player), ordered.Prefix(schema.EverywhereOf(player)))
	counts, err := s.m.Count(ctx, queries...)
	held := map[string]int{}
	for i, n := range counts {
		held[schema.TopicOf(queries[i].From)] += n
	}
	return held, err
}

// Export implements [finished.Store].
func (s *Store) Export(ctx context.Context, player game.PlayerID, before uint64, most int, hides func(game.Result) (bool, error)) (file []byte, rest uint64, until time.Time, err error) {
	e := exporting{Store: s, player: player, others: map[game.PlayerID]game.PlayerID{"": "", player: player}}
	fmt.Fprintf(&e.file, "{\"Player\":%q,\"Records\":[", player)
	everywhere := ordered.Prefix(schema.EverywhereOf(player))
	everywhere.Limit, everywhere.Backward = 100, true
	if before == 0 {
		err = e.state(ctx)
	} else {
		everywhere.To = schema.Numbered(everywhere.From, before)
	}
	const end = "\n]}\n"
	for err == nil && rest == 0 {
		entries, failed := ordered.Scan(ctx, s.m, everywhere)
		if err = failed; len(entries) == 0 {
			break
		}
		for _, entry := range entries {
			began := e.file.Len()
			ended, failed := e.ended(ctx, entry, hides)
			if err = errors.Join(err, failed); e.file.Len()+len(end) > most && until != (time.Time{}) {
				e.file.Truncate(began)
				rest = schema.NumberIn(entry.Key) + 1
				break
			}
			until = ended
		}
		everywhere.To = entries[len(entries)-1].Key
	}
	e.file.WriteString(end)
	return e.file.Bytes(), rest, until, err
}

// exporting is one call of Export.
type exporting struct {
	*Store
	player game.PlayerID
	others map[game.PlayerID]game.PlayerID // what they are called
	more   bool                            // whether the file has a record already
	file   bytes.Buffer
}

// as returns the name of a player in the file, such as "player 2".
func (e *exporting) as(p game.PlayerID) game.PlayerID {
	if _, known := e.others[p]; !known {
		e.others[p] = game.PlayerID(fmt.Sprint("player ", len(e.others)))
	}
	return e.others[p]
}

// add writes a record with what its value shows, and lists what follows from the record and names the player. A value that cannot be
// read is left out.
func (e *exporting) add(p ordered.Pair, value any, err error) {
	if err != nil || p.Damaged || strings.HasPrefix(p.Key, schema.TopicAside) {
		value = nil
	}
	write := func(key string, value any) {
		data, err := json.Marshal(struct {
			Topic, Key string
			Value      any `json:",omitempty"`
		}{schema.TopicOf(key), schema.Readable(key), value})
		if err != nil {
			data, _ = json.Marshal(map[string]string{"Topic": schema.TopicOf(key), "Key": schema.Readable(key)})
		}
		if e.more {
			e.file.WriteByte(',')
		}
		e.more = true
		e.file.WriteByte('\n')
		e.file.Write(data)
	}
	write(p.Key, value)
	follows, _ := e.codecs.DerivedFrom(p) // nothing follows from what cannot be read
	for _, f := range follows {
		if strings.Contains(f.Key+string(f.Value), string(e.player)) && !strings.HasPrefix(f.Key, schema.TopicResult) {
			write(f.Key, nil)
		}
	}
}

// state exports what is not of an ended match.
func (e *exporting) state(ctx context.Context) error {
	queries := beside(e.player)
	answers, err := e.m.Read(ctx, append(queries, ordered.Prefix(schema.TopicSlot+game.PlayerKeyPrefix(e.player)))...)
	if err != nil {
		return err
	}
	for _, p := range slices.Concat(answers[:len(queries)]...) {
		if topic := schema.TopicOf(p.Key) + "\x00"; topic != schema.TopicAliased { // it follows from an alias, below
			e.add(p, json.RawMessage(p.Value), nil)
		}
	}
	indexed := slices.Concat(answers[len(queries)-2 : len(queries)]...)
	there, err := e.m.Get(ctx, game.Each(indexed, func(p ordered.Pair) string {
		if name, alias := strings.CutPrefix(p.Key, schema.AliasedBy(e.player)); alias {
			return schema.TopicAlias + name
		}
		return schema.TopicChanges + strings.TrimPrefix(p.Key, schema.ManagedBy(e.player))
	})...)
	for _, p := range there {
		if strings.HasPrefix(p.Key, schema.TopicAlias) {
			e.add(p, json.RawMessage(p.Value), nil)
			continue
		}
		made, err := schema.DecodeAs[[]map[string]json.RawMessage](p)
		e.add(p, slices.DeleteFunc(made, func(c map[string]json.RawMessage) bool { return string(c["By"]) != strconv.Quote(string(e.player)) }), err)
	}
	for _, p := range answers[len(queries)] {
		if v, err := e.decodeSlot(p); err != nil || v.Version == 0 { // the others are exported below
			e.add(p, nil, nil)
		}
	}
	return errors.Join(err, e.eachPlayed(ctx, func(there ordered.Pair, v schema.Slot) error {
		if slices.Contains(v.Named(), e.player) {
			v.Calls = slices.Clone(v.Calls) // the cache has them too
			for i, c := range v.Calls {
				if c.Player != e.player {
					v.Calls[i].Proposed = "" // nobody else sees it until it is played
				}
			}
			data, err := e.codecs.ExportMatch(v.Renamed(e.as), true)
			e.add(there, data, err)
		}
		return nil
	}), ordered.Each(ctx, e.m, ordered.Prefix(schema.TopicRace), func(batch []ordered.Pair) error {
		for _, p := range batch {
			if r, err := schema.DecodeRace(p); err == nil && r.Named(e.player) {
				e.add(p, r.Renamed(e.as), nil)
			}
		}
		return nil
	}))
}

// ended exports an ended match with its result, by its entry among the player's, and returns when it ended.
func (e *exporting) ended(ctx context.Context, entry ordered.Pair, hides func(game.Result) (bool, error)) (time.Time, error) {
	logged, err := e.m.Get(ctx, schema.ResultKey(schema.NumberIn(entry.Key)))
	if err != nil {
		return time.Time{}, err
	}
	r, err := schema.DecodeResult(logged[0])
	if err != nil {
		e.add(entry, nil, nil)
		return time.Time{}, e.unlessDamaged(err)
	}
	secret, err := hides(r)
	stored, failed := e.m.Get(ctx, schema.MatchKey(r.Match))
	if err = errors.Join(err, failed); err != nil {
		return time.Time{}, err
	}
	v, err := e.codecs.DecodeEnded(stored[0])
	if err != nil {
		e.add(entry, nil, nil)
	} else {
		data, err := e.codecs.ExportMatch(v.Renamed(e.as), secret)
		e.add(stored[0], data, err)
	}
	if r = r.Renamed(e.as); secret {
		r.Answer = ""
	}
	e.add(logged[0], r, nil)
	return r.Ended, nil
}
