package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"fivefold/game"
	"fivefold/game/racetest"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
)

// testCodecs are those of the games of the suite.
var testCodecs = storagetest.Codecs(storagetest.Games())

func TestStore(t *testing.T) {
	urls := map[string]string{}         // by test: each has a database
	pools := map[string]*pgxpool.Pool{} // by URL
	open := func(t *testing.T) *postgres.Store {
		url, ok := urls[t.Name()]
		if !ok {
			url = postgrestest.Database(t)
			urls[t.Name()] = url
		}
		if pools[url] == nil {
			pool, err := pgxpool.New(context.Background(), url)
			if err != nil {
				t.Fatal(err)
			}
			pools[url] = pool
		}
		return mustOpenWith(t, url, postgres.WithPool(pools[url]).WithSizes(3))
	}
	defer func() {
		for _, p := range pools {
			p.Close()
		}
	}()
	if !racetest.Enabled { // TestProcesses and TestChunks overlap as these do, in less time
		storagetest.Run(t, storagetest.Games(), func(t *testing.T) game.Store { return open(t) })
	}
	storagetest.RunSessions(t, func(t *testing.T) storagetest.SessionStore { return open(t) })
	storagetest.RunPreferences(t, func(t *testing.T) storagetest.PreferenceStore { return open(t) })
	storagetest.RunBoardMessages(t, func(t *testing.T) storagetest.BoardMessageStore { return open(t) })
}

// mustOpen opens the store in a database, with small batches.
func mustOpen(tb testing.TB, url string) *postgres.Store {
	tb.Helper()
	return mustOpenWith(tb, url, postgres.Options{}.WithSizes(3))
}

func mustOpenWith(tb testing.TB, url string, o postgres.Options) *postgres.Store {
	tb.Helper()
	s, err := postgres.Open(tb.Context(), url, testCodecs, o.WithPatience(10*time.Minute))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}
