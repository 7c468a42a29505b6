// Package storage is the one store of the program: what it keeps and how, written once above
// an [ordered.Map]. It also opens the store that a setting names, checks and repairs it, copies it
// to another one and exports it.
package storage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"fivefold/storage/bolt"
	"fivefold/storage/ordered"
	"fivefold/storage/postgres"
	"fivefold/storage/record"
)

// ErrURL means that a setting names no kind of store.
var ErrURL = errors.New(`not a store; write bolt:PATH, such as bolt:/var/lib/fivefold/fivefold.db, or postgres://USER@HOST/DATABASE`)

// ErrNoFile means that a store is in a database, and that what was asked for is only for files.
var ErrNoFile = errors.New(`the store is in a PostgreSQL database, not in a file: copy it with pg_dump, and check its records with "fivefold repair"`)

// Options are the settings of [Open] and [Migrate]. The zero value is ready to use.
type Options struct {
	Observer ordered.Observer // nil for none
	// Log gets what happens outside requests. Nothing in it identifies a player. Nil
	// discards it.
	Log *slog.Logger
	// Keep is how long finished matches are kept; for ever if it is 0. See
	// [game.HistoryStore.Forget].
	Keep time.Duration
	// Password is for a database whose URL has none.
	Password string
	// LockWait and Failed are as in [bolt.Options]; a database ignores them.
	LockWait time.Duration
	Failed   func(error)
	// Check has [Store.Run] check every record of a file, and mend what follows from others.
	Check bool
}

// Open opens the store at bolt:PATH, creating it if it does not exist, or the one at
// postgres://…, whose table must exist: see [Migrate]. The codecs are as in [New]. Its errors
// name the place, without a password, and wrap those of packages bolt, postgres and game, or
// [ErrUnfinished].
func Open(ctx context.Context, url string, codecs record.Codecs, o Options) (*Store, error) {
	m, err := openMap(ctx, url, o)
	if err != nil {
		return nil, err
	}
	o.Check = o.Check && !isDatabase(url)
	s := New(m, codecs, o)
	if err := s.checkCopied(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", Name(url), errors.Join(err, m.Close()))
	}
	return s, nil
}

// openMap opens the map of a store.
func openMap(ctx context.Context, url string, o Options) (ordered.Map, error) {
	if err := Check(url); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if isDatabase(url) {
		m, err := postgres.Open(ctx, url, o.database())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", Name(url), err)
		}
		return m, nil
	}
	path, err := Path(url)
	if err != nil {
		return nil, err
	}
	m, err := bolt.Open(path, bolt.Options{Observer: o.Observer, Log: o.Log, LockWait: o.LockWait, Failed: o.Failed})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// File returns the file of a store, or nil for a store in a database, which has its own tools.
func (s *Store) File() *bolt.Map {
	file, _ := s.m.(*bolt.Map)
	return file
}

func (o Options) database() postgres.Options {
	return postgres.Options{Password: o.Password, Observer: o.Observer, Log: o.Log}
}

// Migrate makes the table of a store in a database, or brings it up to date, and returns how
// many steps that took. It returns an error for a store in a file, which needs none.
func Migrate(ctx context.Context, url string, o Options) (steps int, err error) {
	if !isDatabase(url) {
		return 0, fmt.Errorf("%s: %w", Name(url), errors.New("a store in a file needs no migration"))
	}
	steps, err = postgres.Migrate(ctx, url, o.database())
	if err != nil {
		return steps, fmt.Errorf("%s: %w", Name(url), err)
	}
	return steps, nil
}

// Check returns an error that wraps [ErrURL] or [postgres.ErrURL] unless a setting names a store. The error never
// shows what may be a password.
func Check(url string) error {
	if isDatabase(url) {
		if err := postgres.Check(url); err != nil {
			return fmt.Errorf("%s is %w", Name(url), err)
		}
		return nil
	}
	_, err := Path(url)
	return err
}

// Path returns the PATH of a store at bolt:PATH. For a database, its error wraps [ErrNoFile],
// and for anything else [ErrURL].
func Path(url string) (string, error) {
	if isDatabase(url) {
		return "", ErrNoFile
	}
	path, found := strings.CutPrefix(url, "bolt:")
	if !found || path == "" {
		return "", fmt.Errorf("%q is %w", Name(url), ErrURL)
	}
	return path, nil
}

// Name returns the URL of a store without what may be a password, for messages.
func Name(url string) string {
	switch {
	case isDatabase(url):
		return postgres.Name(url)
	case !strings.HasPrefix(url, "bolt:") && strings.Contains(url, "@"):
		kind, _, _ := strings.Cut(url, ":")
		return kind + ":…"
	}
	return url
}

func isDatabase(url string) bool {
	return strings.HasPrefix(url, "postgres:") || strings.HasPrefix(url, "postgresql:")
}
