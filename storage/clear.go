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
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// clearAtOnce is how many matches are made anonymous in one commit. Others' commits wait for one at most, and after each the
// clearing rests for as long as it took.
const clearAtOnce = 25

// Clear implements [finished.Store]. The first commit notes the clearing and removes the totals, so that the player
// is out of all leaderboards. The matches follow in batches, with other players' commits between them; if ctx or the process
// ends meanwhile, Run goes on. Matches that end later are not affected.
func (s *Store) Clear(ctx context.Context, c finished.ClearRequest) error {
	err := s.change(ctx, func() (ordered.Change, error) { return s.planClear(ctx, c) })
	if err != nil && !errors.Is(err, game.ErrConflict) { // a conflict: it was begun before
		return err
	}
	return s.finishClear(ctx, c.Player)
}

// planClear plans the first commit of a clearing. The error is game.ErrConflict if the request was carried out before.
func (s *Store) planClear(ctx context.Context, c finished.ClearRequest) (ordered.Change, error) {
	there, err := s.m.Get(ctx, schema.ReceiptKey(c.Request), schema.ClearingKey(c.Player))
	if err != nil {
		return ordered.Change{}, err
	}
	if there[0].Value != nil {
		return ordered.Change{}, game.ErrConflict
	}
	last := ordered.Prefix(schema.EverywhereOf(c.Player))
	last.Limit, last.Backward = 1, true
	answers, err := s.m.Read(ctx, ordered.Prefix(schema.TotalsOf(c.Player)), ordered.Prefix(schema.TopicSlot+game.PlayerKeyPrefix(c.Player)), last)
	if err != nil {
		return ordered.Change{}, err
	}
	totals, slots, latest := answers[0], answers[1], answers[2]
	receipt := schema.Receipt{At: c.At}
	change := ordered.Change{If: append(there, totals...)}
	if change.Set, err = s.withoutTotals(ctx, totals); err != nil {
		return ordered.Change{}, err
	}
	for _, p := range totals { // of closed months, the places stay
		if t, scope, err := schema.DecodeTotal(p); err == nil && t.Guilds != nil && !c.At.Before(game.MonthCloses(scope.Month)) {
			if t.Player, err = s.pseudonym(ctx, c.Player, scope.Month); err != nil {
				return ordered.Change{}, err
			}
			data, err := record.Encode(t)
			if err != nil {
				return ordered.Change{}, err
			}
			change.Set = append(append(change.Set, ordered.Pair{Key: schema.TotalKey(t.Player, scope), Value: data}), schema.Ranks(scope, t)...)
		}
	}
	for _, month := range game.OpenMonths(c.At) {
		pseudonym, err := s.pseudonym(ctx, c.Player, month)
		if err != nil {
			return ordered.Change{}, err
		}
		change.Set = append(change.Set, ordered.Pair{Key: schema.ClearedKey(month, pseudonym), Value: schema.Nothing})
	}
	change.Set = append(change.Set, ordered.Pair{Key: schema.TopicLook + string(c.Player)})
	if len(latest) > 0 {
		upTo := schema.NumberIn(latest[0].Key)
		change.Set = append(change.Set, ordered.Pair{Key: schema.ClearingKey(c.Player), Value: schema.Number(upTo)})
		if err := s.emptyTotals(&change, statistics.Total{LogPosition: upTo, Totals: statistics.Totals{Player: c.Player}}); err != nil {
			return ordered.Change{}, err
		}
	}
	for _, p := range slots {
		v, err := s.decodeSlot(p)
		if v.Version > 0 || errors.Is(err, game.ErrNewer) {
			continue
		}
		cleared := ordered.Pair{Key: p.Key}
		if err == nil && slices.ContainsFunc(c.Mark, func(s game.Slot) bool { return schema.SlotKey(s) == p.Key }) {
			cleared.Value = schema.Tombstone(c.Request)
			receipt.Player = c.Player // by which sweep finds the mark
		}
		change.If, change.Set = append(change.If, p), append(change.Set, cleared)
	}
	data, err := record.Encode(receipt)
	change.Set = append(change.Set, ordered.Pair{Key: schema.ReceiptKey(c.Request), Value: data})
	return change, err
}

// emptyTotals has a clearing store empty totals for everywhere, which its last batch removes. Each end of a match stores these
// totals too, so that of an end and a clearing at the same moment one is tried again, even if there were none before.
func (s *Store) emptyTotals(c *ordered.Change, none statistics.Total) error {
	data, err := record.Encode(none)
	for _, codec := range s.codecs.Codecs {
		key := schema.TotalKey(none.Player, statistics.Scope{Kind: codec.Kind()})
		of := func(p ordered.Pair) bool { return p.Key == key }
		if !slices.ContainsFunc(c.If, of) {
			c.If = append(c.If, ordered.Pair{Key: key})
		}
		c.Set = append(slices.DeleteFunc(c.Set, of), ordered.Pair{Key: key, Value: data})
	}
	return err
}

// withoutTotals returns the pairs that remove totals and their ranks.
func (s *Store) withoutTotals(ctx context.Context, totals []ordered.Pair) ([]ordered.Pair, error) {
	set := ordered.Removed(totals)
	for _, p := range totals {
		t, scope, err := schema.DecodeTotal(p)
		if err == nil {
			set = append(set, ordered.Removed(schema.Ranks(scope, t))...)
		} else if errors.Is(err, game.ErrDamaged) { // it does not say which places it has
			err = ordered.Each(ctx, s.m, ordered.Prefix(schema.TopicRank+string(scope.Kind)+"\x00"+string(scope.Guild)), func(batch []ordered.Pair) error {
				for _, rank := range batch {
					if of, err := schema.Source(rank); err == nil && of == p.Key {
						set = append(set, ordered.Pair{Key: rank.Key})
					}
				}
				return nil
			})
		}
		if err != nil {
			return nil, err
		}
	}
	return set, nil
}

// pseudonym returns the name for a month of a player who has cleared their history. It follows from the player's id, but not
// the other way round.
func (s *Store) pseudonym(ctx context.Context, p game.PlayerID, month string) (game.PlayerID, error) {
	secret, err := s.Secret(ctx)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("cleared\x00" + string(p) + "\x00" + month))
	return game.PlayerID(fmt.Sprintf("%s%.16x", schema.Pseudonyms, mac.Sum(nil))), nil
}

// finishClear makes a player's matches anonymous, batch by batch.
func (s *Store) finishClear(ctx context.Context, player game.PlayerID) error {
	_, err := s.inBatches(ctx, clearAtOnce, 1, func(ctx context.Context) (ordered.Change, int, error) { return s.planClearSome(ctx, player) })
	return err
}

// planClearSome plans the next batch of a clearing of n matches.
func (s *Store) planClearSome(ctx context.Context, player game.PlayerID) (c ordered.Change, n int, err error) {
	pending, err := s.m.Get(ctx, schema.ClearingKey(player))
	if err != nil || pending[0].Value == nil {
		return c, 0, err
	}
	upTo, err := schema.DecodeNumber(pending[0])
	if err != nil {
		return c, 0, err
	}
	entries, err := ordered.Scan(ctx, s.m, ordered.Query{From: schema.EverywhereOf(player), To: schema.Numbered(schema.EverywhereOf(player), upTo) + "\x00", Limit: clearAtOnce})
	if err != nil {
		return c, 0, err
	}
	if len(entries) < clearAtOnce {
		left, err := ordered.Scan(ctx, s.m, ordered.Prefix(schema.TotalsOf(player)))
		if err != nil {
			return c, 0, err
		}
		left = slices.DeleteFunc(left, func(p ordered.Pair) bool {
			t, _, err := schema.DecodeTotal(p)
			return err != nil || t.LogPosition > upTo // it counts a later result
		})
		if c.Set, err = s.withoutTotals(ctx, left); err != nil {
			return c, 0, err
		}
		c.If, c.Set = append(left, pending...), append(c.Set, ordered.Pair{Key: pending[0].Key})
	}
	logged, err := s.m.Get(ctx, game.Each(entries, func(p ordered.Pair) string { return schema.ResultKey(schema.NumberIn(p.Key)) })...)
	if err != nil {
		return c, 0, err
	}
	var matches []string
	read := make([]game.Result, len(logged))
	for i, p := range logged {
		if read[i], err = schema.DecodeResult(p); err != nil && !errors.Is(err, game.ErrDamaged) {
			return c, 0, err
		}
		matches = append(matches, schema.MatchKey(read[i].Match))
	}
	stored, err := s.m.Get(ctx, matches...)
	if err != nil {
		return c, 0, err
	}
	for i, p := range entries {
		if read[i].Match == "" || p.Key != schema.Numbered(schema.EverywhereOf(player), schema.NumberIn(p.Key)) { // nothing but this entry names the player
			c.Set = append(c.Set, ordered.Pair{Key: p.Key})
			continue
		}
		set, err := s.anonymized(player, read[i], stored[i])
		if err != nil {
			return c, 0, err
		}
		c.If, c.Set = append(c.If, logged[i], stored[i]), append(c.Set, set...)
	}
	return c, len(entries), nil
}

// anonymized returns the pairs that take a player's name from a match and its result, and the match from the player's
// histories. If no other player took part, it leaves every list.
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
	if alone { // no list leads to it now, so others who only started or stopped it would stay named
		for _, p := range v.Named() {
			v.Match = v.Without(p)
		}
	}
	after := v.Result() // others may be taken for one player now
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

// anonymizedLost is anonymized for the result of an unreadable match, which is removed: it may have the player's name.
func (s *Store) anonymizedLost(player game.PlayerID, r game.Result, stored ordered.Pair) ([]ordered.Pair, error) {
	set := ordered.Removed(schema.DailyEntries(r))
	if r.Winner == player {
		r.Winner = ""
	}
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
