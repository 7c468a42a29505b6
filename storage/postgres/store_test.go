package postgres_test

import (
	"sync"
	"testing"

	"fivefold/game"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
)

// testCodecs are those of the games of the suite.
var testCodecs = storagetest.Codecs(storagetest.Games())

func TestStore(t *testing.T) {
	var urls sync.Map // one database a test
	open := func(t *testing.T) *postgres.Store {
		url, ok := urls.Load(t.Name())
		if !ok {
			url = postgrestest.Database(t)
			urls.Store(t.Name(), url)
		}
		return mustOpen(t, url.(string))
	}
	storagetest.Run(t, storagetest.Games(), func(t *testing.T) game.Store { return open(t) })
	storagetest.RunSessions(t, func(t *testing.T) storagetest.SessionStore { return open(t) })
	storagetest.RunPreferences(t, func(t *testing.T) storagetest.PreferenceStore { return open(t) })
	storagetest.RunBoardMessages(t, func(t *testing.T) storagetest.BoardMessageStore { return open(t) })
}

// mustOpen opens the store in a database, with small batches.
func mustOpen(tb testing.TB, url string) *postgres.Store {
	tb.Helper()
	s, err := postgres.Open(tb.Context(), url, testCodecs, postgres.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	s.SetBatches(3)
	return s
}
