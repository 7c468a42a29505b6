package storage_test

import (
	"context"
	"io"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fivefold/bot/kinds/toy"
	"fivefold/storage"
	"fivefold/storage/bolt"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
	"fivefold/storage/postgres"
	"fivefold/storage/postgres/postgrestest"
)

// codecs are those of all games, and of the toy.
var codecs = toy.Codecs()

func TestMain(m *testing.M) { postgrestest.Main(m) }

// engines make a place for the records of a test, and return what opens it.
var engines = map[string]func(tb testing.TB) func() (ordered.Map, error){
	"memory": func(testing.TB) func() (ordered.Map, error) {
		m := &orderedtest.Memory{}
		return func() (ordered.Map, error) { return m, nil }
	},
	"file": func(tb testing.TB) func() (ordered.Map, error) {
		path := filepath.Join(tb.TempDir(), "test.db")
		return func() (ordered.Map, error) { return bolt.Open(path, bolt.Options{}) }
	},
	"database": database("cache_statement"),
}

// database is the engine in a database, with prepared statements or another of pgx's modes.
func database(mode string) func(tb testing.TB) func() (ordered.Map, error) {
	return func(tb testing.TB) func() (ordered.Map, error) {
		url := postgrestest.Database(tb) + "&default_query_exec_mode=" + mode
		return func() (ordered.Map, error) {
			return postgres.Open(tb.Context(), url, postgres.Options{Patience: time.Hour}) // on a machine that may be slow
		}
	}
}

// forEachEngine runs a test with every engine. The test may close its store and open it again.
func forEachEngine(t *testing.T, test func(t *testing.T, open func() *storage.Store)) {
	for name, engine := range engines {
		t.Run(name, func(t *testing.T) {
			place := engine(t)
			test(t, func() *storage.Store {
				m, err := place()
				if err != nil {
					t.Fatal(err)
				}
				return storage.New(m, codecs, storage.Options{})
			})
		})
	}
}

// inMemory returns a store without a disk: where a test does not depend on the engine.
func inMemory(t *testing.T) *storage.Store {
	s, _ := onMap(t, &orderedtest.Memory{})
	return s
}

// onMap returns a store in a map, and the map.
func onMap[M ordered.Map](tb testing.TB, m M) (*storage.Store, M) {
	s := storage.New(m, codecs, storage.Options{})
	tb.Cleanup(func() { mustClose(tb, s) })
	return s, m
}

// run has a store do what it does without requests, until end is called.
func run(t *testing.T, s *storage.Store) (end func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx) })
	return func() { cancel(); running.Wait() }
}

func mustClose(tb testing.TB, c io.Closer) {
	tb.Helper()
	if err := c.Close(); err != nil {
		tb.Error(err)
	}
}
