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
	defer end()
	defer time.AfterFunc(time.Second, func() { l.say(waiting, db) }).Stop()
	return l.Locker.Lock(ctx, db)
}

// say logs which other process has the lock. Errors are those of Lock, which asks for the same row.
func (l speakingLocker) say(ctx context.Context, db *sql.DB) {
	var holder string
	var left float64
	err := db.QueryRowContext(ctx, "SELECT locked_by, extract(epoch FROM lease_expires_at - now())::float8 FROM "+lockTable+
		" WHERE locked AND lease_expires_at > now()").Scan(&holder, &left)
	if err == nil {
		l.log.Warn("waiting for another migrate; if its process is gone, until its lease ends",
			"process", holder, "lease", time.Duration(left*float64(time.Second)).Round(time.Second))
	}
}
