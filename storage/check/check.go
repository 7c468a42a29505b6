// Package check finds unreadable records in a store, and records that differ from those that they follow from. It mends the
// ones that can be made again.
package check

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/game/league"
	"fivefold/game/statistics"
	"fivefold/game/work"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
	"fivefold/storage/schema"
)

// Finding is something that is wrong in a store.
type Finding struct {
	Key  string // key of the record; empty for the file itself
	What string // the fault, without stored data
	// Derived means that the record follows from others, so that mending makes it again. Any other record is lost, or was set
	// aside.
	Derived bool
}

// String says where something is wrong, and what.
func (f Finding) String() string {
	if f.Key == "" {
		return f.What
	}
	return fmt.Sprintf("%s %q: %s", schema.TopicOf(f.Key), strings.TrimPrefix(f.Key, schema.TopicOf(f.Key)+"\x00"), f.What)
}

// Options are the settings of [Map]. The zero value is ready to use.
type Options struct {
	// Mend makes wrong records again if they follow from others, and sets other unreadable ones aside. Without Mend, nothing
	// may change the store during the check.
	Mend bool
	// Report is called for each finding; it may be nil.
	Report func(Finding)
	// Progress is called now and then with the number of keys checked, of about how many; it may be nil.
	Progress func(done, of int)
	// Affected is called at the end of [File] for each game that something is wrong with; it may be nil.
	Affected func(Affected)
	// Rest is how long the check rests after each batch, as a multiple of how long that took.
	Rest int
}

// Map reads every record of a store in batches, and compares each with the records that it follows from. With Options.Mend the
// store may be in use. Map returns the number of findings.
func Map(ctx context.Context, m ordered.Map, codecs record.Codecs, o Options) (problems int, err error) {
	all, err := ordered.Count(ctx, m, ordered.Everything)
	if err != nil {
		return 0, err
	}
	c := &checking{m: m, codecs: schema.Codecs{Codecs: codecs}, o: o}
	if c.forgotten, err = c.anyForgotten(ctx); err != nil {
		return 0, err
	}
	done, began := 0, time.Now()
	for _, q := range inOrder() {
		err = errors.Join(err, ordered.Each(ctx, m, q, func(batch []ordered.Pair) error {
			if err := c.batch(ctx, batch); err != nil {
				return err
			}
			if done += len(batch); o.Progress != nil {
				o.Progress(min(done, all), all)
			}
			err := work.Sleep(ctx, time.Duration(o.Rest)*time.Since(began))
			began = time.Now()
			return err
		}))
	}
	return c.problems, err
}

// inOrder returns queries that cover every key once. Sources come first: they are mended before the records that follow from
// them are compared.
func inOrder() (queries []ordered.Query) {
	first := []string{schema.TopicLeague, schema.TopicMatch, schema.TopicResult, schema.TopicSlot, schema.TopicTotal} // in the order of keys
	rest, from := []ordered.Query{}, ordered.Everything.From
	for _, topic := range first {
		queries = append(queries, ordered.Prefix(topic))
		rest = append(rest, ordered.Query{From: from, To: topic})
		from = ordered.End(topic)
	}
	return append(append(queries, rest...), ordered.Query{From: from, To: ordered.Everything.To})
}

// anyForgotten reports whether Forget has removed a match. If so, totals count more than the log has.
func (c *checking) anyForgotten(ctx context.Context) (bool, error) {
	n, err := ordered.Count(ctx, c.m, ordered.Prefix(schema.TopicForgotten))
	return n > 0, err
}

// checking is one call of Map.
type checking struct {
	m         ordered.Map
	codecs    schema.Codecs
	o         Options
	forgotten bool
	player    game.PlayerID    // the player of again; a player's totals are adjacent
	again     statistics.Tally // all totals of player, counted again
	problems  int
}

// report reports a finding and, with Options.Mend, commits the change that puts it right.
func (c *checking) report(ctx context.Context, key, what string, derived bool, mend ordered.Change) error {
	if c.o.Mend {
		switch err := c.m.Commit(ctx, mend); {
		case errors.Is(err, game.ErrConflict):
			return nil // it was changed since it was read
		case err != nil:
			return err
		}
	}
	c.problems++
	if c.o.Report != nil {
		c.o.Report(Finding{key, what, derived})
	}
	return nil
}

// claim is what a record says about others: their keys, and how to verify what is there.
type claim struct {
	keys   []string
	verify func(ctx context.Context, there []ordered.Pair) error
}

// batch checks adjacent records, and reads what they make claims about in one round trip.
func (c *checking) batch(ctx context.Context, batch []ordered.Pair) error {
	var all []claim
	var keys []string
	for _, p := range batch {
		claims, err := c.record(ctx, p)
		if err != nil {
			return err
		}
		for _, n := range claims {
			all, keys = append(all, n), append(keys, n.keys...)
		}
	}
	there, err := c.m.Get(ctx, keys...)
	if err != nil {
		return err
	}
	c.player = ""
	for _, n := range all {
		if err := n.verify(ctx, slices.Clip(there[:len(n.keys)])); err != nil {
			return err
		}
		there = there[len(n.keys):]
	}
	return nil
}

// wantDerived claims that the pairs that follow from a record are there.
func (c *checking) wantDerived(p ordered.Pair, follows []ordered.Pair) claim {
	keys := game.Each(follows, func(f ordered.Pair) string { return f.Key })
	return claim{keys, func(ctx context.Context, there []ordered.Pair) error {
		for i, f := range follows {
			if !schema.Differs(there[i], f) {
				continue
			}
			if err := c.report(ctx, f.Key, "it is missing or wrong", true, ordered.Change{If: []ordered.Pair{p, there[i]}, Set: []ordered.Pair{f}}); err != nil {
				return err
			}
		}
		return nil
	}}
}

// record checks a record by itself, and returns its claims. A record with a right checksum can be read, so only those from which
// others follow are decoded.
func (c *checking) record(ctx context.Context, p ordered.Pair) ([]claim, error) {
	topic := schema.TopicOf(p.Key) + "\x00"
	follows, err := c.codecs.DerivedFrom(p)
	from, failed := schema.Source(p)
	player, _ := schema.ParseTotalKey(p.Key)
	switch err = errors.Join(err, failed); {
	case errors.Is(err, game.ErrDamaged) && topic == schema.TopicTotal && player != "":
		return nil, c.recounted(ctx, p, "it cannot be read")
	case errors.Is(err, game.ErrDamaged):
		derived := slices.Contains(schema.DerivedTopics, topic)
		what, mend := "it cannot be read", []ordered.Pair{{Key: p.Key}}
		if !derived {
			what, mend = "it cannot be read; it is lost", append(mend, schema.SetAside(p))
		}
		return nil, c.report(ctx, p.Key, what, derived, ordered.Change{If: []ordered.Pair{p}, Set: mend})
	case err != nil:
		return nil, err
	}
	all := []claim{c.wantDerived(p, follows)}
	if from != "" {
		all = append(all, c.wantSource(p, from))
	}
	switch topic {
	case schema.TopicResult:
		return append(all, c.result(p)...), nil
	case schema.TopicLeague:
		r, _ := schema.LeagueResult(p) // it was read before
		return append(all, c.totals(p, r)), nil
	case schema.TopicTotal:
		return append(all, c.total(p)), nil
	}
	return all, nil
}

// wantSource claims that a record follows from the one under a key. If that is a result or an ended match, it only has to be
// there.
func (c *checking) wantSource(p ordered.Pair, from string) claim {
	return claim{[]string{from}, func(ctx context.Context, there []ordered.Pair) error {
		if there[0].Value != nil && (strings.HasPrefix(from, schema.TopicResult) || strings.HasPrefix(from, schema.TopicMatch)) {
			return nil
		}
		follows, err := c.codecs.DerivedFrom(there[0])
		if err == nil && slices.ContainsFunc(follows, func(f ordered.Pair) bool { return f.Key == p.Key && !schema.Differs(p, f) }) {
			return nil
		}
		return c.report(ctx, p.Key, "what it follows from is missing or says otherwise", true, ordered.Change{If: append(there, p), Set: []ordered.Pair{{Key: p.Key}}})
	}}
}

// result claims that the match of a result is there, and that its players have totals.
func (c *checking) result(p ordered.Pair) []claim {
	r, _ := schema.DecodeResult(p) // it was read before
	match := ordered.Pair{Key: schema.MatchKey(r.Match), Value: schema.Nothing}
	lost := schema.SetAside(match) // this key exists once the loss was reported
	return []claim{c.totals(p, r), {[]string{match.Key, lost.Key}, func(ctx context.Context, there []ordered.Pair) error {
		if there[0].Value != nil || there[1].Value != nil {
			return nil // an unreadable match is a finding of its own
		}
		return c.report(ctx, match.Key, "the game is lost; its result still counts", false, ordered.Change{If: append(there, p), Set: []ordered.Pair{lost}})
	}}}
}

// totals claims that the players of a result have totals.
func (c *checking) totals(p ordered.Pair, r game.Result) claim {
	var keys []string
	for _, p := range r.Known() {
		for _, scope := range statistics.Scopes(r) {
			keys = append(keys, schema.TotalKey(p.Player, scope), schema.DeletingKey(p.Player))
		}
	}
	return claim{keys, func(ctx context.Context, there []ordered.Pair) error {
		for ; len(there) > 0; there = there[:len(there)-2] {
			// While a player's data is being deleted, the result has a name that no longer counts.
			if total, deleting := there[len(there)-2], there[len(there)-1]; total.Value == nil && deleting.Value == nil {
				if err := c.recounted(ctx, total, "it is missing", p, deleting); err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// total claims that a player's totals count what the log has.
func (c *checking) total(p ordered.Pair) claim {
	t, scope, _ := schema.DecodeTotal(p) // it was read before
	return claim{[]string{schema.DeletingKey(t.Player)}, func(ctx context.Context, there []ordered.Pair) (err error) {
		// The log still has results that are being made anonymous, no longer those that were forgotten, and never a pseudonym.
		if there[0].Value != nil || c.forgotten && !league.Is(scope.Kind) || schema.Pseudonymous(t.Player) {
			return nil
		}
		if c.player != t.Player {
			if c.again, err = Recount(ctx, c.m, c.codecs.Codecs, t.Player); err != nil {
				return err
			}
			c.player = t.Player
		}
		if again := schema.TotalIn(c.again, p.Key); reflect.DeepEqual(again.Totals, t.Totals) && slices.Equal(again.Guilds, t.Guilds) {
			return nil
		}
		if c.forgotten, err = c.anyForgotten(ctx); err != nil || c.forgotten && !league.Is(scope.Kind) { // meanwhile
			return err
		}
		return c.recounted(ctx, p, "it is not what the log has", there[0])
	}}
}

// recounted reports wrong totals, and counts them again on condition that the pairs in as have not changed.
func (c *checking) recounted(ctx context.Context, p ordered.Pair, what string, as ...ordered.Pair) error {
	player, scope := schema.ParseTotalKey(p.Key)
	again, err := Recount(ctx, c.m, c.codecs.Codecs, player)
	if _, counts := again[scope]; err != nil || p.Value == nil && !counts { // it counts in no more than [statistics.MostGuilds]
		return err
	}
	data, err := record.Encode(schema.TotalIn(again, p.Key))
	if err != nil {
		return err
	}
	now := ordered.Pair{Key: p.Key, Value: data}
	rank, err := c.codecs.DerivedFrom(now) // a wrong rank goes when ranks are checked
	if err != nil {
		return err
	}
	return c.report(ctx, p.Key, what, true, ordered.Change{If: append(as, p), Set: append(rank, now)})
}
