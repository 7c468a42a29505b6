package postgres

import (
	"context"
	"database/sql"
	"log/slog"
	"time"

	"github.com/pressly/goose/v3/lock"
)

// speakingLocker is a lock that says who has it, if that takes a moment.
type speakingLocker struct {
	lock.Locker
	log *slog.Logger
}

func (l speakingLocker) Lock(ctx context.Context, db *sql.DB) error {
	waiting, end := context.WithCancel(ctx) // not ctx, with which the lock is kept
	said := make(chan struct{})
	go func() {
		defer close(said)
		for l.wait(waiting) && !l.say(waiting, db) {
		}
	}()
	err := l.Locker.Lock(ctx, db)
	end()
	<-said
	return err
}

// wait waits a second, and reports whether the lock is still waited for.
func (speakingLocker) wait(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Second):
		return true
	}
}

// say logs who has the lock, if another process has it.
func (l speakingLocker) say(ctx context.Context, db *sql.DB) bool {
	var holder string
	var left float64
	err := db.QueryRowContext(ctx, "SELECT locked_by, extract(epoch FROM lease_expires_at - now())::float8 FROM "+lockTable+
		" WHERE locked AND lease_expires_at > now()").Scan(&holder, &left)
	if err != nil { // nobody has it, or there are no tables yet; Lock has the other errors
		return false
	}
	l.log.Warn("waiting for another migrate; if its process is gone, until its lease ends",
		"process", holder, "lease", time.Duration(left*float64(time.Second)).Round(time.Second))
	return true
}
