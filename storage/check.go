package storage

import (
	"bytes"
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
	Key  string // where
	What string // without anything that is stored there
	// Mended means that it follows from other data, and was made again from it. What is not mended is
	// lost, or was set aside.
	Mended bool
	// Derived means that it follows from other data, so that a repair makes it again.
	Derived bool
}

// String says where something is wrong, and what.
func (f Finding) String() string {
	return fmt.Sprintf("%s %q: %s", topicOf(f.Key), strings.TrimPrefix(f.Key, topicOf(f.Key)+"\x00"), f.What)
}

// CheckOptions are the settings of [Store.Check]. The zero value is ready to use.
type CheckOptions struct {
	// Mend has what follows from other data made again where it is wrong, and records that cannot be
	// read set aside where something can take their place.
	Mend bool
	// Report is called for everything that is wrong; nil for no calls.
	Report func(Finding)
	// Progress is called now and then with how many keys were checked, of about how many.
	Progress func(done, of int)
	// Rest is how long the check rests after each batch, as a multiple of how long that took.
	Rest int
}

// Check reads every record in batches, while the store is in use, and compares what follows from other
// data with it. It returns how many things are wrong.
func (s *Store) Check(ctx context.Context, o CheckOptions) (problems int, err error) {
	all, err := s.m.Count(ctx, everything)
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
			err := sleep(ctx, time.Duration(o.Rest)*time.Since(began))
			began = time.Now()
			return err
		}))
	}
	return c.problems, err
}

// inOrder returns queries of all keys, each once. Records that others follow from come first, so that those
// are compared with what has been mended.
func inOrder() (queries []ordered.Query) {
	first := []string{topicCommunity, topicMatch, topicResult, topicSlot} // in the order of keys
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
func (s *Store) anyForgotten(ctx context.Context) (any bool, err error) {
	err = s.each(ctx, ordered.Prefix(topicCommunity), func(batch []ordered.Pair) error {
		for _, p := range batch {
			if c, err := decodeCommunity(p); err == nil && c.forgotten > 0 {
				any = true
			}
		}
		return nil
	})
	return any, err
}

// checking is one call of Check.
type checking struct {
	*Store
	o         CheckOptions
	forgotten bool
	problems  int
}

// found reports that something is wrong. Mend is the change that puts it right, with the conditions under
// which it does; it has nothing to set if there is none.
func (c *checking) found(ctx context.Context, key, what string, derived bool, mend ordered.Change) error {
	f := Finding{Key: key, What: what, Derived: derived}
	if c.o.Mend && len(mend.Set) > 0 {
		switch err := c.m.Commit(ctx, mend); {
		case errors.Is(err, game.ErrConflict):
			return nil // it was changed since it was read
		case err != nil:
			return err
		}
		f.Mended = true
	} else if same, err := c.unchanged(ctx, mend.If); err != nil || !same {
		return err
	}
	c.problems++
	if c.o.Report != nil {
		c.o.Report(f)
	}
	return nil
}

// unchanged reports whether pairs are still what was read.
func (c *checking) unchanged(ctx context.Context, pairs []ordered.Pair) (bool, error) {
	keys := make([]string, len(pairs))
	for i, p := range pairs {
		keys[i] = p.Key
	}
	there, err := c.get(ctx, keys...)
	for i, p := range there {
		if (p.Value == nil) != (pairs[i].Value == nil) || !bytes.Equal(p.Value, pairs[i].Value) {
			return false, nil
		}
	}
	return true, err
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
		n, err := c.record(ctx, p)
		if err != nil {
			return err
		}
		if n.judge != nil {
			all, keys = append(all, n), append(keys, n.keys...)
		}
	}
	there, err := c.get(ctx, keys...)
	if err != nil {
		return err
	}
	for _, n := range all {
		if err := n.judge(ctx, slices.Clip(there[:len(n.keys)])); err != nil {
			return err
		}
		there = there[len(n.keys):]
	}
	return nil
}

// derivedTopics are those of what follows from other data.
var derivedTopics = []string{topicHistory, topicPlayer, topicOwn, topicOpen, topicRacing, topicDaily, topicSolved, topicTotal, topicRank, topicCommunity}

// record checks a record by itself, and returns what it needs.
func (c *checking) record(ctx context.Context, p ordered.Pair) (needs, error) {
	rest := p.Key[min(len(p.Key), len(topicOf(p.Key))+1):]
	same := func(set ...ordered.Pair) ordered.Change { return ordered.Change{If: []ordered.Pair{p}, Set: set} }
	gone := ordered.Pair{Key: p.Key}
	var n needs
	var err error
	topic := topicOf(p.Key) + "\x00"
	switch topic {
	case topicSlot:
		n, err = c.slot(p, rest)
	case topicMatch:
		n, err = c.match(p)
	case topicResult: // where its match has it, that has been mended by now
		n, err = c.result(p)
	case topicHistory, topicPlayer, topicOwn:
		e, broken := decodeHistoryEntry(p)
		n, err = c.entry(p, e.place), broken
	case topicDaily:
		_, place, broken := decodeDaily(p)
		n, err = c.entry(p, place), broken
	case topicOpen:
		n = needs{[]string{topicSlot + string(p.Value)}, func(ctx context.Context, there []ordered.Pair) error {
			if v, err := decodeSlot(there[0]); err == nil && v.playing {
				if m, _, err := c.decodeEntry(v.id, v.entry); err == nil && openKey(m.Unfinished("")) == p.Key {
					return nil
				}
			}
			return c.found(ctx, p.Key, "the match is not being played", true, same(gone))
		}}
	case topicTotal:
		n, err = c.total(p)
	case topicRank:
		n, err = c.rank(p)
	case topicRacing:
		n = needs{[]string{raceOfDue(p.Key)}, func(ctx context.Context, there []ordered.Pair) error {
			if r, err := decodeRace(there[0]); err == nil && r.Version > 0 && racingKey(r) == p.Key {
				return nil
			}
			return c.found(ctx, p.Key, "no such race is due then", true, same(gone))
		}}
	case topicRace:
		n, err = c.race(p)
	case topicReceipt:
		_, err = record.DecodeReceipt(p.Value)
	case topicPuzzle:
		kind, _, _ := strings.Cut(rest, "\x00")
		_, err = c.codecs.DecodePuzzle(game.Kind(kind), p.Value)
	case topicRecent, keyGuilds:
		_, err = decodeTexts[string](p)
	case topicCommunity:
		_, err = decodeCommunity(p)
	case topicClearing:
		_, err = decodeNumber(p.Value)
	case topicSession:
		_, err = decodeSession(p, "")
	case topicBoard:
		_, err = decodeBoardMessage(p)
	case topicWork:
		_, err = decodeWork(p)
	case keySecret:
		if len(p.Value) != secretBytes {
			err = game.ErrDamaged
		}
	case topicReview, topicLook, topicServer, topicDayPost, topicAside, topicProbe, topicSolved: // others know what they have
	default:
		err = fmt.Errorf("no such topic: %w", game.ErrDamaged)
	}
	unreadable := "it cannot be read"
	if p.Damaged {
		unreadable, err = "wrong checksum", game.ErrDamaged
	}
	if !errors.Is(err, game.ErrDamaged) {
		return n, err
	}
	mend, derived := []ordered.Pair{gone}, slices.Contains(derivedTopics, topic)
	if !derived {
		mend = append(mend, setAside(p))
	}
	switch {
	case topic == topicTotal:
		if player, scope, ok := parseTotalKey(p.Key); ok {
			return needs{}, c.recounted(ctx, p, player, scope, unreadable)
		}
	case topic == topicCommunity:
		again, err := c.recountCommunity(ctx, rest)
		if err != nil {
			return needs{}, err
		}
		mend[0].Value = again.encode()
	case p.Key == keySecret:
		unreadable += "; another one will be made"
	case !derived:
		unreadable += "; it is lost"
	}
	return needs{}, c.found(ctx, p.Key, unreadable, derived, same(mend...))
}

// slot checks what a slot has.
func (c *checking) slot(p ordered.Pair, slot string) (needs, error) {
	v, err := decodeSlot(p)
	if err != nil {
		return needs{}, err
	}
	if v.cleared != "" {
		return needs{}, nil
	}
	if !v.playing {
		return needs{[]string{matchKey(v.id)}, func(ctx context.Context, there []ordered.Pair) error {
			if there[0].Value != nil {
				return nil
			}
			return c.found(ctx, p.Key, "its match is missing", false, ordered.Change{If: append(there, p), Set: []ordered.Pair{{Key: p.Key}}})
		}}, nil
	}
	m, _, err := c.decodeEntry(v.id, v.entry)
	if err != nil {
		return needs{}, err
	}
	return needs{[]string{openKey(m.Unfinished(""))}, func(ctx context.Context, there []ordered.Pair) error {
		if string(there[0].Value) == slot {
			return nil
		}
		return c.found(ctx, there[0].Key, "a match that is being played is not in the list of those", true,
			ordered.Change{If: append(there, p), Set: []ordered.Pair{{Key: there[0].Key, Value: []byte(slot)}}})
	}}, nil
}

// race checks that a race is listed as due.
func (c *checking) race(p ordered.Pair) (needs, error) {
	r, err := decodeRace(p)
	if err != nil {
		return needs{}, err
	}
	return needs{[]string{racingKey(r)}, func(ctx context.Context, there []ordered.Pair) error {
		if there[0].Value != nil {
			return nil
		}
		return c.found(ctx, there[0].Key, "a race is not in the list of those that are due", true,
			ordered.Change{If: append(there, p), Set: []ordered.Pair{{Key: there[0].Key, Value: nothing}}})
	}}, nil
}

// match checks an ended match: its result is in the log, it is in the histories of all that it names, its
// players have totals, and its community knows its number.
func (c *checking) match(p ordered.Pair) (needs, error) {
	m, _, v, err := c.decodeEndedMatch(p)
	if err != nil {
		return needs{}, err
	}
	r := m.Result()
	r.Number = v.place
	data, err := record.EncodeResult(r)
	if err != nil {
		return needs{}, err
	}
	want := []ordered.Pair{{Key: resultKey(v.place), Value: data}}
	if v.number > 0 {
		entries, err := c.entriesOf(r, m.Named(), v.number)
		if err != nil {
			return needs{}, err
		}
		want = append(want, entries...)
	}
	keys := make([]string, len(want))
	for i, w := range want {
		keys[i] = w.Key
	}
	counted := countedIn(r)
	for _, t := range counted {
		keys = append(keys, totalKey(t.player.Player, t.scope), clearingKey(t.player.Player))
	}
	keys = append(keys, communityKey(r.Location.Community()))
	return needs{keys, func(ctx context.Context, there []ordered.Pair) error {
		for i, w := range want {
			if _, err := c.decodeResult(there[0]); i == 0 && err == nil {
				continue // the log is a truth of its own
			}
			if there[i].Damaged || !bytes.Equal(there[i].Value, w.Value) {
				what := "its entry in a history is missing or wrong"
				if i == 0 {
					what = "its result is missing or damaged"
				}
				if err := c.found(ctx, p.Key, what, true,
					ordered.Change{If: []ordered.Pair{p, there[i]}, Set: []ordered.Pair{w}}); err != nil {
					return err
				}
			}
		}
		for i, t := range counted {
			// While a history is being cleared, the match has a name that no longer counts.
			if total, clearing := there[len(want)+2*i], there[len(want)+2*i+1]; total.Value == nil && clearing.Value == nil {
				if err := c.recounted(ctx, total, t.player.Player, t.scope, "it is missing", p, clearing); err != nil {
					return err
				}
			}
		}
		known, err := decodeCommunity(there[len(there)-1])
		if err != nil || known.last >= v.number && known.place >= v.place {
			return c.unlessDamaged(err) // it is found where it is
		}
		return c.raise(ctx, there[len(there)-1].Key, v)
	}}, nil
}

// raise reports a community that does not know the number of a match, and mends it.
func (c *checking) raise(ctx context.Context, key string, v endedValue) error {
	there, err := c.get(ctx, key)
	if err != nil {
		return err
	}
	known, err := decodeCommunity(there[0])
	if err != nil {
		return c.unlessDamaged(err)
	}
	known.last, known.place = max(known.last, v.number), max(known.place, v.place)
	return c.found(ctx, key, "it does not know the number of a match", true, ordered.Change{If: there, Set: []ordered.Pair{{Key: key, Value: known.encode()}}})
}

// result checks a result of the log.
func (c *checking) result(p ordered.Pair) (needs, error) {
	if len(p.Key) != len(topicResult)+8 {
		return needs{}, game.ErrDamaged
	}
	r, err := c.decodeResult(p)
	if err != nil {
		return needs{}, err
	}
	keys := []string{matchKey(r.Match)}
	for _, p := range solvedIn(r) {
		keys = append(keys, p.Key)
	}
	return needs{keys, func(ctx context.Context, there []ordered.Pair) error {
		for _, solved := range there[1:] {
			if solved.Value == nil {
				if err := c.found(ctx, solved.Key, "a daily puzzle that was solved is missing", true,
					ordered.Change{If: []ordered.Pair{p, solved}, Set: []ordered.Pair{{Key: solved.Key, Value: nothing}}}); err != nil {
					return err
				}
			}
		}
		if there[0].Value != nil {
			return nil // if it cannot be read, that is found where it is
		}
		there = there[:1]
		return c.found(ctx, there[0].Key, "the match is lost; its result still counts", false, ordered.Change{If: append(there, p)})
	}}, nil
}

// entry checks an entry of a history or of a daily puzzle, which belongs to a result.
func (c *checking) entry(p ordered.Pair, place uint64) needs {
	return needs{[]string{resultKey(place)}, func(ctx context.Context, there []ordered.Pair) error {
		if there[0].Value != nil {
			return nil
		}
		return c.found(ctx, p.Key, "its result is missing", true, ordered.Change{If: append(there, p), Set: []ordered.Pair{{Key: p.Key}}})
	}}
}

// total checks that a player's totals have a place in the leaderboard and count what the log has.
func (c *checking) total(p ordered.Pair) (needs, error) {
	player, scope, ok := parseTotalKey(p.Key)
	if !ok {
		return needs{}, game.ErrDamaged
	}
	t, err := decodeTotal(p, player)
	if err != nil {
		return needs{}, err
	}
	keys := []string{clearingKey(player)}
	if scope.Guild != "" && t.Placed() {
		keys = append(keys, rankKey(scope, t.Totals))
	}
	return needs{keys, func(ctx context.Context, there []ordered.Pair) error {
		clearing := there[0]
		if rank := there[1:]; len(rank) > 0 && rank[0].Value == nil {
			if err := c.found(ctx, rank[0].Key, "the player has no place in the leaderboard", true,
				ordered.Change{If: append(rank, p), Set: []ordered.Pair{{Key: rank[0].Key, Value: nothing}}}); err != nil {
				return err
			}
		}
		if clearing.Value != nil { // what is being cleared is still in the log
			return nil
		}
		if c.forgotten { // the log no longer has all that they count
			return nil
		}
		again, err := c.recountTotal(ctx, player, scope)
		if err != nil || again.Totals == t.Totals {
			return err
		}
		if c.forgotten, err = c.anyForgotten(ctx); err != nil || c.forgotten { // meanwhile
			return err
		}
		return c.recounted(ctx, p, player, scope, "it is not what the log has", clearing)
	}}, nil
}

// recounted reports totals that are wrong, and counts them again, as long as other pairs are as they were.
func (c *checking) recounted(ctx context.Context, p ordered.Pair, player game.PlayerID, scope game.Scope, what string, as ...ordered.Pair) error {
	again, err := c.recountTotal(ctx, player, scope)
	if err != nil {
		return err
	}
	data, err := again.encode()
	if err != nil {
		return err
	}
	mend := ordered.Change{If: append(as, p), Set: []ordered.Pair{{Key: p.Key, Value: data}}}
	if scope.Guild != "" {
		old, err := c.ranks(ctx, scope, player)
		if err != nil {
			return err
		}
		var now []ordered.Pair
		if again.Placed() {
			now = []ordered.Pair{{Key: rankKey(scope, again.Totals), Value: nothing}}
		}
		mend.Set = append(mend.Set, replaced(old, now)...)
	}
	return c.found(ctx, p.Key, what, true, mend)
}

// rank checks a place in a leaderboard.
func (c *checking) rank(p ordered.Pair) (needs, error) {
	parts := strings.SplitN(p.Key, "\x00", 5)
	if len(parts) != 5 || len(parts[4]) <= rankOrderBytes {
		return needs{}, game.ErrDamaged
	}
	scope := game.Scope{Kind: game.Kind(parts[1]), Guild: game.GuildID(parts[2]), Month: parts[3]}
	player := game.PlayerID(parts[4][rankOrderBytes:])
	return needs{[]string{totalKey(player, scope)}, func(ctx context.Context, there []ordered.Pair) error {
		if t, err := decodeTotal(there[0], player); err != nil || rankKey(scope, t.Totals) == p.Key {
			return nil // damaged totals are found where they are
		}
		return c.found(ctx, p.Key, "the player has another place", true, ordered.Change{If: append(there, p), Set: []ordered.Pair{{Key: p.Key}}})
	}}, nil
}

// checkBehind is the check behind the start: it rests most of the time, mends what follows from other
// data, and logs what it finds.
func (s *Store) checkBehind() {
	logged := 0
	_, err := s.Check(s.closing, CheckOptions{Mend: true, Rest: 9, Report: func(f Finding) {
		s.problems.Add(1)
		if logged++; logged <= 10 { // the rest is what "fivefold check" prints
			s.log.Error("found a damaged record", "topic", topicOf(f.Key), "what", f.What, "mended", f.Mended)
		}
	}})
	switch {
	case err == nil:
		s.checked.Store(true)
	case s.closing.Err() == nil:
		s.log.Error("could not check the store", "error", err)
	}
}

// Checked reports whether the check behind the start has ended, and how many problems it has found so far.
func (s *Store) Checked() (ended bool, problems int) { return s.checked.Load(), int(s.problems.Load()) }
