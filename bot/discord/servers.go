package discord

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"fivefold/bot"
	"fivefold/bot/admission"
	"fivefold/bot/discord/application"
	"fivefold/bot/discord/calls"
	"fivefold/game"
	"fivefold/game/work"
)

// Servers keeps the servers that the bot is in, and deletes the data of one. The Store of package storage implements it and says
// more. It is safe for concurrent use.
type Servers interface {
	work.Store
	Servers(context.Context) (map[game.GuildID]time.Time, error)
	SetServer(ctx context.Context, guild game.GuildID, gone time.Time) error
	DeleteServer(context.Context, game.GuildID) error
}

const (
	// serverKept is how long the data of a server is kept after the bot was removed.
	serverKept = 30 * 24 * time.Hour
	// serversEvery is how often one process looks at the list of servers, and serversLease how long that may take.
	serversEvery, serversLease = 24 * time.Hour, time.Hour
)

// servers notes which servers the bot is in, and deletes the data of those that it has left long ago.
type servers struct {
	store Servers // nil for none
	calls *calls.Client
	clock *admission.Clock
	log   *slog.Logger
}

// set notes that the bot is in a server, or not. If that fails, the daily look finds it out.
func (s servers) set(id string, in bool) {
	defer bot.LogPanic(s.log, "")
	if s.store == nil || !calls.IsSnowflake(id) {
		return
	}
	var gone time.Time
	if !in {
		gone = s.clock.Now().UTC()
		s.log.Info("was removed from a server; its data goes in 30 days unless it comes back", "server", id)
	}
	if err := s.store.SetServer(context.Background(), game.GuildID(id), gone); err != nil && !errors.Is(err, game.ErrNotSaved) {
		s.log.Warn("could not note which servers the bot is in", "error", err)
	}
}

// keep looks at the servers once a day, in one of the processes, until ctx ends.
func (s servers) keep(ctx context.Context) {
	work.Keep(ctx, s.log, "could not look after the servers that the bot was removed from", serversLease/4, serversLease, func() error {
		taken, due, err := s.store.TakeWork(ctx, "servers", serversLease)
		if !due {
			return err
		}
		wait := serversEvery
		if err = s.look(ctx); err != nil {
			wait = 0
		}
		ctx, cancel := work.Lingering(ctx)
		defer cancel()
		return errors.Join(err, s.store.EndWork(ctx, taken, wait))
	})
}

// look compares what is noted with Discord's list, and deletes what has been kept for long enough. Right before, it asks once more.
func (s servers) look(ctx context.Context) error {
	in, err := application.Servers(ctx, s.calls)
	if err != nil {
		return err
	}
	known, err := s.store.Servers(ctx)
	if err != nil {
		return err
	}
	for _, id := range in {
		if gone, there := known[game.GuildID(id)]; !there || !gone.IsZero() {
			s.set(id, true)
		}
	}
	for guild, gone := range known {
		switch {
		case slices.Contains(in, string(guild)):
		case gone.IsZero():
			s.set(string(guild), false)
		case s.clock.Now().Sub(gone) >= serverKept:
			left, failed := application.HasLeft(ctx, s.calls, string(guild))
			if failed == nil && left {
				if failed = s.store.DeleteServer(ctx, guild); failed == nil {
					s.log.Info("deleted the data of a server that the bot was removed from", "server", guild)
				}
			}
			err = errors.Join(err, failed)
		}
	}
	return err
}
