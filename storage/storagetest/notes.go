package storagetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"fivefold/game"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/boards"
	"fivefold/solver/weighted"
)

// Notes returns a player's notes at a version, with something in every field.
func Notes(player game.PlayerID, version uint64) game.Notes {
	word := wordle.MustParse("crane")
	card := pokle.Card(version % 3) // one of three that nobody holds
	board := pokle.Board{4, 8, 12, 16, card}
	return game.Notes{
		Player: player, Version: version,
		Puzzle: game.Puzzle{
			Turns:    []wordle.Turn{{Guess: wordle.MustParse("slate"), Feedback: wordle.Feedback(version % wordle.Feedbacks)}},
			Strategy: "parts", Hard: true, Chosen: word,
			Advice: []weighted.Advice{{Word: word, Chance: 0.5, Remaining: 2, Expected: 1, Groups: 2, Worst: 1, Guesses: 1.5, Proven: true}},
		},
		Record: game.PuzzleRecord{Lost: 3, Distribution: [wordle.Attempts]int{0, int(version), 2}},
		Board: game.BoardPuzzle{
			Deal: pokle.Deal{
				Holes:  [pokle.Players]pokle.Hole{{40, 41}, {44, 45}, {48, 49}},
				Places: [pokle.Streets]pokle.Places{{2, 1, 3}, {1, 2, 2}, {3, 1, 2}},
			},
			Steps:    []boards.Step{{Guess: board, Feedback: pokle.Feedback(version % uint64(pokle.AllGreen))}},
			Proposal: &boards.Suggestion{Board: pokle.Board{4, 8, 12, 16, 20}, Remaining: 7, Entropy: 1.5, Guesses: 2.25, Proven: true},
			Chosen:   pokle.Board{4, 8, 12, 16, 24},
		},
		Requests: []game.RequestID{"r1", game.RequestID(fmt.Sprint("r", version))},
	}
}

func testNotes(t *testing.T, open func(*testing.T) game.Store) {
	s, ctx := open(t), t.Context()
	defer func() { closeStore(t, s) }()
	check := func(want game.Notes) {
		t.Helper()
		if got, err := s.Notes(ctx, want.Player); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("notes of %s are %+v, %v, want %+v", want.Player, got, err, want)
		}
	}
	commit := func(n game.Notes, want error) {
		t.Helper()
		if err := s.CommitNotes(ctx, n); !errors.Is(err, want) {
			t.Errorf("committing version %d of %s: %v, want %v", n.Version, n.Player, err, want)
		}
	}
	check(game.Notes{Player: "ana"})
	commit(Notes("ana", 2), game.ErrConflict)
	check(game.Notes{Player: "ana"})
	for version := uint64(1); version <= 3; version++ {
		commit(Notes("ana", version), nil)
		check(Notes("ana", version))
		closeStore(t, s)
		s = open(t)
		check(Notes("ana", version))
	}
	for _, version := range []uint64{1, 2, 3, 5} {
		stale := Notes("ana", version)
		stale.Puzzle = game.Puzzle{}
		commit(stale, game.ErrConflict)
		check(Notes("ana", 3))
	}
	check(game.Notes{Player: "an"})
	commit(Notes("an", 1), nil)
	check(Notes("an", 1))
	check(Notes("ana", 3))

	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.CommitNotes(ended, Notes("ana", 4)); !errors.Is(err, context.Canceled) {
		t.Errorf("a commit after its context ended: %v", err)
	}
	if _, err := s.Notes(ended, "ana"); !errors.Is(err, context.Canceled) {
		t.Errorf("a read after its context ended: %v", err)
	}
	check(Notes("ana", 3))
}

// testNotesOneWinner commits the same version many times at once, beside guesses
// and other players' notes.
func testNotesOneWinner(t *testing.T, open func(*testing.T) game.Store) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	const n = 24
	var wg sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		wg.Go(func() { errs[i] = s.CommitNotes(ctx, Notes("ana", 1)) })
		wg.Go(func() {
			player := game.PlayerID(fmt.Sprint("player-", i))
			if err := s.CommitNotes(ctx, Notes(player, 1)); err != nil {
				t.Errorf("notes of %s: %v", player, err)
			}
		})
		wg.Go(func() {
			m := Match(fmt.Sprint("m", i), game.Place{Channel: game.ChannelID(fmt.Sprint("c", i))}, "ana", hidden)
			if err := s.Commit(ctx, change(m)); err != nil {
				t.Errorf("%v: %v", m, err)
			}
		})
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
		want := Notes(game.PlayerID(fmt.Sprint("player-", i)), 1)
		if got, err := s.Notes(ctx, want.Player); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("notes of %s are %+v, %v", want.Player, got, err)
		}
	}
}
