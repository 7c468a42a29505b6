package toy_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/storagetest/toy"
)

// TestManager plays the toy as the games are played, with a store.
func TestManager(t *testing.T) {
	s := storage.New(&ordered.Memory{}, toy.Codecs(), storage.Options{})
	defer s.Close()
	m := &game.Manager{
		Store: s, Rules: []game.Rules{toy.Rules()},
		Pick: func(n int) int { return n / 2 }, Now: func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) },
	}
	requests := 0
	origin := func(player game.PlayerID) game.Origin {
		requests++
		return game.Origin{Request: game.RequestID(fmt.Sprint("r", 100+requests)), Location: game.Location{Guild: "g", Channel: "c"}, Player: player}
	}
	for _, mode := range []game.Mode{game.Together, game.Solo, game.Daily} {
		target := game.Target{Kind: toy.Kind, Mode: mode}
		match, err := m.Start(t.Context(), origin("ana"), game.StartOptions{Kind: toy.Kind, Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		answer := match.State.Answer()
		if _, err = m.Move(t.Context(), origin("ana"), target, toy.Move('a')); err != nil {
			t.Fatal(err)
		}
		if got, err := m.Hint(t.Context(), origin("ana"), target, game.HintLetter); !errors.Is(err, game.ErrHint) || len(got.Hints) != 0 {
			t.Errorf("a hint of a letter: %+v, %v, want %v", got.Hints, err, game.ErrHint)
		}
		match, err = m.Hint(t.Context(), origin("ana"), target, game.HintSuggestion)
		if want := (toy.Hint{Letter: 'n'}); err != nil || len(match.Hints) != 1 || match.Hints[0].Content != want {
			t.Errorf("the hint is %+v, %v, want %+v", match.Hints, err, want)
		}
		if n, err := m.Remaining(t.Context(), match, 1); n != 25 || err != nil {
			t.Errorf("%d letters are possible, %v, want 25", n, err)
		}
		match, err = m.Move(t.Context(), origin("ana"), target, toy.Move(answer[0]))
		if err != nil || match.Status() != game.Won {
			t.Fatalf("the match is %v, %v, want it won", match, err)
		}
		review, err := toy.Rules().Review(t.Context(), match)
		if err != nil || len(review.Grades()) != 2 || review.Grades()[0].Skill >= review.Grades()[1].Skill || !game.Proven(review) {
			t.Errorf("the review is %+v, %v, want the first letter worse than one in the middle", review, err)
		}
	}
	ana, err := m.Latest(t.Context(), origin("ana"), game.Target{Kind: toy.Kind, Mode: game.Daily})
	if err != nil {
		t.Fatal(err)
	}
	ben, err := m.Start(t.Context(), origin("ben"), game.StartOptions{Kind: toy.Kind, Mode: game.Daily})
	if err != nil || ben.State != ana.State.Fresh(false) {
		t.Errorf("ben's daily puzzle is %v with %q, %v, want %q", ben, ben.State.Answer(), err, ana.State.Answer())
	}
	reviewed, err := m.Review(t.Context(), game.Viewer{Player: "ana", Location: ana.Location}, 1)
	if err != nil || len(reviewed.Contributions) != 1 || !reviewed.Contributions[0].Proven {
		t.Errorf("the review that is kept has the shares %+v, %v", reviewed.Contributions, err)
	}
	page, err := m.History(t.Context(), game.Viewer{Player: "ana", Location: ana.Location}, game.Filter{Community: "guild/g", Kind: toy.Kind, Limit: 10})
	if err != nil || len(page.Entries) != 3 {
		t.Errorf("the history is %+v, %v, want three matches", page, err)
	}
}
