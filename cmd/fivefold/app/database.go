package app

import (
	"context"
	"time"

	"fivefold/storage"
	"fivefold/storage/postgres"
	"fivefold/storage/record"
)

// AwayTime is how long a bot that starts waits for a database that is away. Then it ends, so that whoever
// looks after it sees that, and starts it again. Kubernetes gives a start two minutes.
const AwayTime = time.Minute

// openPatiently opens a store as [storage.Open] does, and tries again while its database is away.
func openPatiently(ctx context.Context, url string, codecs record.Codecs, o storage.Options) (*storage.Store, error) {
	const pause = time.Second
	end := time.Now().Add(AwayTime)
	for waited := false; ; waited = true {
		store, err := storage.Open(ctx, url, codecs, o)
		if err == nil && waited {
			o.Log.Info("reached the database")
		}
		if err == nil || !postgres.Passing(err) || ctx.Err() != nil || time.Now().After(end) {
			return store, err
		}
		if !waited {
			o.Log.Warn("could not reach the database; trying again every second", "until", end.Format(time.TimeOnly), "error", err, "advice", postgres.Advice(err))
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}
