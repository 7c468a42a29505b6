package storage_test

import (
	"path/filepath"
	"testing"

	"fivefold/storage"
	"fivefold/storage/bolt"
	"fivefold/storage/ordered"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
	"fivefold/storage/storagetest"
	"fivefold/storage/storagetest/toy"
)

// codecs are those of all games, and of the toy.
var codecs = toy.Codecs()

func TestMain(m *testing.M) { postgrestest.Main(m) }

func TestStoreInMemory(t *testing.T) {
	maps := map[string]*ordered.Memory{}
	storagetest.Run(t, func(t *testing.T) storagetest.Store {
		if maps[t.Name()] == nil {
			maps[t.Name()] = &ordered.Memory{}
		}
		return storage.New(maps[t.Name()], codecs, storage.Options{})
	})
}

func TestStoreInFile(t *testing.T) {
	paths := map[string]string{}
	storagetest.Run(t, func(t *testing.T) storagetest.Store {
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
	storagetest.Run(t, func(t *testing.T) storagetest.Store {
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
