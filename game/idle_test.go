package game_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/work"
)

const day = 24 * time.Hour

// idleMachine is a machine whose clock is that of the bubble it runs in.
func idleMachine(t *testing.T, s Store) machine {
	m := newManager(s, mustLists(t, "crane brick mound grape fuzzy", "slate shave"))
	m.Now = time.Now
	return m
}

// keepEnding ends idle matches until the test ends.
func keepEnding(t *testing.T, m machine, idle time.Duration) {
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { m.KeepEndingIdle(ctx, idle, slog.New(slog.DiscardHandler)) })
	t.Cleanup(func() { stop(); running.Wait() })
}

// statusIn returns the status of the latest match of a channel.
func statusIn(t *testing.T, s Store, c game.ChannelID) game.Status {
	t.Helper()
	match, err := s.Load(t.Context(), game.ChannelSlot(wordgame.Kind, c))
	if err != nil {
		t.Fatal(err)
	}
	return match.Status()
}

// TestIdleMatchesEnd: a match ends a day after its latest change, and counts as stopped.
func TestIdleMatchesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newMemory()
		m := idleMachine(t, s)
		m.Work = s
		began := time.Now()
		at := func(c game.ChannelID) game.Location { return game.Location{Guild: "g", Channel: c} }
		keepEnding(t, m, day)
		mustPlay(t, m, at("a"), "ana start")
		mustPlay(t, m, at("b"), "ana start; ben guess slate")
		mustPlay(t, m, at("solo"), "ana start solo")
		time.Sleep(10 * time.Hour)
		mustPlay(t, m, at("b"), "ben guess shave")
		mustPlay(t, m, at("c"), "ana start; ana stop")
		status := func() string {
			solo, err := s.Load(t.Context(), game.OwnSlot(wordgame.Kind, game.Solo, "ana", at("solo")))
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprint(statusIn(t, s, "a"), " ", statusIn(t, s, "b"), " ", solo.Status())
		}
		for _, step := range []struct {
			at   time.Duration
			want string
		}{
			{day - time.Second, "playing playing playing"},
			{day + 2*time.Minute, "stopped playing stopped"},
			{day + 10*time.Hour - time.Second, "stopped playing stopped"},
			{day + 10*time.Hour + 2*time.Minute, "stopped stopped stopped"},
			{10 * day, "stopped stopped stopped"},
		} {
			time.Sleep(time.Until(began.Add(step.at)))
			synctest.Wait()
			if got := status(); got != step.want {
				t.Errorf("after %v: %s, want %s", step.at, got, step.want)
			}
		}
		b, err := s.Load(t.Context(), game.ChannelSlot(wordgame.Kind, "b"))
		if err != nil || !b.Stop.Idle || b.Stop.Player != "" || b.Version != 4 || b.Idle().Round(5*time.Minute) != day {
			t.Errorf("the match ended as %+v after %v, %v", b.Stop, b.Idle(), err)
		}
		results, err := s.Results(t.Context(), 0, 100)
		if err != nil || len(results) != 4 {
			t.Errorf("%d results, %v", len(results), err)
		}
		if next := mustPlay(t, m, at("a"), "ben start"); next.Starter != "ben" {
			t.Errorf("the next match is %v", next)
		}
	})
}

// TestIdleAndGuess: of a guess and the end of an idle match at the same moment, the first one counts and the other one does not.
func TestIdleAndGuess(t *testing.T) {
	for _, idleFirst := range []bool{false, true} {
		t.Run(fmt.Sprint("idle first ", idleFirst), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newMemory()
				m := idleMachine(t, s)
				mustPlay(t, m, place, "ana start")
				time.Sleep(day)
				release := make(chan struct{})
				m.Store = &hooks{Store: s, commit: func(c matches.Change) error {
					if (c.Match.Stop != nil) == idleFirst {
						<-release
					}
					return nil
				}}
				var guess, idle error
				ended := 0
				first, second := func() { _, guess = parse(place, "late", "ben guess slate").run(t.Context(), m) },
					func() { ended, idle = m.EndIdle(t.Context(), day) }
				if idleFirst {
					first, second = second, first
				}
				go first()
				synctest.Wait() // it holds the slot
				go second()
				synctest.Wait() // it waits for the slot
				close(release)
				synctest.Wait()
				match, err := s.Load(t.Context(), game.ChannelSlot(wordgame.Kind, place.Channel))
				if err != nil || idle != nil || match.Version != 2 {
					t.Fatalf("the match is %v, %v, %v", match, err, idle)
				}
				if idleFirst != (match.Status() == game.Stopped) || idleFirst != errors.Is(guess, game.ErrEnded) || idleFirst != (ended == 1) {
					t.Errorf("%d ended; it is %s with %d guesses, and the guess %v", ended, match.Status(), match.Used(), guess)
				}
			})
		})
	}
}

// TestIdleNotSaved: what could not be saved is tried again, and happens once.
func TestIdleNotSaved(t *testing.T) {
	for _, keeps := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newMemory()
			m := idleMachine(t, s)
			for i := range 3 {
				mustPlay(t, m, game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint(i))}, "ana start")
			}
			until := time.Now().Add(day + time.Hour)
			m.Store = &hooks{Store: s, commit: func(c matches.Change) error {
				switch {
				case !time.Now().Before(until):
					return nil
				case keeps:
					if err := s.Commit(t.Context(), c); err != nil {
						return err
					}
				}
				return game.ErrNotSaved
			}}
			keepEnding(t, m, day)
			time.Sleep(day + time.Hour - time.Second)
			if results, err := s.Results(t.Context(), 0, 10); err != nil || !keeps && len(results) != 0 {
				t.Errorf("while nothing is saved: %d results, %v", len(results), err)
			}
			time.Sleep(2 * time.Minute)
			synctest.Wait()
			if results, err := s.Results(t.Context(), 0, 10); err != nil || len(results) != 3 {
				t.Errorf("keeps %t: %d results, %v", keeps, len(results), err)
			}
		})
	}
}

// TestIdlePages: many matches end, page by page, though one of them cannot; and the request that ended one is known.
func TestIdlePages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newMemory()
		m := idleMachine(t, s)
		const all = 120
		var started []game.Match
		for i := range all {
			started = append(started, mustPlay(t, m, game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint(i))}, "ana start"))
		}
		time.Sleep(time.Hour)
		mustPlay(t, m, game.Location{Guild: "g", Channel: "late"}, "ana start")
		time.Sleep(day - time.Hour)
		broken := errors.New("broken")
		m.Store = &hooks{Store: s, commit: func(c matches.Change) error {
			if c.Match.ID == started[10].ID {
				return broken
			}
			return nil
		}}
		ended, err := m.EndIdle(t.Context(), day)
		if ended != all-1 || !errors.Is(err, broken) {
			t.Errorf("%d ended, %v", ended, err)
		}
		if ended, err := m.EndIdle(t.Context(), day); ended != 0 || !errors.Is(err, broken) {
			t.Errorf("again: %d ended, %v", ended, err)
		}
	})
}

// silentWork hands out work and then does not answer any more.
type silentWork struct{ work.Store }

func (silentWork) EndWork(ctx context.Context, _ work.Work, _ time.Duration) error {
	<-ctx.Done()
	return ctx.Err()
}

// TestStopsInTime: a store that falls silent while one process has regular work does not keep that from stopping.
func TestStopsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newMemory()
		m := idleMachine(t, s)
		m.Work = silentWork{s}
		if _, err := parse(place, "1", "ana start").run(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan time.Time, 1)
		go func() {
			m.KeepEndingIdle(ctx, time.Minute, slog.New(slog.DiscardHandler))
			ended <- time.Now()
		}()
		time.Sleep(time.Hour)
		if got := statusIn(t, s, place.Channel); got != game.Stopped {
			t.Fatalf("an hour later it is %s", got)
		}
		stop()
		began := time.Now()
		if took := (<-ended).Sub(began); took > time.Second {
			t.Errorf("it took %v to stop", took)
		}
	})
}
