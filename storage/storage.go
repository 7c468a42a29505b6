// Package storage opens the store that a setting names.
package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"fivefold/bot/preferences"
	"fivefold/game"
	"fivefold/solver/solve"
	"fivefold/storage/bolt"
	"fivefold/storage/record"
)

// ErrURL means that a setting names no kind of store.
var ErrURL = errors.New(`not a store; write bolt:PATH, such as bolt:/var/lib/fivefold/fivefold.db`)

// Store is all that is stored.
type Store interface {
	game.Store
	solve.Store
	preferences.Store
	game.BoardStore

	// Stats, Probe, Backup and BackupFile are those of [bolt.Store].
	Stats() (bolt.Stats, error)
	Probe(ctx context.Context) error
	Backup(ctx context.Context, w io.Writer) error
	BackupFile(ctx context.Context, path string) error

	// CommandGuilds and SetCommandGuilds are those of [bolt.Store].
	CommandGuilds(ctx context.Context) ([]game.GuildID, error)
	SetCommandGuilds(ctx context.Context, guilds []game.GuildID) error
}

// Open opens the store at bolt:PATH, making it where it does not exist. Its
// errors name the place and wrap those of package bolt and package game.
func Open(ctx context.Context, url string, o bolt.Options) (Store, error) {
	path, err := Path(url)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, err := bolt.Open(path, record.All(), o)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Path returns the PATH of a store at bolt:PATH. For anything else, its error wraps
// [ErrURL].
func Path(url string) (string, error) {
	path, found := strings.CutPrefix(url, "bolt:")
	if !found || path == "" {
		return "", fmt.Errorf("%q: %w", url, ErrURL)
	}
	return path, nil
}
