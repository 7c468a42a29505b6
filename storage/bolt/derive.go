package bolt

import (
	"bytes"
	"encoding/binary"
	"slices"

	"fivefold/game"
)

// finished is a result of the log, and the players whom its match names.
type finished struct {
	game.Result
	named []game.PlayerID
}

// finished returns what derived data needs to know of a result. If its match cannot be read
// any more, the result still names those who took part.
func (b buckets) finished(r game.Result) finished {
	var m game.Match
	err := guard(func() (err error) {
		m, err = b.loadMatch([]byte(r.Match))
		return err
	})
	if err == nil {
		return finished{r, m.Named()}
	}
	var named []game.PlayerID
	for _, p := range r.Participants {
		if p.Player != "" {
			named = append(named, p.Player)
		}
	}
	return finished{r, named}
}

// derivation is data that follows from the log of results and the matches, and can be
// made again from them.
type derivation struct {
	name    string   // the key of its stale mark
	buckets [][]byte // what is emptied first
	// begin adds up to limit records of what is kept of results that were removed, and
	// reports whether those were all; nil if nothing is kept.
	begin func(d *deriving, b buckets, limit int) (done bool, err error)
	// add adds a result, the next one of the log.
	add func(d *deriving, b buckets, f finished) error
	// steps takes the place of begin and add for data that does not follow from the log.
	steps func(d *deriving, b buckets, limit int) (done bool, err error)
	// live means that commits change the data even while it is being made again.
	live bool
}

var (
	statistics = derivation{
		name:    "statistics",
		buckets: [][]byte{bucketTotals, bucketRanks, bucketRankChunks},
		begin:   (*deriving).addArchive,
		add:     (*deriving).addToStatistics,
	}
	// histories keeps the numbers that matches have in their communities, since they must
	// not change.
	histories = derivation{
		name:    "histories",
		buckets: [][]byte{bucketHistory, bucketPlayers, bucketOwn},
		add:     (*deriving).addToHistories,
	}
	openMatches = derivation{
		name:    "matches being played",
		buckets: [][]byte{bucketOpen},
		steps:   (*deriving).addOpen,
		live:    true,
	}
	derivations = []derivation{statistics, histories, openMatches}
)

// derivationOf returns the derivation that a bucket is part of, and whether there is one.
func derivationOf(bucket []byte) (derivation, bool) {
	for _, d := range derivations {
		for _, name := range d.buckets {
			if bytes.Equal(bucket, name) {
				return d, true
			}
		}
	}
	return derivation{}, false
}

// deriving makes derived data again.
type deriving struct {
	derivation
	archived []byte            // the last key of the archive that was added
	begun    bool              // whether all of the archive was added
	after    uint64            // the number of the last result that was added
	last     map[string]uint64 // the last number so far, by community
	slot     []byte            // the last slot that was looked at, for steps
}

func newDeriving(d derivation) *deriving { return &deriving{derivation: d, last: map[string]uint64{}} }

// empty removes what there is.
func (d *deriving) empty(b buckets) error {
	for _, name := range d.buckets {
		if err := b.Tx.DeleteBucket(name); err != nil {
			return err
		}
		if _, err := b.CreateBucket(name); err != nil {
			return err
		}
	}
	return nil
}

// step adds up to limit records, and reports whether all were added. If the transaction is
// not committed, d must not be used again.
func (d *deriving) step(b buckets, limit int) (done bool, err error) {
	if d.steps != nil {
		return d.steps(d, b, limit)
	}
	if !d.begun && d.begin != nil {
		if done, err := d.begin(d, b, limit); err != nil || !done {
			return false, err
		}
		d.begun = true
		return false, nil
	}
	c := b.Bucket(bucketResults).Cursor()
	for key, _ := c.Seek(number(d.after + 1)); key != nil; key, _ = c.Next() {
		if limit == 0 {
			return false, nil
		}
		limit--
		if len(key) != 8 {
			return false, game.ErrDamaged
		}
		r, err := b.loadResult(key)
		if err != nil {
			return false, err
		}
		if err := d.add(d, b, b.finished(r)); err != nil {
			return false, err
		}
		d.after = binary.BigEndian.Uint64(key)
	}
	return true, nil
}

// addArchive begins totals with those of results that were removed.
func (d *deriving) addArchive(b buckets, limit int) (done bool, err error) {
	c := b.Bucket(bucketArchive).Cursor()
	key, value := c.Seek(d.archived)
	if key != nil && bytes.Equal(key, d.archived) {
		key, value = c.Next()
	}
	for ; key != nil; key, value = c.Next() {
		if limit == 0 {
			return false, nil
		}
		limit--
		scope, totals, err := decodeArchived(key, value)
		if err != nil {
			return false, err
		}
		if err := b.setTotals(scope, game.Totals{}, totals); err != nil {
			return false, err
		}
		d.archived = bytes.Clone(key)
	}
	return true, nil
}

// addToStatistics leaves out players who are being made anonymous.
func (*deriving) addToStatistics(b buckets, f finished) error {
	f, err := b.withoutCleared(f)
	if err != nil {
		return err
	}
	return b.countResult(f)
}

// withoutCleared returns a result without the names of players for whom it no longer
// counts, since they are being made anonymous.
func (b buckets) withoutCleared(f finished) (finished, error) {
	f.Participants = slices.Clone(f.Participants)
	for i, p := range f.Participants {
		upTo, err := b.clearedUpTo(p.Player)
		if err != nil {
			return f, err
		}
		if p.Player != "" && f.Number <= upTo {
			f.Participants[i].Player = ""
		}
	}
	return f, nil
}

// addToHistories gives a match its number, or a new one where that is lost. A match in
// which nobody is named has been cleared: it has a number, but is in no history.
func (d *deriving) addToHistories(b buckets, f finished) error {
	community := f.Location.Community()
	if _, known := d.last[community]; !known {
		forgotten, err := b.forgottenIn(community)
		if err != nil {
			return err
		}
		d.last[community] = forgotten
	}
	n := d.last[community] + 1
	if known, err := b.Bucket(bucketNumbers).read([]byte(f.Match)); err == nil && len(known) == 8 {
		n = binary.BigEndian.Uint64(known)
	}
	d.last[community] = max(d.last[community], n)
	key := communityPrefix(community)
	if len(f.named) > 0 {
		entry, err := b.entryOf(f.Result)
		if err != nil {
			return err
		}
		if err := b.put(rows(f, entry, n, d.last[community])[1:]...); err != nil {
			return err
		}
	}
	last, err := b.Bucket(bucketNumbers).read(key)
	if err == nil && len(last) == 8 && binary.BigEndian.Uint64(last) >= d.last[community] {
		return nil
	}
	return b.put(row{bucketNumbers, key, number(d.last[community])})
}
