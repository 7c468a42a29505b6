package storage

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/league"
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// deleteAtOnce is how many matches one commit makes anonymous. After each such commit the deletion rests for as long as the
// batch took, so that other commits wait for one at most.
const deleteAtOnce = 25

// Delete implements [finished.Store]. First it makes the player anonymous in what others are playing. The next commit notes the
// deletion, and removes the totals, so that the player is out of all leaderboards, and all that is the player's alone. Ended
// matches follow in batches, with other commits between them. If ctx or the process ends before the last batch, Run finishes the
// deletion.
func (s *Store) Delete(ctx context.Context, c finished.Deletion) error {
	err := s.eachPlayed(ctx, func(there ordered.Pair, v schema.Slot) error {
		slot := there.Key
		if !slices.Contains(v.Named(), c.Player) || strings.HasPrefix(slot, schema.TopicSlot+game.PlayerKeyPrefix(c.Player)) {
			return nil // not the player's, or begun after the player's own matches have ended
		}
		return s.change(ctx, func(p *plan) {
			there := p.get(ctx, slot)[0]
			if v, err := p.store.decodeSlot(there); err == nil && v.Version > 0 {
				data, err := s.codecs.EncodeMatch(v.Without(c.Player), v.Requests)
				p.fail(err)
				p.swap(there, ordered.Pair{Key: slot, Value: data})
			}
		})
	})
	if err != nil {
		return err
	}
	err = s.change(ctx, func(p *plan) { p.delete(ctx, c) })
	if err != nil && !errors.Is(err, game.ErrConflict) { // a conflict: the deletion has begun already
		return err
	}
	return s.finishDelete(ctx, c.Player)
}

// delete plans the first commit of a deletion. It fails with game.ErrConflict if the request was carried out before.
func (p *plan) delete(ctx context.Context, c finished.Deletion) {
	if there := p.get(ctx, schema.ReceiptKey(c.Request), schema.DeletingKey(c.Player)); there[0].Value != nil {
		p.fail(game.ErrConflict)
	}
	last := ordered.Prefix(schema.EverywhereOf(c.Player))
	last.Limit, last.Backward = 1, true
	answers := p.read(ctx, ordered.Prefix(schema.TotalsOf(c.Player)), ordered.Prefix(schema.TopicSlot+game.PlayerKeyPrefix(c.Player)), last)
	totals, slots, latest := answers[0], answers[1], answers[2]
	p.change.If = append(p.change.If, totals...)
	p.removeTotals(ctx, totals)
	for _, there := range totals { // in closed months the place stays, under a pseudonym
		if t, scope, err := schema.DecodeTotal(there); err == nil && t.Guilds != nil && !league.Is(scope.Kind) && !c.At.Before(game.MonthCloses(scope.Month)) {
			t.Player = p.named(ctx, c.Player, scope.Month)
			p.put(schema.TotalKey(t.Player, scope), t)
			p.set(schema.Ranks(scope, t), nil)
		}
	}
	for _, month := range game.OpenMonths(c.At) {
		p.write(schema.DeletedKey(month, p.named(ctx, c.Player, month)), schema.Nothing)
	}
	p.removeOwned(ctx, c.Player)
	p.leaveRaces(ctx, c.Player)
	p.leaveLeague(ctx, c.Player)
	p.leaveChanges(ctx, c.Player)
	if len(latest) > 0 {
		upTo := schema.NumberIn(latest[0].Key)
		p.put(schema.DeletingKey(c.Player), upTo)
		p.emptyTotals(statistics.Total{LogPosition: upTo, Totals: statistics.Totals{Player: c.Player}})
	}
	for _, slot := range slots {
		v, err := p.store.decodeSlot(slot)
		if v.Version > 0 || errors.Is(err, game.ErrNewer) {
			continue
		}
		for _, marked := range c.Mark {
			if err == nil && schema.SlotKey(marked) == slot.Key {
				key, err := p.store.markKey(ctx, marked)
				p.fail(err)
				p.write(key, schema.Nothing)
			}
		}
		p.change.If = append(p.change.If, slot)
		p.write(slot.Key, nil)
	}
	p.put(schema.ReceiptKey(c.Request), schema.Receipt{At: c.At})
}

// removeOwned removes what is a player's alone, also values that storeSoon has not stored yet.
func (p *plan) removeOwned(ctx context.Context, player game.PlayerID) {
	boards := schema.TopicBoard + game.PlayerKeyPrefix(player)
	p.store.mu.Lock()
	maps.DeleteFunc(p.store.soon, func(key string, _ ordered.Pair) bool { return strings.HasPrefix(key, boards) })
	p.store.mu.Unlock()
	for _, pairs := range p.read(ctx, schema.OwnedBy(player)...) {
		p.change.If = append(p.change.If, pairs...)
		for _, there := range pairs {
			follows, err := p.store.codecs.DerivedFrom(there)
			p.fail(p.store.unlessDamaged(err)) // the check removes what followed from a damaged one
			p.set(ordered.Removed(append(follows, there)), nil)
		}
	}
}

// leaveRaces makes a player anonymous in the races that are kept. They get a new version, so that no change that has read the
// player's id can bring it back.
func (p *plan) leaveRaces(ctx context.Context, player game.PlayerID) {
	p.fail(ordered.Each(ctx, p.store.m, ordered.Prefix(schema.TopicRace), func(batch []ordered.Pair) error {
		for _, there := range batch {
			r, err := schema.DecodeRace(there)
			if p.store.unlessDamaged(err) != nil {
				return err
			}
			if r.Named(player) {
				r = r.Without(player)
				r.Version++
				p.change.If = append(p.change.If, there)
				p.put(there.Key, r)
			}
		}
		return nil
	}))
}

// leaveChanges makes a player anonymous among those who have changed a server's settings. An unreadable record of changes goes.
func (p *plan) leaveChanges(ctx context.Context, player game.PlayerID) {
	for _, there := range p.read(ctx, ordered.Prefix(schema.ManagedBy(player)))[0] {
		p.write(there.Key, nil)
		changes := p.get(ctx, schema.TopicChanges+strings.TrimPrefix(there.Key, schema.ManagedBy(player)))[0]
		made, err := schema.DecodeAs[[]map[string]json.RawMessage](changes)
		if errors.Is(err, game.ErrDamaged) {
			p.write(changes.Key, nil)
			continue
		}
		p.fail(err)
		for _, c := range made {
			if string(c["By"]) == strconv.Quote(string(player)) {
				c["By"] = json.RawMessage(`""`)
				delete(c, "Name")
			}
		}
		p.put(changes.Key, made)
	}
}

// emptyTotals stores empty totals of a player across all servers; the last batch of the deletion removes them. The end of a
// match stores the same keys. If it meets a deletion, one of the two conflicts and is tried again, even for a player without
// totals.
func (p *plan) emptyTotals(none statistics.Total) {
	for _, codec := range p.store.codecs.Codecs {
		key := schema.TotalKey(none.Player, statistics.Scope{Kind: codec.Kind()})
		of := func(p ordered.Pair) bool { return p.Key == key }
		if !slices.ContainsFunc(p.change.If, of) {
			p.change.If = append(p.change.If, ordered.Pair{Key: key})
		}
		p.change.Set = slices.DeleteFunc(p.change.Set, of)
		p.put(key, none)
	}
}

// removeTotals removes totals and their ranks.
func (p *plan) removeTotals(ctx context.Context, totals []ordered.Pair) {
	p.set(ordered.Removed(totals), nil)
	for _, total := range totals {
		t, scope, err := schema.DecodeTotal(total)
		if err == nil {
			p.set(ordered.Removed(schema.Ranks(scope, t)), nil)
		} else if errors.Is(err, game.ErrDamaged) { // unreadable totals do not name their ranks
			err = ordered.Each(ctx, p.store.m, ordered.Prefix(schema.TopicRank+string(scope.Kind)+"\x00"+string(scope.Guild)), func(batch []ordered.Pair) error {
				for _, rank := range batch {
					if of, err := schema.Source(rank); err == nil && of == total.Key {
						p.write(rank.Key, nil)
					}
				}
				return nil
			})
		}
		p.fail(err)
	}
}

// pseudonym returns the name that stands for a player in a month, or where a daily puzzle was played, once they have deleted
// their data. The name follows from the player's id and the secret, and does not reveal the id.
func (s *Store) pseudonym(ctx context.Context, p game.PlayerID, in string) (game.PlayerID, error) {
	secret, err := s.Secret(ctx)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("deleted\x00" + string(p) + "\x00" + in))
	return game.PlayerID(fmt.Sprintf("%s%.16x", schema.Pseudonyms, mac.Sum(nil))), nil
}

// markKey returns the key that is there if the player of a slot for a daily puzzle has deleted their data after playing it.
func (s *Store) markKey(ctx context.Context, slot game.Slot) (string, error) {
	if s.secret.Load() == nil {
		if there, err := s.m.Get(ctx, schema.KeySecret); err != nil || there[0].Value == nil {
			return schema.TopicDeleted, err // without a secret nobody has deleted anything
		}
	}
	number, _ := slot.Puzzle.Daily()
	name, err := s.pseudonym(ctx, slot.Player, string(slot.Kind)+"\x00"+string(slot.Puzzle))
	return schema.DeletedKey(game.DailyMonth(number), name), err
}

// named returns a pseudonym. An error fails the plan.
func (p *plan) named(ctx context.Context, player game.PlayerID, month string) game.PlayerID {
	name, err := p.store.pseudonym(ctx, player, month)
	p.fail(err)
	return name
}

// finishDelete makes a player's matches anonymous, batch by batch.
func (s *Store) finishDelete(ctx context.Context, player game.PlayerID) error {
	_, err := s.inBatches(ctx, deleteAtOnce, 1, func(p *plan) int { return p.deleteSome(ctx, player) })
	return err
}

// deleteSome plans the next batch of a deletion, and returns how many matches are in it.
func (p *plan) deleteSome(ctx context.Context, player game.PlayerID) (n int) {
	pending := p.look(ctx, schema.DeletingKey(player))
	upTo, err := schema.DecodeAs[uint64](pending[0])
	if p.fail(err); pending[0].Value == nil || p.err != nil {
		return 0
	}
	everywhere := schema.EverywhereOf(player)
	answers := p.read(ctx, ordered.Query{From: everywhere, To: schema.Numbered(everywhere, upTo) + "\x00", Limit: deleteAtOnce}, ordered.Prefix(schema.TotalsOf(player)))
	entries, left := answers[0], answers[1]
	if len(entries) < deleteAtOnce {
		left = slices.DeleteFunc(left, func(p ordered.Pair) bool {
			t, scope, err := schema.DecodeTotal(p)
			return err != nil || t.LogPosition > upTo || league.Is(scope.Kind) // totals that count a later result stay
		})
		p.change.If = append(append(p.change.If, left...), pending...)
		p.removeTotals(ctx, left)
		p.removeOwned(ctx, player) // once more: the board of a game that ended with the deletion may have been stored since
		p.write(pending[0].Key, nil)
	}
	logged := p.look(ctx, game.Each(entries, func(p ordered.Pair) string { return schema.ResultKey(schema.NumberIn(p.Key)) })...)
	results := game.Each(logged, func(logged ordered.Pair) game.Result {
		r, err := schema.DecodeResult(logged)
		if !errors.Is(err, game.ErrDamaged) {
			p.fail(err)
		}
		return r
	})
	stored := p.look(ctx, game.Each(results, func(r game.Result) string { return schema.MatchKey(r.Match) })...)
	for i, entry := range entries {
		if results[i].Match == "" || entry.Key != schema.Numbered(everywhere, schema.NumberIn(entry.Key)) { // nothing but this entry names the player
			p.write(entry.Key, nil)
			continue
		}
		p.change.If = append(p.change.If, logged[i], stored[i])
		p.set(p.store.anonymized(player, results[i], stored[i]))
	}
	return len(entries)
}

// anonymized returns pairs that remove a player's name from a match and its result, and the match from the player's histories.
// A match without other players leaves every list.
func (s *Store) anonymized(player game.PlayerID, r game.Result, stored ordered.Pair) ([]ordered.Pair, error) {
	v, err := s.codecs.DecodeEnded(stored)
	if errors.Is(err, game.ErrDamaged) {
		return s.anonymizedLost(player, r, stored)
	}
	if err != nil {
		return nil, err
	}
	old, err := s.codecs.EntriesOf(r, v.Named())
	if err != nil {
		return nil, err
	}
	v.Match = v.Without(player)
	alone := v.Result().Anonymous()
	if alone { // the match leaves every list, so nothing would remove the names of others who started or stopped it
		for _, p := range v.Named() {
			v.Match = v.Without(p)
		}
	}
	after := v.Result() // two players without names become one participant
	after.LogPosition = r.LogPosition
	now, err := s.codecs.EntriesOf(after, v.Named())
	if err != nil {
		return nil, err
	}
	set := replaced(old, now)
	if alone {
		set = append(set, ordered.Pair{Key: schema.ReviewKey(v.ID)})
	}
	pairs, err := s.codecs.EncodeEnded(v, v.Result())
	return append(pairs, set...), err
}

// anonymizedLost is anonymized for an unreadable match. The match may have the player's name and is removed; its result stays,
// without the name.
func (s *Store) anonymizedLost(player game.PlayerID, r game.Result, stored ordered.Pair) ([]ordered.Pair, error) {
	set := ordered.Removed(schema.DailyEntries(r))
	data, err := record.Encode(r.Without(player))
	lost := schema.SetAside(ordered.Pair{Key: stored.Key, Value: schema.Nothing}) // without the unreadable value
	return append(set, lost, ordered.Pair{Key: schema.Numbered(schema.EverywhereOf(player), r.LogPosition)}, ordered.Pair{Key: stored.Key},
		ordered.Pair{Key: schema.ResultKey(r.LogPosition), Value: data}), err
}
