// Package storage opens the store that a setting names, and copies one store to another.
package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"fivefold/bot/preferences"
	"fivefold/game"
	"fivefold/solver/solve"
	"fivefold/storage/bolt"
	"fivefold/storage/observe"
	"fivefold/storage/postgres"
	"fivefold/storage/record"
)

// ErrURL means that a setting names no kind of store.
var ErrURL = errors.New(`not a store; write bolt:PATH, such as bolt:/var/lib/fivefold/fivefold.db, or postgres://USER@HOST/DATABASE`)

// ErrNoFile means that a store is in a database, and that what was asked for is only for files.
var ErrNoFile = errors.New("the store is in a PostgreSQL database, not in a file: copy it with pg_dump, and look after it with the tools of the database")

// Store is all that is stored.
type Store interface {
	game.Store
	solve.Store
	preferences.Store
	game.BoardStore

	// Probe makes a change that changes nothing, to find out whether changes are taken. It
	// returns what any other change would.
	Probe(ctx context.Context) error

	// CommandGuilds returns the servers in which commands were registered that may still be
	// there, in the order in which they were saved.
	CommandGuilds(ctx context.Context) ([]game.GuildID, error)
	// SetCommandGuilds replaces what CommandGuilds returns.
	SetCommandGuilds(ctx context.Context, guilds []game.GuildID) error
}

// File is what a store in a file has besides. A database has its own tools.
type File interface {
	Stats() (bolt.Stats, error)
	Backup(ctx context.Context, w io.Writer) error
	BackupFile(ctx context.Context, path string) error
}

var (
	_ Store          = (*postgres.Store)(nil)
	_ game.WorkStore = (*postgres.Store)(nil)
	_ interface {
		Store
		File
	} = (*bolt.Store)(nil)
)

// Options are what [Open] can be given. The zero value is ready to use.
type Options struct {
	Observer observe.Observer // nil for none
	// Log gets what happens outside requests. Nothing in it identifies a player. Nil
	// discards it.
	Log *slog.Logger
	// Keep is how long finished matches are kept; for ever if it is 0. See
	// [game.HistoryStore.Forget].
	Keep time.Duration
	// Password is for a database whose URL has none.
	Password string
	// LockWait and Failed are those of [bolt.Options].
	LockWait time.Duration
	Failed   func(error)
	// TestOnlyPatience is that of [postgres.Options].
	TestOnlyPatience time.Duration
}

// Open opens the store at bolt:PATH, making it where it does not exist, or the one at
// postgres://…, whose tables must exist: see [Migrate]. Its errors name the place, without a
// password, and wrap those of packages bolt, postgres and game.
func Open(ctx context.Context, url string, o Options) (Store, error) {
	if err := Check(url); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if isDatabase(url) {
		s, err := postgres.Open(ctx, url, record.All(), o.database())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", Name(url), err)
		}
		return s, nil
	}
	path, err := Path(url)
	if err != nil {
		return nil, err
	}
	s, err := bolt.Open(path, record.All(), bolt.Options{Observer: o.Observer, Log: o.Log, Keep: o.Keep, LockWait: o.LockWait, Failed: o.Failed})
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (o Options) database() postgres.Options {
	return postgres.Options{Password: o.Password, Observer: o.Observer, Log: o.Log, Keep: o.Keep, TestOnlyPatience: o.TestOnlyPatience}
}

// Migrate makes the tables of a store in a database, or brings them up to date, and returns how
// many steps that took. It returns an error for a store in a file, which is brought up to date when
// it is opened.
func Migrate(ctx context.Context, url string, o Options) (steps int, err error) {
	if !isDatabase(url) {
		return 0, fmt.Errorf("%s: %w", Name(url), errors.New("a store in a file needs no migration: it is brought up to date when it is opened"))
	}
	steps, err = postgres.Migrate(ctx, url, o.database())
	if err != nil {
		return steps, fmt.Errorf("%s: %w", Name(url), err)
	}
	return steps, nil
}

// Check returns an error that wraps [ErrURL] unless a setting names a kind of store. The error never
// shows what may be a password.
func Check(url string) error {
	if isDatabase(url) {
		if err := postgres.Check(url); err != nil {
			return fmt.Errorf("%s: %w: %w", Name(url), ErrURL, err)
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
		return "", fmt.Errorf("%q: %w", Name(url), ErrURL)
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
