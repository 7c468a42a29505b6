// Package engine opens the engine that a setting names, a bbolt file or a PostgreSQL database.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"fivefold/storage/bolt"
	"fivefold/storage/ordered"
	"fivefold/storage/postgres"
)

// ErrURL means that a setting names no kind of store.
var ErrURL = errors.New(`not a store; write bolt:PATH, such as bolt:/var/lib/fivefold/fivefold.db, or postgres://USER@HOST/DATABASE`)

// ErrNoFile means that an operation is only for files, but the store is in a database.
var ErrNoFile = errors.New(`the store is in a PostgreSQL database, not in a file: copy it with pg_dump, and check its records with "fivefold repair"`)

// Options are the settings of [Open] and [Migrate].
type Options = ordered.Options

// Open opens the map at bolt:PATH, creating the file if it does not exist, or at postgres://…, whose table must exist:
// see [Migrate]. Its errors name the place, without a password, and wrap those of packages bolt, postgres and game.
func Open(ctx context.Context, url string, o Options) (ordered.Map, error) {
	return open(ctx, url, o, func(path string) (*bolt.Map, error) { return bolt.Open(path, o) })
}

// OpenToRead opens a map for commands that only read it. A file must exist, and is not changed.
func OpenToRead(ctx context.Context, url string, o Options) (ordered.Map, error) {
	return open(ctx, url, o, bolt.OpenReadOnly)
}

func open(ctx context.Context, url string, o Options, file func(path string) (*bolt.Map, error)) (m ordered.Map, err error) {
	if err := cmp.Or(Check(url), ctx.Err()); err != nil {
		return nil, err
	}
	if path, err := Path(url); err == nil {
		m, err = file(path)
		return whole(m, err)
	}
	if m, err = postgres.Open(ctx, url, o); err != nil {
		err = fmt.Errorf("%s: %w", Name(url), err)
	}
	return whole(m, err)
}

// whole returns a map, or nil and an error: an interface that holds a nil *Map would not be nil.
func whole(m ordered.Map, err error) (ordered.Map, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Migrate makes the table of a database, or brings it up to date, and returns how many steps that took. For a file, which needs
// no table, it returns an error.
func Migrate(ctx context.Context, url string, o Options) (steps int, err error) {
	if !IsDatabase(url) {
		return 0, fmt.Errorf("%s: %w", Name(url), errors.New("a store in a file needs no migration"))
	}
	steps, err = postgres.Migrate(ctx, url, o)
	if err != nil {
		return steps, fmt.Errorf("%s: %w", Name(url), err)
	}
	return steps, nil
}

// Check returns an error that wraps [ErrURL] or [postgres.ErrURL] unless a setting names a store. The error never shows
// a password.
func Check(url string) error {
	if IsDatabase(url) {
		if err := postgres.Check(url); err != nil {
			return fmt.Errorf("%s is %w", Name(url), err)
		}
		return nil
	}
	_, err := Path(url)
	return err
}

// Path returns the PATH of a store at bolt:PATH. For a database, the error wraps [ErrNoFile]; for anything else, [ErrURL].
func Path(url string) (string, error) {
	if IsDatabase(url) {
		return "", ErrNoFile
	}
	path, found := strings.CutPrefix(url, "bolt:")
	if !found || path == "" {
		return "", fmt.Errorf("%q is %w", Name(url), ErrURL)
	}
	return path, nil
}

// Name returns the URL of a store for messages, without any part that may be a password.
func Name(url string) string {
	switch {
	case IsDatabase(url):
		return postgres.Name(url)
	case !strings.HasPrefix(url, "bolt:") && strings.Contains(url, "@"):
		kind, _, _ := strings.Cut(url, ":")
		return kind + ":…"
	}
	return url
}

// IsDatabase reports whether a setting names a database.
func IsDatabase(url string) bool {
	return strings.HasPrefix(url, "postgres:") || strings.HasPrefix(url, "postgresql:")
}
