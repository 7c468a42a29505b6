package storagetest

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/boards"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
)

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

func testSessions(t *testing.T, _ []Game, open opener) {
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
}
