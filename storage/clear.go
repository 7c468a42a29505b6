package storage

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/league"
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// clearAtOnce is how many matches one commit makes anonymous. After each such commit the clearing rests for as long as the
// batch took, so that other commits wait for one at most.
const clearAtOnce = 25

// Clear implements [finished.Store]. The first commit notes the clearing, removes the totals, so that the player is out of all
// leaderboards, and takes the player's display name from races. The matches follow in batches, with other commits between them.
// If ctx or the process ends before the last batch, Run finishes the clearing. Matches that end later are not affected.
func (s *Store) Clear(ctx context.Context, c finished.ClearRequest) error {
	err := s.change(ctx, func(p *plan) { p.clear(ctx, c) })
	if err != nil && !errors.Is(err, game.ErrConflict) { // a conflict: the clearing has begun already
		return err
	}
	return s.finishClear(ctx, c.Player)
}

// clear plans the first commit of a clearing. It fails with game.ErrConflict if the request was carried out before.
func (p *plan) clear(ctx context.Context, c finished.ClearRequest) {
	if there := p.get(ctx, schema.ReceiptKey(c.Request), schema.ClearingKey(c.Player)); there[0].Value != nil {
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
		p.write(schema.ClearedKey(month, p.named(ctx, c.Player, month)), schema.Nothing)
	}
	p.write(schema.TopicLook+string(c.Player), nil)
	reminder := p.get(ctx, schema.TopicReminder+string(c.Player))[0]
	wish, _ := schema.DecodeAs[game.Reminder](reminder) // the check finds the entry of an unreadable one
	p.set(ordered.Removed(append(schema.RemindedEntry(c.Player, wish), reminder)), nil)
	p.leaveRaces(ctx, c.Player)
	p.leaveLeague(ctx, c.Player)
	if len(latest) > 0 {
		upTo := schema.NumberIn(latest[0].Key)
		p.put(schema.ClearingKey(c.Player), upTo)
		p.emptyTotals(statistics.Total{LogPosition: upTo, Totals: statistics.Totals{Player: c.Player}})
	}
	receipt := schema.Receipt{At: c.At}
	for _, slot := range slots {
		v, err := p.store.decodeSlot(slot)
		if v.Version > 0 || errors.Is(err, game.ErrNewer) {
			continue
		}
		var cleared []byte
		if err == nil && slices.ContainsFunc(c.Mark, func(s game.Slot) bool { return schema.SlotKey(s) == slot.Key }) {
			cleared = schema.Tombstone(c.Request)
			receipt.Player = c.Player // sweep finds the tombstone by it
		}
		p.change.If = append(p.change.If, slot)
		p.write(slot.Key, cleared)
	}
	p.put(schema.ReceiptKey(c.Request), receipt)
}

// leaveRaces removes a player's display name from the races that are kept. They get a new version, so that no change that has
// read the name can bring it back.
func (p *plan) leaveRaces(ctx context.Context, player game.PlayerID) {
	p.fail(ordered.Each(ctx, p.store.m, ordered.Prefix(schema.TopicRace), func(batch []ordered.Pair) error {
		for _, there := range batch {
			r, err := schema.DecodeRace(there)
			if p.store.unlessDamaged(err) != nil {
				return err
			}
			if r.Names[player] != "" {
				r.Names, r.Version = r.Names.Without(player), r.Version+1
				p.change.If = append(p.change.If, there)
				p.put(there.Key, r)
			}
		}
		return nil
	}))
}

// emptyTotals stores empty totals of a player across all servers; the last batch of the clearing removes them. The end of a
// match stores the same keys. If it meets a clearing, one of the two conflicts and is tried again, even for a player without
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

// pseudonym returns the name that stands for a player in a month once they have cleared their history. The name follows from
// the player's id and the secret, and does not reveal the id.
func (s *Store) pseudonym(ctx context.Context, p game.PlayerID, month string) (game.PlayerID, error) {
	secret, err := s.Secret(ctx)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("cleared\x00" + string(p) + "\x00" + month))
	return game.PlayerID(fmt.Sprintf("%s%.16x", schema.Pseudonyms, mac.Sum(nil))), nil
}

// named returns a pseudonym. An error fails the plan.
func (p *plan) named(ctx context.Context, player game.PlayerID, month string) game.PlayerID {
	name, err := p.store.pseudonym(ctx, player, month)
	p.fail(err)
	return name
}

// finishClear makes a player's matches anonymous, batch by batch.
func (s *Store) finishClear(ctx context.Context, player game.PlayerID) error {
	_, err := s.inBatches(ctx, clearAtOnce, 1, func(p *plan) int { return p.clearSome(ctx, player) })
	return err
}

// clearSome plans the next batch of a clearing, and returns how many matches are in it.
func (p *plan) clearSome(ctx context.Context, player game.PlayerID) (n int) {
	pending := p.look(ctx, schema.ClearingKey(player))
	upTo, err := schema.DecodeAs[uint64](pending[0])
	if p.fail(err); pending[0].Value == nil || p.err != nil {
		return 0
	}
	everywhere := schema.EverywhereOf(player)
	answers := p.read(ctx, ordered.Query{From: everywhere, To: schema.Numbered(everywhere, upTo) + "\x00", Limit: clearAtOnce}, ordered.Prefix(schema.TotalsOf(player)))
	entries, left := answers[0], answers[1]
	if len(entries) < clearAtOnce {
		left = slices.DeleteFunc(left, func(p ordered.Pair) bool {
			t, scope, err := schema.DecodeTotal(p)
			return err != nil || t.LogPosition > upTo || league.Is(scope.Kind) // totals that count a later result stay
		})
		p.change.If = append(append(p.change.If, left...), pending...)
		p.removeTotals(ctx, left)
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
	if alone { // the match leaves every list, so nothing would clear the names of others who started or stopped it
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
	if r.Winner == player {
		r.Winner = ""
	}
	r.Names = r.Names.Without(player)
	r.Participants = slices.Clone(r.Participants)
	for i, p := range r.Participants {
		if p.Player == player {
			r.Participants[i].Player = ""
		}
	}
	data, err := record.Encode(r)
	return append(set, ordered.Pair{Key: schema.Numbered(schema.EverywhereOf(player), r.LogPosition)}, ordered.Pair{Key: stored.Key},
		ordered.Pair{Key: schema.ResultKey(r.LogPosition), Value: data}), err
}
