// Package transfer copies all records to another store, and exports tables for a spreadsheet.
package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"fivefold/storage/engine"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// Errors of [Copy] and [CheckWhole].
var (
	// ErrNotEmpty means that the target has records.
	ErrNotEmpty = errors.New("the store is not empty")
	// ErrDiffers means that something changed one of the stores during the copy.
	ErrDiffers = errors.New("the copy is not the same; stop what uses the stores and start again")
	// ErrUnfinished means that a copy into the store was interrupted, so it is not whole.
	ErrUnfinished = errors.New("a copy into it was interrupted; start that again")
)

// Copy copies everything in one store to another, which must be empty, compares the two, and returns the number of
// records. Nothing may change either store meanwhile. After a copy that failed, the next call empties the target and
// starts again. The errors wrap [ErrNotEmpty], [ErrDiffers], or are those of the stores.
func Copy(ctx context.Context, from, to ordered.Map, progress func(stage string, done, of int)) (records int, err error) {
	all, err := ordered.Count(ctx, from, stored)
	if err != nil {
		return 0, err
	}
	if err := makeReady(ctx, to); err != nil {
		return 0, err
	}
	done := 0
	err = ordered.Each(ctx, from, stored, func(batch []ordered.Pair) error {
		for _, p := range batch {
			if _, err := schema.Value(p); err != nil {
				return err
			}
		}
		if err := to.Commit(ctx, ordered.Change{Set: batch}); err != nil {
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
	rest := stored // still to be compared
	err = ordered.Each(ctx, from, stored, func(batch []ordered.Pair) error {
		compared := ordered.Query{From: rest.From, To: batch[len(batch)-1].Key + "\x00", Limit: len(batch) + 1}
		there, err := ordered.Scan(ctx, to, compared)
		if err == nil && !slices.EqualFunc(there, batch, func(a, b ordered.Pair) bool { return a.Key == b.Key && !schema.Differs(a, b) }) {
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
	if n, err := ordered.Count(ctx, to, rest); err != nil || n > 0 {
		return 0, cmp.Or(err, ErrDiffers)
	}
	return done, to.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: schema.KeyCopying}}})
}

// CopyURL is [Copy] for the stores at two URLs.
func CopyURL(ctx context.Context, from, to string, o engine.Options, progress func(stage string, done, of int)) (records int, err error) {
	source, err := engine.OpenToRead(ctx, from, o)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := engine.Open(ctx, to, o)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	return Copy(ctx, source, target, progress)
}

// stored is the query of all records that are copied: all but the mark of a copy.
var stored = ordered.Query{From: schema.KeyCopying + "\x00", To: ordered.Everything.To}

// makeReady marks an empty store as the target of a copy. It empties a store that already has the mark, from a copy that was
// interrupted.
func makeReady(ctx context.Context, m ordered.Map) error {
	first := ordered.Everything
	first.Limit = ordered.AtOnce
	for {
		there, err := ordered.Scan(ctx, m, first)
		switch {
		case err != nil:
			return err
		case len(there) == 0:
			return m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: schema.KeyCopying, Value: schema.Nothing}}})
		case there[0].Key != schema.KeyCopying:
			return ErrNotEmpty
		case len(there) == 1:
			return nil
		}
		if err := m.Commit(ctx, ordered.Change{Set: ordered.Removed(there[1:])}); err != nil {
			return err
		}
	}
}

// CheckWhole returns an error that wraps [ErrUnfinished] if a copy into the store was interrupted.
func CheckWhole(ctx context.Context, m ordered.Map) error {
	there, err := m.Get(ctx, schema.KeyCopying)
	if err == nil && there[0].Value != nil {
		err = fmt.Errorf("the store is not whole: %w", ErrUnfinished)
	}
	return err
}
