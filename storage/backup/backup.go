// Package backup keeps scheduled copies of the store in a folder.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fivefold/storage/durable"
)

// Schedule makes copies from time to time. A copy is named by when it was begun, in UTC:
// fivefold-20060102T150405Z.db.
type Schedule struct {
	Folder string // created if it does not exist
	Every  time.Duration
	Keep   int // how many copies to keep, at least 1

	// Copy writes a copy of the store to a new file, whole or not at all.
	Copy func(ctx context.Context, path string) error
	// Check returns nil if the copy can be used.
	Check func(ctx context.Context, path string) error
	// Size returns how many bytes the store has.
	Size func() (int64, error)
	Log  *slog.Logger
	// Observer is told of the copies.
	Observer Observer

	// Free returns how many bytes the disk of a folder has free, as [Free] does.
	Free func(folder string) (int64, error)
}

// Observer is told of scheduled copies.
type Observer interface {
	// BackedUp is called for each finished copy. When Run begins, it is called for the newest copy that there is, with took 0.
	BackedUp(at time.Time, bytes int64, took time.Duration)
	BackupFailed()
}

// Room is how many times the store must fit into the free space of the disk before a copy is made. Games are saved there too,
// and a repair or a restore needs as much again.
const Room = 3

// Run waits for retryAfter after a failure, and for roomAfter if the disk has no room.
const (
	retryAfter = time.Minute
	roomAfter  = time.Hour
)

// Run makes copies until ctx ends. A failure is logged, and the copy tried again after a
// minute, or after Every if that is shorter. The first copy is due when the newest one in
// the folder is old enough, so a restart does not change the schedule.
func (s *Schedule) Run(ctx context.Context) {
	wait := time.Duration(0)
	all, err := files(s.Folder, false)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		s.Log.Error("could not read the folder of backups", "error", err)
	case len(all) > 0:
		newest := all[len(all)-1]
		s.Observer.BackedUp(newest.at, newest.bytes, 0)
		// A copy from the future was made by a wrong clock: it must not hold up the others.
		if age := time.Since(newest.at); age >= 0 {
			wait = max(0, s.Every-age)
		}
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = s.Every
		if err := s.once(ctx); err != nil {
			if ctx.Err() != nil {
				return
			}
			wait = min(retryAfter, s.Every)
			if errors.Is(err, errNoRoom) {
				wait = min(roomAfter, s.Every)
			}
			s.Observer.BackupFailed()
			s.Log.Error("could not make a backup; trying again", "error", err, "wait", wait)
		}
	}
}

// once makes a copy, and removes old ones beyond those to keep.
func (s *Schedule) once(ctx context.Context) error {
	began := time.Now()
	if err := os.MkdirAll(s.Folder, 0o700); err != nil {
		return err
	}
	if err := s.room(); err != nil {
		return err
	}
	if err := s.removeUnfinished(); err != nil {
		return err
	}
	at := began.UTC().Truncate(time.Second)
	path := filepath.Join(s.Folder, at.Format(nameLayout))
	// The file gets the name of a copy only when it is known to be whole.
	unfinished := path + unfinishedSuffix
	if err := s.Copy(ctx, unfinished); err != nil {
		return err
	}
	if err := s.Check(ctx, unfinished); err != nil {
		return errors.Join(fmt.Errorf("the copy cannot be used: %w", err), os.Remove(unfinished))
	}
	info, err := os.Stat(unfinished)
	if err != nil {
		return err
	}
	if err := durable.Rename(unfinished, path); err != nil {
		return err
	}
	took := time.Since(began)
	s.Log.Info("backup made", "file", at.Format(nameLayout), "bytes", info.Size(), "took", took.Round(time.Millisecond))
	s.Observer.BackedUp(at, info.Size(), took)
	return s.removeOld(at)
}

var errNoRoom = errors.New("the disk has no room")

// room returns errNoRoom, wrapped, if the disk is too full for a copy.
func (s *Schedule) room() error {
	size, err := s.Size()
	if err != nil {
		return err
	}
	have, err := s.Free(s.Folder)
	if err != nil {
		return err
	}
	if have < Room*size {
		return fmt.Errorf("%w: %d bytes are free, and there should be %d times the %d of the store", errNoRoom, have, Room, size)
	}
	return nil
}

// copied is a copy in the folder.
type copied struct {
	at    time.Time // when it was begun
	bytes int64
	name  string
}

const (
	nameLayout       = "fivefold-20060102T150405Z.db" // name of a copy, by its time
	unfinishedSuffix = ".unfinished"
)

// files returns the copies in a folder, oldest first. If others is set, it also returns files of other names, with the time
// when they were last written.
func files(folder string, others bool) ([]copied, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var all []copied
	for _, e := range entries {
		at, other := time.Parse(nameLayout, e.Name())
		if other != nil && !others || !e.Type().IsRegular() || strings.HasSuffix(e.Name(), unfinishedSuffix) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		if other != nil {
			at = info.ModTime().UTC().Truncate(time.Second)
		}
		all = append(all, copied{at, info.Size(), e.Name()})
	}
	slices.SortFunc(all, func(a, b copied) int { return a.at.Compare(b.at) })
	return all, nil
}

// NewestGood returns the newest good copy in a folder: its path, and when it was begun. A copy made by hand under another name
// counts too, with the time when it was last written. The path is empty if there is none.
func NewestGood(folder string, good func(path string) bool) (newest string, at time.Time) {
	all, _ := files(folder, true) // a folder that cannot be read has no copy
	for _, f := range slices.Backward(all) {
		if path := filepath.Join(folder, f.name); good(path) {
			return path, f.at
		}
	}
	return "", time.Time{}
}

// removeOld removes the oldest copies beyond those to keep, but never the one just made. If the clock was ahead for a while,
// all others may have later times.
func (s *Schedule) removeOld(made time.Time) error {
	all, err := files(s.Folder, false)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(f copied) bool { return f.at.Equal(made) })
	for len(all) > s.Keep-1 {
		if err := os.Remove(filepath.Join(s.Folder, all[0].name)); err != nil {
			return fmt.Errorf("removing an old backup: %w", err)
		}
		all = all[1:]
	}
	return nil
}

// removeUnfinished removes what interrupted copies left behind.
func (s *Schedule) removeUnfinished() error {
	names, err := filepath.Glob(filepath.Join(s.Folder, "fivefold-*.db"+unfinishedSuffix))
	for _, name := range names {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}
