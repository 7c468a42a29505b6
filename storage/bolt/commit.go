package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"

	"fivefold/game"
	"fivefold/storage/record"
)

// Commit stores a change, with the result and the statistics of a match that it
// ends, in one transaction.
func (s *Store) Commit(ctx context.Context, c game.Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := s.codecs.EncodeReadable(c.Match)
	if err != nil {
		return fmt.Errorf("match %s: %w", c.Match.ID, err)
	}
	return s.commit(ctx, func(tx *bbolt.Tx) error {
		b := buckets{tx, s.codecs}
		requests, err := b.follow(c)
		if err != nil {
			return err
		}
		return b.write(c, matchEntry{append(requests, c.Request), data})
	})
}

// follow checks that the change follows what is stored, and returns the requests of the
// match so far. Otherwise the error is game.ErrConflict. It writes nothing.
func (b buckets) follow(c game.Change) ([]game.RequestID, error) {
	id := []byte(c.Match.ID)
	slot := c.Match.Slot()
	latest, err := b.Bucket(bucketSlots).read([]byte(slot.Key()))
	if err != nil && (c.Match.Version > 1 || !errors.Is(err, game.ErrDamaged)) {
		return nil, err
	}
	if b.Bucket(bucketReceipts).has([]byte(c.Request)) {
		return nil, game.ErrConflict
	}
	if c.Match.Version > 1 {
		if !bytes.Equal(latest, id) {
			return nil, game.ErrConflict
		}
		stored, err := loadEntry(b.Bucket(bucketMatches), id)
		if err == nil && (stored.version()+1 != c.Match.Version || slices.Contains(stored.requests, c.Request)) {
			err = game.ErrConflict
		}
		return stored.requests, err
	}
	if b.Bucket(bucketMatches).has(id) {
		return nil, game.ErrConflict
	}
	if latest != nil {
		stored, err := b.readMatch(latest)
		switch {
		case errors.Is(err, game.ErrDamaged): // this one takes its place
		case err != nil:
			return nil, err
		case stored.Status() == game.Playing || slot.Puzzle != "":
			return nil, game.ErrConflict
		}
	}
	known, err := b.samePuzzle(c.Match)
	if err != nil || known {
		return nil, err
	}
	recent, err := b.recentAnswers(c.Recent.Name)
	switch {
	case errors.Is(err, game.ErrDamaged): // it begins again: see rememberPuzzle
		err = nil
	case err == nil && slices.Contains(latestOf(recent, c.Recent.Keep), c.Match.State.Answer()):
		err = game.ErrConflict
	}
	return nil, err
}

// readMatch is loadMatch without a panic.
func (b buckets) readMatch(id []byte) (m game.Match, err error) {
	err = guard(func() error {
		m, err = b.loadMatch(id)
		return err
	})
	return m, err
}

// recentAnswers returns a list of answers.
func (b buckets) recentAnswers(list string) ([]string, error) {
	value, err := b.Bucket(bucketRecent).read([]byte(list))
	if err != nil {
		return nil, err
	}
	return decodeAnswers(value)
}

// puzzleSearch is how many of the latest matches are searched for a puzzle whose own
// record is damaged. It takes half a second at most.
const puzzleSearch = 10_000

// puzzle returns the record of a puzzle, nil if there is none, and whether the stored one is
// damaged. It is then made from one of the latest matches, which are the last in their bucket,
// since ids grow with time.
func (b buckets) puzzle(k game.Kind, p game.PuzzleID) (record []byte, damaged bool, err error) {
	record, err = b.Bucket(bucketPuzzles).read(puzzleKey(k, p))
	if !errors.Is(err, game.ErrDamaged) {
		return record, false, err
	}
	c := b.Bucket(bucketMatches).stored.Cursor()
	id, sealed := c.Last()
	for n := 0; id != nil && n < puzzleSearch; n++ {
		if value, ok := unseal(bucketMatches, id, sealed); ok {
			if m, err := decodeMatch(b.codecs, id, value); err == nil && m.Kind == k && m.Puzzle == p {
				record, err := b.codecs.EncodePuzzle(k, m.State)
				return record, true, err
			}
		}
		id, sealed = c.Prev()
	}
	return nil, true, err
}

// samePuzzle reports whether a new match has a puzzle that is stored already. The error
// is game.ErrConflict if the stored one has another answer.
func (b buckets) samePuzzle(m game.Match) (bool, error) {
	if m.Puzzle == "" {
		return false, nil
	}
	known, _, err := b.puzzle(m.Kind, m.Puzzle)
	if known == nil || err != nil {
		return false, err
	}
	own, err := b.codecs.EncodePuzzle(m.Kind, m.State)
	if err == nil && !bytes.Equal(own, known) {
		err = game.ErrConflict
	}
	return true, err
}

// write stores the match and, when it ends, everything that follows from its result.
func (b buckets) write(c game.Change, e matchEntry) error {
	id := []byte(c.Match.ID)
	if err := b.put(row{bucketMatches, id, e.encode()}); err != nil {
		return err
	}
	if c.Match.Version == 1 {
		if latest, err := b.Bucket(bucketSlots).read([]byte(c.Match.Slot().Key())); err == nil && latest != nil {
			if _, err := b.readMatch(latest); errors.Is(err, game.ErrDamaged) {
				if err := b.setAside(bucketMatches, latest); err != nil {
					return err
				}
			}
		}
		if err := b.put(row{bucketSlots, []byte(c.Match.Slot().Key()), id}); err != nil {
			return err
		}
		if err := b.rememberPuzzle(c); err != nil {
			return err
		}
	}
	if err := b.listOpen(c.Match); err != nil {
		return err
	}
	if c.Match.Status() == game.Playing {
		return nil
	}
	if err := b.finish(c.Match); err != nil {
		return err
	}
	return b.keepReceipts(c, e.requests)
}

// put writes rows in their order and stops at the first error. A row whose value is
// nil is deleted.
func (b buckets) put(rows ...row) error {
	for _, r := range rows {
		var err error
		if r.value == nil {
			err = b.Bucket(r.bucket).Delete(r.key)
		} else {
			err = b.Bucket(r.bucket).Put(r.key, r.value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mendPuzzle writes the puzzle of a match again if its record cannot be read.
func (b buckets) mendPuzzle(m game.Match) error {
	if m.Puzzle == "" {
		return nil
	}
	known, damaged, err := b.puzzle(m.Kind, m.Puzzle)
	if err != nil || !damaged || known == nil {
		return err
	}
	return b.put(row{bucketPuzzles, puzzleKey(m.Kind, m.Puzzle), known})
}

// rememberPuzzle keeps the answer of a match that starts, and its puzzle if others share
// it, unless the puzzle is known already.
func (b buckets) rememberPuzzle(c game.Change) error {
	known, err := b.samePuzzle(c.Match)
	if err != nil {
		return err
	}
	if known {
		return b.mendPuzzle(c.Match)
	}
	if c.Match.Puzzle != "" {
		puzzle, err := b.codecs.EncodePuzzle(c.Match.Kind, c.Match.State)
		if err != nil {
			return err
		}
		if err := b.put(row{bucketPuzzles, puzzleKey(c.Match.Kind, c.Match.Puzzle), puzzle}); err != nil {
			return err
		}
	}
	if c.Recent.Keep == 0 {
		return nil
	}
	list := []byte(c.Recent.Name)
	recent, err := b.recentAnswers(c.Recent.Name)
	if err != nil && !errors.Is(err, game.ErrDamaged) {
		return err
	}
	return b.put(row{bucketRecent, list, encodeAnswers(latestOf(append(recent, c.Match.State.Answer()), c.Recent.Keep))})
}

func latestOf(answers []string, n int) []string {
	return answers[max(0, len(answers)-n):]
}

// finish appends the result of an ended match to the log and the histories, and adds
// it to the totals of its players and the guild's leaderboard.
func (b buckets) finish(m game.Match) error {
	r := m.Result()
	data, err := record.EncodeResult(r)
	if err != nil {
		return err
	}
	n, err := b.nextNumber()
	if err != nil {
		return err
	}
	if err := b.Bucket(bucketResults).Put(number(n), data); err != nil {
		return err
	}
	r.Number = n
	f := finished{r, m.Named()}
	if err := b.deriveNow(histories, func() error {
		last, err := b.lastNumber(r.Location.Community())
		if err != nil {
			return err
		}
		return b.remember(f, last+1)
	}); err != nil {
		return err
	}
	return b.deriveNow(statistics, func() error { return b.countResult(f) })
}

// countResult adds a result to the totals of its players, except those who have cleared
// their history.
func (b buckets) countResult(f finished) error {
	for _, scope := range f.Scopes() {
		for _, p := range f.Participants {
			if p.Player == "" {
				continue
			}
			if err := b.addToTotals(scope, f.Result, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// nextNumber gives the next number of the log. bbolt's sequence has no checksum, so it is
// not trusted to be past the last result.
func (b buckets) nextNumber() (uint64, error) {
	results := b.Bucket(bucketResults)
	key, _ := results.stored.Cursor().Last()
	last, err := decodeNumber(key)
	if err != nil {
		return 0, err
	}
	forgotten, err := b.forgotten()
	if err != nil {
		return 0, err
	}
	n := max(last, results.stored.Sequence(), forgotten.number) + 1
	return n, results.stored.SetSequence(n)
}

func (b buckets) addToTotals(s game.Scope, r game.Result, p game.Participant) error {
	old, err := b.loadTotals(s, p.Player)
	if err != nil {
		return err
	}
	return b.setTotals(s, old, old.Add(r, p))
}

// setTotals replaces a player's totals and moves the player in the scope's
// leaderboard. There is none for the empty guild, which means everywhere.
func (b buckets) setTotals(s game.Scope, old, now game.Totals) error {
	data, err := record.EncodeTotals(now)
	if err != nil {
		return err
	}
	if err := b.Bucket(bucketTotals).Put(b.totalsKey(s, now.Player), data); err != nil {
		return err
	}
	if s.Guild == "" || now.Played == old.Played {
		return nil
	}
	list := b.ranksOf(s)
	if old.Played > 0 {
		if err := list.remove(rankKey(old)); err != nil {
			return err
		}
	}
	return list.insert(rankKey(now))
}
