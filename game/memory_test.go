package game_test

import (
	"context"
	"testing"

	"fivefold/bot/kinds/toy"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/game/statistics"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/storage"
	"fivefold/storage/ordered"
)

// Store is all that matches are kept in.
type Store interface {
	matches.Store
	finished.Store
	statistics.Store
	Close() error
}

// memory is a store without a disk.
type memory struct {
	*storage.Store
	stored *ordered.Memory
}

func newMemory() *memory {
	stored := &ordered.Memory{}
	return &memory{storage.New(stored, toy.Codecs(), storage.Options{}), stored}
}

// state returns all that is stored.
func (s *memory) state() []ordered.Pair {
	all, err := s.stored.Read(context.Background(), ordered.Query{To: "\xff"})
	if err != nil {
		panic(err) // only a context ends it
	}
	return all[0]
}

// mustLists returns lists from words with spaces between; every answer can be
// guessed.
func mustLists(tb testing.TB, answers, guesses string) *wordle.Lists {
	tb.Helper()
	return wordletest.Lists(tb, answers, answers+" "+guesses)
}
