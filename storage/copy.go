package storage

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"maps"
	"slices"

	"fivefold/storage/bolt"
	"fivefold/storage/ordered"
	"fivefold/storage/record"
)

// Errors of [Copy].
var (
	// ErrNotEmpty: records cannot be copied into a store that has some.
	ErrNotEmpty = errors.New("the store is not empty")
	// ErrDiffers means that the target does not have the same records as the source: something has
	// changed one of them meanwhile.
	ErrDiffers = errors.New("the copy is not the same; stop what uses the stores and start again")
)

// Topic is what a store has of one topic.
type Topic struct {
	Name    string
	Records int
	Hash    [sha256.Size]byte // of all keys and values, in their order
}

// Copy copies everything in one store to another, which must be empty, and compares the two. It returns
// what was copied, by topic. Nothing may change either store meanwhile. A copy that failed is emptied and
// started again by the next call. The errors wrap [ErrNotEmpty], [ErrDiffers], or are those of the stores.
func Copy(ctx context.Context, from, to *Store, progress func(stage string, done, of int)) ([]Topic, error) {
	all, err := from.m.Count(ctx, everything)
	if err != nil {
		return nil, err
	}
	if err := makeReady(ctx, to.m); err != nil {
		return nil, err
	}
	done := 0
	err = from.each(ctx, stored, func(batch []ordered.Pair) error {
		for _, p := range batch {
			if _, err := value(p); err != nil {
				return err
			}
		}
		if err := to.m.Commit(ctx, ordered.Change{Set: batch}); err != nil {
			return err
		}
		done += len(batch)
		progress("Copying", min(done, all), all)
		return nil
	})
	if err != nil {
		return nil, err
	}
	want, err := from.topics(ctx, func(done int) { progress("Reading", min(done, all), all) })
	if err != nil {
		return nil, err
	}
	got, err := to.topics(ctx, func(done int) { progress("Comparing", min(done, all), all) })
	if err != nil {
		return nil, err
	}
	if !slices.Equal(got, want) {
		return nil, ErrDiffers
	}
	return want, to.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: keyCopying}}})
}

// CopyURL is [Copy] for the stores at two URLs; it uses only the password of the options.
func CopyURL(ctx context.Context, from, to string, codecs record.Codecs, o Options, progress func(stage string, done, of int)) (topics []Topic, err error) {
	source, err := openSource(ctx, from, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := openMap(ctx, to, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	return Copy(ctx, newStore(source, codecs, o), newStore(target, codecs, o), progress)
}

// OpenToRead opens a store for commands that only read it; a file must exist, and is not changed. Of the
// options it uses the password.
func OpenToRead(ctx context.Context, url string, codecs record.Codecs, o Options) (*Store, error) {
	m, err := openSource(ctx, url, o)
	if err != nil {
		return nil, err
	}
	return newStore(m, codecs, Options{}), nil
}

// openSource opens the map of a store that is only read.
func openSource(ctx context.Context, url string, o Options) (ordered.Map, error) {
	path, err := Path(url)
	if err != nil { // a database, or no store
		return openMap(ctx, url, o)
	}
	m, err := bolt.OpenReadOnly(path)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// keyCopying is in a store while a copy into it is not whole. It comes before all other keys.
const keyCopying = "\x01copying\x00"

// ErrUnfinished: a copy into the store was interrupted, so it is not whole.
var ErrUnfinished = errors.New("a copy into it was interrupted; start that again")

// stored is the query of what a copy moves: everything but the mark of a copy.
var stored = ordered.Query{From: keyCopying + "\x00", To: everything.To}

// makeReady empties a store into which a copy was interrupted, and marks it.
func makeReady(ctx context.Context, m ordered.Map) error {
	first := everything
	first.Limit = atOnce
	for {
		answers, err := m.Read(ctx, ordered.Key(keyCopying), first)
		if err != nil {
			return err
		}
		switch {
		case len(answers[1]) == 0:
			return m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: keyCopying, Value: nothing}}})
		case len(answers[0]) == 0:
			return ErrNotEmpty
		case len(answers[1]) == 1:
			return nil
		}
		gone := slices.DeleteFunc(removed(answers[1]), func(p ordered.Pair) bool { return p.Key == keyCopying })
		if err := m.Commit(ctx, ordered.Change{Set: gone}); err != nil {
			return err
		}
	}
}

// topics counts and hashes what the store has.
func (s *Store) topics(ctx context.Context, progress func(done int)) ([]Topic, error) {
	counts, sums, done := map[string]int{}, map[string]hash.Hash{}, 0
	err := s.each(ctx, stored, func(batch []ordered.Pair) error {
		for _, p := range batch {
			name := topicOf(p.Key)
			if sums[name] == nil {
				sums[name] = sha256.New()
			}
			counts[name]++
			for _, part := range []string{p.Key, string(p.Value)} {
				sums[name].Write(binary.AppendUvarint(nil, uint64(len(part))))
				sums[name].Write([]byte(part))
			}
		}
		done += len(batch)
		progress(done)
		return nil
	})
	var all []Topic
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t := Topic{Name: name, Records: counts[name]}
		sums[name].Sum(t.Hash[:0])
		all = append(all, t)
	}
	return all, err
}

// checkCopied returns an error that wraps [ErrUnfinished] if a copy into the store was interrupted.
func (s *Store) checkCopied(ctx context.Context) error {
	there, err := s.get(ctx, keyCopying)
	if err == nil && there[0].Value != nil {
		err = fmt.Errorf("the store is not whole: %w", ErrUnfinished)
	}
	return err
}
