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

	"fivefold/bot/admission"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/work"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
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
	keep(t, func(ctx context.Context) { m.KeepEndingIdle(ctx, idle, slog.New(slog.DiscardHandler)) })
}

// keep runs what goes on until the test ends.
func keep(t *testing.T, run func(context.Context)) {
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { run(ctx) })
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

// waitingStore is a store whose next commit that ends an idle match, or that does not, waits.
type waitingStore struct {
	Store
	ofNobody bool
	waits    chan struct{}
}

func (s *waitingStore) Commit(ctx context.Context, c matches.Change) error {
	if s.waits != nil && (c.Match.Stop != nil && c.Match.Stop.Idle) == s.ofNobody {
		wait := s.waits
		s.waits = nil
		<-wait
	}
	return s.Store.Commit(ctx, c)
}

// TestIdleAndGuess: of a guess and the end of an idle match at the same moment, the first
// one counts and the other one does not.
func TestIdleAndGuess(t *testing.T) {
	for _, idleFirst := range []bool{false, true} {
		t.Run(fmt.Sprint("idle first ", idleFirst), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newMemory()
				slow := &waitingStore{Store: s, ofNobody: idleFirst}
				m := idleMachine(t, slow)
				mustPlay(t, m, place, "ana start")
				time.Sleep(day)
				release := make(chan struct{})
				slow.waits = release
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

// refusing is a store that takes nothing for a while, or says so though it does.
type refusing struct {
	Store
	keeps bool
	until time.Time
}

func (s *refusing) Commit(ctx context.Context, c matches.Change) error {
	if !time.Now().Before(s.until) {
		return s.Store.Commit(ctx, c)
	}
	if s.keeps {
		if err := s.Store.Commit(ctx, c); err != nil {
			return err
		}
	}
	return game.ErrNotSaved
}

// TestIdleNotSaved: what could not be saved is tried again, and happens once.
func TestIdleNotSaved(t *testing.T) {
	for _, keeps := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newMemory()
			bad := &refusing{Store: s, keeps: keeps}
			m := idleMachine(t, bad)
			for i := range 3 {
				mustPlay(t, m, game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint(i))}, "ana start")
			}
			bad.until = time.Now().Add(day + time.Hour)
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

// TestIdlePages: many matches end, page by page, though one of them cannot; and the
// request that ended one is known.
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
		m.Store = &failingFor{Store: s, match: started[10].ID, err: broken}
		ended, err := m.EndIdle(t.Context(), day)
		if ended != all-1 || !errors.Is(err, broken) {
			t.Errorf("%d ended, %v", ended, err)
		}
		if ended, err := m.EndIdle(t.Context(), day); ended != 0 || !errors.Is(err, broken) {
			t.Errorf("again: %d ended, %v", ended, err)
		}
	})
}

// failingFor is a store in which one match cannot be changed.
type failingFor struct {
	Store
	match game.MatchID
	err   error
}

func (s *failingFor) Commit(ctx context.Context, c matches.Change) error {
	if c.Match.ID == s.match {
		return s.err
	}
	return s.Store.Commit(ctx, c)
}

// TestIdleByTheClockOfRequests: while the machine's clock is a year ahead or behind, matches end by the clock of the
// requests, their results have their places in the log by it, and their receipts are kept for a day by it.
func TestIdleByTheClockOfRequests(t *testing.T) {
	const year = 365 * day
	for _, off := range []time.Duration{-year, 0, year} {
		synctest.Test(t, func(t *testing.T) {
			s := newMemory()
			m := idleMachine(t, s)
			var clock admission.Clock
			m.Now = clock.Now
			ids := 0
			ask := func(l game.Location, text string) game.RequestID {
				t.Helper()
				ids++
				o := parse(l, fmt.Sprint("r", ids), text)
				o.origin.Made = time.Now().Add(-off).UTC()
				clock.Age(o.origin.Made)
				if _, err := o.run(t.Context(), m); err != nil {
					t.Fatal(err)
				}
				return o.origin.Request
			}
			ask(place, "ana start")
			keepEnding(t, m, day)
			keep(t, s.Run)
			for _, word := range []string{"slate", "shave"} {
				time.Sleep(day - time.Minute)
				ask(place, "ben guess "+word)
			}
			time.Sleep(day - time.Minute)
			if got := statusIn(t, s, place.Channel); got != game.Playing {
				t.Errorf("%v: a minute too early it is %s", off, got)
			}
			third := game.Location{Guild: "h", Channel: "third"}
			ask(third, "ben start")
			won := ask(third, "ben win")
			time.Sleep(time.Hour)
			synctest.Wait()
			if got := statusIn(t, s, place.Channel); got != game.Stopped {
				t.Errorf("%v: an hour later it is %s", off, got)
			}
			if _, version, err := s.Repeated(t.Context(), game.ChannelSlot(wordgame.Kind, third.Channel), won); version != 2 || err != nil {
				t.Errorf("%v: the request that won a match led to version %d, %v", off, version, err)
			}
			results, err := s.Results(t.Context(), 0, 9)
			for _, r := range results {
				ended := schema.TimeOf(r.LogPosition)
				if ago := time.Since(ended.Add(off)); ago < 0 || ago > time.Hour {
					t.Errorf("%v: the place of %v in the log is that of %v ago", off, r.Location, ago)
				}
			}
			if err != nil || len(results) != 2 {
				t.Errorf("%v: the results are %+v, %v", off, results, err)
			}
			time.Sleep(2 * day)
			ask(third, "ben start")
			ask(third, "ben win")
			time.Sleep(time.Minute)
			synctest.Wait()
			if n, err := ordered.Count(t.Context(), s.stored, ordered.Prefix("receipt\x00")); off >= 0 && n != 2 || err != nil { // by a clock that is behind, none goes too early
				t.Errorf("%v: two days later there are %d receipts, %v", off, n, err)
			}
		})
	}
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
