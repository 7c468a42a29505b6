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

// runSuite runs the suite of a store. Place returns where that of a test is, and open opens the map there.
func runSuite[P any](t *testing.T, place func(t *testing.T) P, open func(t *testing.T, at P) (ordered.Map, error)) {
	places := map[string]P{}
	storagetest.Run(t, func(t *testing.T) storagetest.Store {
		if _, ok := places[t.Name()]; !ok {
			places[t.Name()] = place(t)
		}
		m, err := open(t, places[t.Name()])
		if err != nil {
			t.Fatal(err)
		}
		return storage.New(m, codecs, storage.Options{})
	})
}

func TestStoreInMemory(t *testing.T) {
	runSuite(t, func(*testing.T) *ordered.Memory { return &ordered.Memory{} },
		func(_ *testing.T, m *ordered.Memory) (ordered.Map, error) { return m, nil })
}

func TestStoreInFile(t *testing.T) {
	runSuite(t, func(t *testing.T) string { return filepath.Join(t.TempDir(), "test.db") },
		func(_ *testing.T, path string) (ordered.Map, error) { return bolt.Open(path, bolt.Options{}) })
}

func TestStoreInDatabase(t *testing.T) {
	runSuite(t, func(t *testing.T) string { return postgrestest.Database(t) },
		func(t *testing.T, url string) (ordered.Map, error) {
			return postgres.Open(t.Context(), url, postgres.Options{})
		})
}
