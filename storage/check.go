package storage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fivefold/game"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

// Finding is something that is wrong in a store.
type Finding struct {
	Key  string // where; empty for the file itself
	What string // without anything that is stored there
	// Derived means that it follows from other data, so that mending makes it again. What does not is lost, or was set
	// aside.
	Derived bool
}

// String says where something is wrong, and what.
func (f Finding) String() string {
	if f.Key == "" {
		return f.What
	}
	return fmt.Sprintf("%s %q: %s", topicOf(f.Key), strings.TrimPrefix(f.Key, topicOf(f.Key)+"\x00"), f.What)
}

// CheckOptions are the settings of [Store.Check]. The zero value is ready to use.
type CheckOptions struct {
	// Mend has what follows from other data made again where it is wrong, and records that cannot be
	// read set aside where something can take their place. Without it, nothing may change the store meanwhile.
	Mend bool
	// Report is called for everything that is wrong; nil for no calls.
	Report func(Finding)
	// Progress is called now and then with how many keys were checked, of about how many.
	Progress func(done, of int)
	// Affected is called at the end of [CheckFile] for each game that something is wrong with.
	Affected func(Affected)
	// Rest is how long the check rests after each batch, as a multiple of how long that took.
	Rest int
}

// Check reads every record in batches, and compares what follows from other
// data with it. If it mends, the store may be in use. It returns how many things are wrong.
func (s *Store) Check(ctx context.Context, o CheckOptions) (problems int, err error) {
	all, err := ordered.Count(ctx, s.m, everything)
	if err != nil {
		return 0, err
	}
	c := &checking{Store: s, o: o}
	if c.forgotten, err = s.anyForgotten(ctx); err != nil {
		return 0, err
	}
	done, began := 0, time.Now()
	for _, q := range inOrder() {
		err = errors.Join(err, s.each(ctx, q, func(batch []ordered.Pair) error {
			if err := c.batch(ctx, batch); err != nil {
				return err
			}
			if done += len(batch); o.Progress != nil {
				o.Progress(min(done, all), all)
			}
			err := game.Sleep(ctx, time.Duration(o.Rest)*time.Since(began))
			began = time.Now()
			return err
		}))
	}
	return c.problems, err
}

// inOrder returns queries of all keys, each once. Records that others follow from come first, so that those
// are compared with what has been mended.
func inOrder() (queries []ordered.Query) {
	first := []string{topicMatch, topicResult, topicSlot, topicTotal} // in the order of keys
	rest, from := []ordered.Query{}, everything.From
	for _, topic := range first {
		queries = append(queries, ordered.Prefix(topic))
		rest = append(rest, ordered.Query{From: from, To: topic})
		from = ordered.End(topic)
	}
	return append(append(queries, rest...), ordered.Query{From: from, To: everything.To})
}

// everything is the query of all keys.
var everything = ordered.Query{To: "\xff"}

// anyForgotten reports whether Forget has removed a match: totals then count more than the log has.
func (s *Store) anyForgotten(ctx context.Context) (bool, error) {
	n, err := ordered.Count(ctx, s.m, ordered.Prefix(topicForgotten))
	return n > 0, err
}

// checking is one call of Check.
type checking struct {
	*Store
	o         CheckOptions
	forgotten bool
	player    game.PlayerID // whose totals of the batch were counted last: they are next to one another
	again     game.Tally    // the player's
	problems  int
}

// found reports that something is wrong. Mend is the change that puts it right, with the conditions under
// which it does; it has nothing to set if there is none.
func (c *checking) found(ctx context.Context, key, what string, derived bool, mend ordered.Change) error {
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

// needs is what a record says about others: the keys it needs, and what is wrong if they differ.
type needs struct {
	keys  []string
	judge func(ctx context.Context, there []ordered.Pair) error
}

// batch checks adjacent records, and reads what they need in one round trip.
func (c *checking) batch(ctx context.Context, batch []ordered.Pair) error {
	var all []needs
	var keys []string
	for _, p := range batch {
		needed, err := c.record(ctx, p)
		if err != nil {
			return err
		}
		for _, n := range needed {
			all, keys = append(all, n), append(keys, n.keys...)
		}
	}
	there, err := c.m.Get(ctx, keys...)
	if err != nil {
		return err
	}
	c.player = ""
	for _, n := range all {
		if err := n.judge(ctx, slices.Clip(there[:len(n.keys)])); err != nil {
			return err
		}
		there = there[len(n.keys):]
	}
	return nil
}

// has needs what follows from a record.
func (c *checking) has(p ordered.Pair, follows []ordered.Pair) needs {
	keys := game.Each(follows, func(f ordered.Pair) string { return f.Key })
	return needs{keys, func(ctx context.Context, there []ordered.Pair) error {
		for i, f := range follows {
			if !differs(there[i], f) {
				continue
			}
			if err := c.found(ctx, f.Key, "it is missing or wrong", true, ordered.Change{If: []ordered.Pair{p, there[i]}, Set: []ordered.Pair{f}}); err != nil {
				return err
			}
		}
		return nil
	}}
}

// record checks a record by itself, and returns what it needs.
func (c *checking) record(ctx context.Context, p ordered.Pair) ([]needs, error) {
	topic := topicOf(p.Key) + "\x00"
	mend, derived := []ordered.Pair{{Key: p.Key}}, slices.Contains(derivedTopics, topic)
	if !derived {
		mend = append(mend, setAside(p))
	}
	if !wellFormed(p.Key) {
		return nil, c.found(ctx, p.Key, "no record has such a key", derived, ordered.Change{If: []ordered.Pair{p}, Set: mend})
	}
	rest := p.Key[len(topic):]
	follows, err := c.follows(p)
	from, failed := source(p)
	err = errors.Join(err, failed)
	all := []needs{c.has(p, follows)}
	if from != "" {
		all = append(all, c.comes(p, from))
	}
	var more []needs
	switch topic {
	case topicMatch:
		more, err = c.match(p)
	case topicResult: // where its match has it, that has been mended by now
		more, err = c.result(p)
	case topicTotal:
		more = c.total(p)
	case topicReceipt:
		_, err = record.DecodeReceipt(p.Value)
	case topicPuzzle:
		kind, _, _ := strings.Cut(rest, "\x00")
		_, err = c.codecs.DecodePuzzle(game.Kind(kind), p.Value)
	case topicRecent, keyGuilds:
		_, err = decodeTexts[string](p)
	case topicForgotten, topicClearing:
		_, err = decodeNumber(p)
	case topicSession:
		_, err = decodeSession(p, "")
	case topicBoard:
		_, err = decodeAs[game.BoardMessage](p, boardFormat)
	case topicWork:
		_, err = decodeAs[workRecord](p, workFormat)
	case keySecret:
		if len(p.Value) != secretBytes {
			err = game.ErrDamaged
		}
	} // the others: as above, or others know what they have
	unreadable := "it cannot be read"
	if p.Damaged {
		unreadable, err = "wrong checksum", game.ErrDamaged
	}
	if !errors.Is(err, game.ErrDamaged) {
		return append(all, more...), err
	}
	switch {
	case topic == topicTotal:
		return nil, c.recounted(ctx, p, unreadable)
	case p.Key == keySecret:
		unreadable += "; another one will be made"
	case !derived:
		unreadable += "; it is lost"
	}
	return nil, c.found(ctx, p.Key, unreadable, derived, ordered.Change{If: []ordered.Pair{p}, Set: mend})
}

// comes needs what a record follows from. It is enough that there is a result, or a match that has ended.
func (c *checking) comes(p ordered.Pair, from string) needs {
	return needs{[]string{from}, func(ctx context.Context, there []ordered.Pair) error {
		if there[0].Value != nil && (strings.HasPrefix(from, topicResult) || strings.HasPrefix(from, topicMatch)) {
			return nil
		}
		follows, err := c.follows(there[0])
		if err == nil && slices.ContainsFunc(follows, func(f ordered.Pair) bool { return f.Key == p.Key && !differs(p, f) }) {
			return nil
		}
		return c.found(ctx, p.Key, "what it follows from is missing or says otherwise", true, ordered.Change{If: append(there, p), Set: []ordered.Pair{{Key: p.Key}}})
	}}
}

// match returns what an ended match needs: its result is in the log, it is in the histories
// of all that it names, and its players have totals.
func (c *checking) match(p ordered.Pair) ([]needs, error) {
	v, err := c.decodeEnded(p)
	if err != nil {
		return nil, err
	}
	r := v.Result()
	r.Place = v.place
	data, err := record.EncodeResult(r)
	if err != nil {
		return nil, err
	}
	entries, err := c.entriesOf(r, v.Named())
	if err != nil {
		return nil, err
	}
	keys := []string{resultKey(v.place)}
	for _, p := range r.Known() {
		for _, scope := range r.Scopes() {
			keys = append(keys, totalKey(p.Player, scope), clearingKey(p.Player))
		}
	}
	return []needs{c.has(p, entries), {keys, func(ctx context.Context, there []ordered.Pair) error {
		if _, err := c.decodeResult(there[0]); errors.Is(err, game.ErrDamaged) {
			mend := ordered.Change{If: []ordered.Pair{p, there[0]}, Set: []ordered.Pair{{Key: there[0].Key, Value: data}}}
			if err := c.found(ctx, p.Key, "its result is missing or damaged", true, mend); err != nil {
				return err
			}
		}
		for i := 1; i < len(there); i += 2 {
			// While a history is being cleared, the match has a name that no longer counts.
			if total, clearing := there[i], there[i+1]; total.Value == nil && clearing.Value == nil {
				if err := c.recounted(ctx, total, "it is missing", p, clearing); err != nil {
					return err
				}
			}
		}
		return nil
	}}}, nil
}

// result returns what a result of the log needs.
func (c *checking) result(p ordered.Pair) ([]needs, error) {
	r, err := c.decodeResult(p)
	if err != nil {
		return nil, err
	}
	match := ordered.Pair{Key: matchKey(r.Match), Value: nothing}
	lost := setAside(match) // once that has been reported
	follows := append(solvedIn(r), ordered.Pair{Key: numberKey(r), Value: nothing})
	return []needs{c.has(p, follows), {[]string{match.Key, lost.Key}, func(ctx context.Context, there []ordered.Pair) error {
		if there[0].Value != nil || there[1].Value != nil {
			return nil // if it cannot be read, that is found where it is
		}
		return c.found(ctx, match.Key, "the game is lost; its result still counts", false, ordered.Change{If: append(there, p), Set: []ordered.Pair{lost}})
	}}}, nil
}

// total needs that a player's totals count what the log has.
func (c *checking) total(p ordered.Pair) []needs {
	t, _, err := decodeTotal(p)
	if err != nil || pseudonymous(t.Player) {
		return nil // nothing else has what a pseudonym stands for
	}
	return []needs{{[]string{clearingKey(t.Player)}, func(ctx context.Context, there []ordered.Pair) error {
		// What is being cleared is still in the log, and what was forgotten no longer.
		if there[0].Value != nil || c.forgotten {
			return nil
		}
		if c.player != t.Player {
			if c.again, err = c.recount(ctx, t.Player); err != nil {
				return err
			}
			c.player = t.Player
		}
		if again := totalIn(c.again, p.Key); again.Totals == t.Totals && slices.Equal(again.Guilds, t.Guilds) {
			return nil
		}
		if c.forgotten, err = c.anyForgotten(ctx); err != nil || c.forgotten { // meanwhile
			return err
		}
		return c.recounted(ctx, p, "it is not what the log has", there[0])
	}}}
}

// recounted reports totals that are wrong, and counts them again, as long as other pairs are as they were.
func (c *checking) recounted(ctx context.Context, p ordered.Pair, what string, as ...ordered.Pair) error {
	player, _ := parseTotalKey(p.Key)
	again, err := c.recount(ctx, player)
	if err != nil {
		return err
	}
	data, err := record.Encode(totalFormat, totalIn(again, p.Key))
	if err != nil {
		return err
	}
	now := ordered.Pair{Key: p.Key, Value: data}
	rank, err := c.follows(now) // another one goes when places are checked
	if err != nil {
		return err
	}
	return c.found(ctx, p.Key, what, true, ordered.Change{If: append(as, p), Set: append(rank, now)})
}

const (
	checkEvery = 7 * 24 * time.Hour
	// checkLease is how long a check keeps others from beginning one, and how often one looks whether it is due.
	checkLease = time.Hour
)

// checkIfDue checks every record once a week, mends what follows from other data, and logs what it finds. It rests
// most of the time.
func (s *Store) checkIfDue(ctx context.Context) error {
	work, due, err := s.TakeWork(ctx, "check", checkLease)
	if s.checked.Store(err == nil && !due); !due {
		return err
	}
	logged, wait := 0, checkEvery
	_, err = s.Check(ctx, CheckOptions{Mend: true, Rest: 9, Report: func(f Finding) {
		s.problems.Add(1)
		if logged++; logged <= 10 { // the rest is what "fivefold check" prints
			s.log.Error("found a damaged record", "topic", topicOf(f.Key), "what", f.What, "mended", f.Derived)
		}
	}})
	if s.checked.Store(err == nil); err != nil {
		wait = 0 // the next start begins it again
	}
	ctx, cancel := game.Lingering(ctx)
	defer cancel()
	return errors.Join(err, s.EndWork(ctx, work, wait))
}

// Checked reports whether the check of Run has ended, or is not due, and how many problems it has found so far.
func (s *Store) Checked() (ended bool, problems int) { return s.checked.Load(), int(s.problems.Load()) }
