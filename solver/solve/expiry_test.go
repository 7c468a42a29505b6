package solve_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game"
	"fivefold/solver/parallel"
	"fivefold/solver/poker"
	"fivefold/solver/solve"
)

// slowSessions is a store whose reads take a second.
type slowSessions struct{ *memory }

func (s slowSessions) Session(ctx context.Context, player game.PlayerID) (solve.Session, error) {
	time.Sleep(time.Second)
	return s.memory.Session(ctx, player)
}

// TestExpiredRequestsChangeNothing: a request that expires before its commit changes
// nothing, and says so.
func TestExpiredRequestsChangeNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for life, want := range map[time.Duration]error{0: game.ErrExpired, time.Second: game.ErrExpired, 1001 * time.Millisecond: nil} {
			store := newMemory()
			a := asking{t: t, Words: newWords(slowSessions{store}, mustLists(t, fewWords))}
			o := by("ana", "r")
			o.Expires = time.Now().Add(life)
			_, err := a.askAs(o, "blown bbbbb")
			if !errors.Is(err, want) {
				t.Errorf("%v: %v, want %v", life, err, want)
			}
			if s := session(t, store); (s.Version == 0) != (want != nil) {
				t.Errorf("%v: version %d", life, s.Version)
			}
		}
	})
}

// TestBusy: without a permit nothing is changed, and the error says why.
func TestBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := newMemory()
		permits := parallel.NewPermits(1)
		cards := &solve.Cards{Store: store, Solver: &poker.Solver{Permits: permits}}
		deal := func(s solve.Session) (solve.Session, error) {
			s.Cards.Setup.Deal = mustDeal(t, fewBoards)
			return s, nil
		}
		held, err := permits.Acquire(t.Context(), parallel.Search)
		if err != nil {
			t.Fatal(err)
		}
		o := by("ana", "deal")
		if _, err := cards.Update(t.Context(), o, 0, deal); !errors.Is(err, game.ErrBusy) {
			t.Errorf("busy: %v", err)
		}
		o.Expires = time.Now().Add(100 * time.Millisecond)
		if _, err := cards.Update(t.Context(), o, 0, deal); !errors.Is(err, game.ErrExpired) {
			t.Errorf("expired: %v", err)
		}
		if is := session(t, store); is.Version != 0 {
			t.Errorf("changed: %+v", is)
		}
		held.Release()
		o.Expires = time.Time{}
		if v, err := cards.Update(t.Context(), o, 0, deal); err != nil || len(v.Left) == 0 {
			t.Errorf("afterwards: %v", err)
		}
	})
}

// session is what a store has for Ana.
func session(t *testing.T, s *memory) solve.Session {
	t.Helper()
	session, err := s.Session(t.Context(), "ana")
	if err != nil {
		t.Fatal(err)
	}
	return session
}
