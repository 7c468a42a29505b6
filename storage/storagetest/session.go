package storagetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"
	"testing"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

// SessionStore is a [solve.Store] that can be closed and opened again.
type SessionStore interface {
	solve.Store
	io.Closer
}

// RunSessions runs the suite of a [solve.Store]. Open is as for [Run].
func RunSessions(t *testing.T, open func(t *testing.T) SessionStore) {
	t.Run("Sessions", func(t *testing.T) { testSessions(t, open) })
	t.Run("SessionsOneWinner", func(t *testing.T) { testSessionsOneWinner(t, open) })
}

// Session returns a player's session at a version, with something in every field.
func Session(player game.PlayerID, version uint64) solve.Session {
	word := wordle.MustParse("crane")
	card := pokle.Card(version % 3) // one of three that no player holds
	board := pokle.Board{4, 8, 12, 16, card}
	return solve.Session{
		Player: player, Version: version,
		Words: solve.WordPuzzle{
			Setup:    solve.WordSetup{Hard: true, Strategy: "parts"},
			Turns:    []wordle.Turn{{Guess: wordle.MustParse("slate"), Feedback: wordle.Feedback(version % wordle.Feedbacks)}},
			Proposed: []weighted.Suggestion{{Word: word, Chance: 0.5, Remaining: 2, Expected: 1, Groups: 2, Worst: 1, Guesses: 1.5, Proven: true}},
			Chosen:   word,
		},
		Record: solve.Record{Lost: 3, Distribution: [wordle.Attempts]int{0, int(version), 2}},
		Board: solve.BoardPuzzle{
			Setup: solve.BoardSetup{Deal: pokle.Deal{
				Holes:  [pokle.Players]pokle.Hole{{40, 41}, {44, 45}, {48, 49}},
				Places: [pokle.Streets]pokle.Places{{2, 1, 3}, {1, 2, 2}, {3, 1, 2}},
			}},
			Turns:    []boards.Step{{Guess: board, Feedback: pokle.Feedback(version % uint64(pokle.AllGreen))}},
			Proposed: []boards.Suggestion{{Board: pokle.Board{4, 8, 12, 16, 20}, Remaining: 7, Entropy: 1.5, Guesses: 2.25, Proven: true}},
			Chosen:   pokle.Board{4, 8, 12, 16, 24},
		},
		Requests: []game.RequestID{"r1", game.RequestID(fmt.Sprint("r", version))},
	}
}

func testSessions(t *testing.T, open func(*testing.T) SessionStore) {
	s, ctx := open(t), t.Context()
	defer func() { closeStore(t, s) }()
	check := func(want solve.Session) {
		t.Helper()
		if got, err := s.Session(ctx, want.Player); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("the session of %s is %+v, %v, want %+v", want.Player, got, err, want)
		}
	}
	commit := func(c solve.Session, want error) {
		t.Helper()
		if err := s.CommitSession(ctx, c); !errors.Is(err, want) {
			t.Errorf("committing version %d of %s: %v, want %v", c.Version, c.Player, err, want)
		}
	}
	check(solve.Session{Player: "ana"})
	commit(Session("ana", 2), game.ErrConflict)
	check(solve.Session{Player: "ana"})
	for version := uint64(1); version <= 3; version++ {
		commit(Session("ana", version), nil)
		check(Session("ana", version))
		closeStore(t, s)
		s = open(t)
		check(Session("ana", version))
	}
	for _, version := range []uint64{1, 2, 3, 5} {
		stale := Session("ana", version)
		stale.Words = solve.WordPuzzle{}
		commit(stale, game.ErrConflict)
		check(Session("ana", 3))
	}
	check(solve.Session{Player: "an"})
	commit(Session("an", 1), nil)
	check(Session("an", 1))
	check(Session("ana", 3))

	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.CommitSession(ended, Session("ana", 4)); !errors.Is(err, context.Canceled) {
		t.Errorf("a commit after its context ended: %v", err)
	}
	if _, err := s.Session(ended, "ana"); !errors.Is(err, context.Canceled) {
		t.Errorf("a read after its context ended: %v", err)
	}
	check(Session("ana", 3))
}

// testSessionsOneWinner commits the same version many times at once, among other
// players' sessions and, in a store that has both, matches.
func testSessionsOneWinner(t *testing.T, open func(*testing.T) SessionStore) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	matches, both := s.(game.Store)
	const n = 24
	var wg sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		wg.Go(func() { errs[i] = s.CommitSession(ctx, Session("ana", 1)) })
		wg.Go(func() {
			player := game.PlayerID(fmt.Sprint("player-", i))
			if err := s.CommitSession(ctx, Session(player, 1)); err != nil {
				t.Errorf("session of %s: %v", player, err)
			}
		})
		if both {
			wg.Go(func() {
				m := Wordle.Match(fmt.Sprint("m", i), game.Location{Channel: game.ChannelID(fmt.Sprint("c", i))}, "ana", "crane")
				if err := matches.Commit(ctx, Change(m)); err != nil {
					t.Errorf("%v: %v", m, err)
				}
			})
		}
	}
	wg.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else if !errors.Is(err, game.ErrConflict) {
			t.Errorf("a commit among others: %v", err)
		}
	}
	if won != 1 {
		t.Errorf("version 1 was committed %d times", won)
	}
	for i := range n {
		want := Session(game.PlayerID(fmt.Sprint("player-", i)), 1)
		if got, err := s.Session(ctx, want.Player); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("the session of %s is %+v, %v", want.Player, got, err)
		}
	}
}
