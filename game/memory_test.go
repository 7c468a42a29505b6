package game_test

import (
	"context"
	"errors"
	"testing"

	"fivefold/bot/kinds/toy"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/game/statistics"
	"fivefold/game/wordle"
	"fivefold/game/wordle/wordletest"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
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
	stored *orderedtest.Memory
}

func newMemory() *memory {
	stored := &orderedtest.Memory{}
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

// hooks is a store that calls what a test sets. An error takes the place of a commit.
type hooks struct {
	Store
	loaded     func(game.Slot) // after a slot was loaded, with or without a match
	commit     func(matches.Change) error
	readRace   func() // before a race is read
	commitRace func(game.Race) error
}

func (s *hooks) Load(ctx context.Context, t game.Slot) (game.Match, error) {
	all, err := s.LoadSlots(ctx, []game.Slot{t}, false)
	return all[0].Match, errors.Join(err, all[0].Err)
}

func (s *hooks) LoadSlots(ctx context.Context, slots []game.Slot, playing bool) ([]matches.Loaded, error) {
	all, err := s.Store.LoadSlots(ctx, slots, playing)
	for _, slot := range slots {
		if s.loaded != nil {
			s.loaded(slot)
		}
	}
	return all, err
}

func (s *hooks) Commit(ctx context.Context, c matches.Change) error {
	if s.commit != nil {
		if err := s.commit(c); err != nil {
			return err
		}
	}
	return s.Store.Commit(ctx, c)
}

func (s *hooks) Race(ctx context.Context, k game.Kind, c game.ChannelID, id game.MatchID) (game.Race, error) {
	if s.readRace != nil {
		s.readRace()
	}
	return s.Store.Race(ctx, k, c, id)
}

func (s *hooks) CommitRace(ctx context.Context, r game.Race) error {
	if s.commitRace != nil {
		if err := s.commitRace(r); err != nil {
			return err
		}
	}
	return s.Store.CommitRace(ctx, r)
}

// mustLists returns lists from words with spaces between; every answer can be guessed.
func mustLists(tb testing.TB, answers, guesses string) *wordle.Lists {
	tb.Helper()
	return wordletest.Lists(tb, answers, answers+" "+guesses)
}
