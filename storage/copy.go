package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

// Copy copies everything in one store to another, which must be empty, compares the two, and returns how many records
// there are. Nothing may change either store meanwhile. A copy that failed is emptied and
// started again by the next call. The errors wrap [ErrNotEmpty], [ErrDiffers], or are those of the stores.
func Copy(ctx context.Context, from, to *Store, progress func(stage string, done, of int)) (records int, err error) {
	all, err := ordered.Count(ctx, from.m, stored)
	if err != nil {
		return 0, err
	}
	if err := makeReady(ctx, to.m); err != nil {
		return 0, err
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
		return 0, err
	}
	done = 0
	rest := stored // what was not compared yet
	err = from.each(ctx, stored, func(batch []ordered.Pair) error {
		compared := ordered.Query{From: rest.From, To: batch[len(batch)-1].Key + "\x00", Limit: len(batch) + 1}
		there, err := to.scan(ctx, compared)
		if err == nil && !slices.EqualFunc(there, batch, func(a, b ordered.Pair) bool { return a.Key == b.Key && !differs(a, b) }) {
			err = ErrDiffers
		}
		rest.From = compared.To
		done += len(batch)
		progress("Comparing", min(done, all), all)
		return err
	})
	if err != nil {
		return 0, err
	}
	if n, err := ordered.Count(ctx, to.m, rest); err != nil || n > 0 {
		return 0, cmp.Or(err, ErrDiffers)
	}
	return done, to.m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: keyCopying}}})
}

// CopyURL is [Copy] for the stores at two URLs; it uses only the password of the options.
func CopyURL(ctx context.Context, from, to string, codecs record.Codecs, o Options, progress func(stage string, done, of int)) (records int, err error) {
	source, err := openSource(ctx, from, o)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := openMap(ctx, to, o)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	return Copy(ctx, New(source, codecs, o), New(target, codecs, o), progress)
}

// OpenToRead opens a store for commands that only read it; a file must exist, and is not changed. Of the
// options it uses the password.
func OpenToRead(ctx context.Context, url string, codecs record.Codecs, o Options) (*Store, error) {
	m, err := openSource(ctx, url, o)
	if err != nil {
		return nil, err
	}
	return New(m, codecs, Options{}), nil
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

// stored is the query of what is copied: everything but the mark of a copy.
var stored = ordered.Query{From: keyCopying + "\x00", To: everything.To}

// makeReady empties a store into which a copy was interrupted, and marks it.
func makeReady(ctx context.Context, m ordered.Map) error {
	first := everything
	first.Limit = atOnce
	for {
		answers, err := m.Read(ctx, first)
		if err != nil {
			return err
		}
		there := answers[0]
		switch {
		case len(there) == 0:
			return m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: keyCopying, Value: nothing}}})
		case there[0].Key != keyCopying:
			return ErrNotEmpty
		case len(there) == 1:
			return nil
		}
		if err := m.Commit(ctx, ordered.Change{Set: removed(there[1:])}); err != nil {
			return err
		}
	}
}

// checkCopied returns an error that wraps [ErrUnfinished] if a copy into the store was interrupted.
func (s *Store) checkCopied(ctx context.Context) error {
	there, err := s.m.Get(ctx, keyCopying)
	if err == nil && there[0].Value != nil {
		err = fmt.Errorf("the store is not whole: %w", ErrUnfinished)
	}
	return err
}
