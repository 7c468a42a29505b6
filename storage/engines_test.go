package storage_test

import (
	"path/filepath"
	"testing"

	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/bolt"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
)

func TestMain(m *testing.M) { postgrestest.Main(m) }

// runSuites runs the suites of everything that a store implements.
func runSuites(t *testing.T, open func(t *testing.T) *storage.Store) {
	storagetest.Run(t, storagetest.Games(), func(t *testing.T) game.Store { return open(t) })
	storagetest.RunBoardMessages(t, func(t *testing.T) storagetest.BoardMessageStore { return open(t) })
	storagetest.RunSessions(t, func(t *testing.T) storagetest.SessionStore { return open(t) })
}

func TestStoreInMemory(t *testing.T) { runSuites(t, inMemory()) }

func TestStoreInFile(t *testing.T) {
	paths := map[string]string{}
	runSuites(t, func(t *testing.T) *storage.Store {
		t.Helper()
		if paths[t.Name()] == "" {
			paths[t.Name()] = filepath.Join(t.TempDir(), "test.db")
		}
		m, err := bolt.Open(paths[t.Name()], bolt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return storage.New(m, codecs, storage.Options{})
	})
}

func TestStoreInDatabase(t *testing.T) {
	urls := map[string]string{}
	runSuites(t, func(t *testing.T) *storage.Store {
		t.Helper()
		if urls[t.Name()] == "" {
			urls[t.Name()] = postgrestest.Database(t)
		}
		m, err := postgres.Open(t.Context(), urls[t.Name()], postgres.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return storage.New(m, codecs, storage.Options{})
	})
}
