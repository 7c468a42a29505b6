package solve_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/solver/solve"
	"fivefold/storage/storagetest"
)

// memory is a solve.Store without a disk.
type memory struct {
	mu       sync.Mutex // protects sessions
	sessions map[game.PlayerID]solve.Session
}

func newMemory() *memory { return &memory{sessions: map[game.PlayerID]solve.Session{}} }

func (m *memory) Session(ctx context.Context, player game.PlayerID) (solve.Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if ctx.Err() != nil {
		return solve.Session{}, ctx.Err()
	}
	s := m.sessions[player]
	s.Player = player
	return s, nil
}

func (m *memory) CommitSession(ctx context.Context, s solve.Session) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case m.sessions[s.Player].Version+1 != s.Version:
		return game.ErrConflict
	}
	m.sessions[s.Player] = s
	return nil
}

func (m *memory) Close() error { return nil }

func TestMemory(t *testing.T) {
	var stores sync.Map // one for each test
	storagetest.RunSessions(t, func(t *testing.T) storagetest.SessionStore {
		m, _ := stores.LoadOrStore(t.Name(), newMemory())
		return m.(*memory)
	})
}

// mustLists returns lists from words with spaces between; all of them can be hidden.
func mustLists(tb testing.TB, words string) *wordle.Lists {
	tb.Helper()
	source := func(name string) wordle.Source {
		return wordle.Source{Name: name, Reader: strings.NewReader(strings.ReplaceAll(words, " ", "\n"))}
	}
	lists, err := wordle.ReadLists(source("answers"), source("guesses"))
	if err != nil {
		tb.Fatal(err)
	}
	return lists
}
