package storage_test

import (
	"testing"

	"fivefold/bot/kinds"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/storagetest/toy"
)

// codecs are those of all games, and of the toy.
var codecs = append(kinds.Codecs(), toy.Codec)

// inMemory returns a function that opens a store of a test in memory: again and again the same one.
func inMemory() func(t *testing.T) *storage.Store {
	maps := map[string]*ordered.Memory{}
	return func(t *testing.T) *storage.Store {
		t.Helper()
		if maps[t.Name()] == nil {
			maps[t.Name()] = &ordered.Memory{}
		}
		return storage.New(maps[t.Name()], codecs, storage.Options{})
	}
}
