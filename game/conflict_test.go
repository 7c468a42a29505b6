package game_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/game/wordle"
)

// meeting is a store whose first loads wait for one another, so that what their
// callers make of them overlaps.
type meeting struct {
	Store
	missing   atomic.Int32 // loads
	all       chan struct{}
	conflicts atomic.Int32
}

func newMeeting(s Store, loads int32) *meeting {
	m := &meeting{Store: s, all: make(chan struct{})}
	m.missing.Store(loads)
	return m
}

func (s *meeting) Load(ctx context.Context, t game.Slot) (game.Match, error) {
	match, err := s.Store.Load(ctx, t)
	if n := s.missing.Add(-1); n == 0 {
		close(s.all)
	} else if n > 0 {
		<-s.all
	}
	return match, err
}

func (s *meeting) Commit(ctx context.Context, c matches.Change) error {
	err := s.Store.Commit(ctx, c)
	if errors.Is(err, game.ErrConflict) {
		s.conflicts.Add(1)
	}
	return err
}

// atOnce runs operations on a machine each, which all load what is stored before one of them commits.
func atOnce(t *testing.T, s Store, lists *wordle.Lists, all ...op) (matches []game.Match, errs []error, conflicts int32) {
	shared := newMeeting(s, int32(len(all)))
	matches, errs = make([]game.Match, len(all)), make([]error, len(all))
	var wg sync.WaitGroup
	for i, o := range all {
		wg.Go(func() { matches[i], errs[i] = o.run(t.Context(), newManager(shared, lists)) })
	}
	wg.Wait()
	return matches, errs, shared.conflicts.Load()
}

// TestMachinesRace lets two managers, as on two machines, make a guess from the
// same version of one match. Both count, once.
func TestMachinesRace(t *testing.T) {
	lists := mustLists(t, "crane", "slate brick mound shave grape")
	for round := range 50 {
		s := newMemory()
		// Three moves leave room for a fourth in their slice, which must not be shared.
		mustPlay(t, newManager(s, lists), place, "ana start; ana guess mound; ana guess shave; ana guess grape")
		matches, errs, conflicts := atOnce(t, s, lists, parse(place, "r0", "ana guess slate together"), parse(place, "r1", "ben guess brick together"))
		if err := errors.Join(errs...); err != nil || conflicts != 1 {
			t.Fatalf("round %d: %d conflicts, want the one that was forced; %v", round, conflicts, err)
		}
		got, err := s.Load(t.Context(), game.ChannelSlot(wordgame.Kind, place.Channel))
		if err != nil {
			t.Fatal(err)
		}
		first, second := matches[0], matches[1]
		if first.Version > second.Version {
			first, second = second, first
		}
		if !reflect.DeepEqual(got, second) || !reflect.DeepEqual(got.Rewind(5), first) || got.Version != 6 || wordOf(got).Used() != 5 {
			t.Fatalf("round %d: the match is %v %+v after %v and %v", round, got, got.Moves, first, second)
		}
		players := map[wordle.Word]game.PlayerID{}
		for i, turn := range wordOf(got).Turns() {
			players[turn.Guess] = got.Moves[i].Player
		}
		if players[wordle.MustParse("slate")] != "ana" || players[wordle.MustParse("brick")] != "ben" {
			t.Fatalf("round %d: guesses were lost or mixed up: %v", round, players)
		}
	}
}

// TestMachinesStart lets two managers start a match in one channel, or a player's daily puzzle in two
// servers: one gets the other's.
func TestMachinesStart(t *testing.T) {
	for start, elsewhere := range map[string]game.Location{"ana start": place, "ana start daily": {Guild: "h", Channel: "d"}} {
		matches, errs, _ := atOnce(t, newMemory(), mustLists(t, "crane slate", ""), parse(place, "r0", start), parse(elsewhere, "r1", start))
		if (errs[0] == nil) == (errs[1] == nil) || !errors.Is(errors.Join(errs...), game.ErrAlreadyPlaying) || !reflect.DeepEqual(matches[0], matches[1]) {
			t.Errorf("%s: two starts returned %v, %v", start, matches, errs)
		}
	}
}

// TestSameRequestTwiceAtOnce: two machines get the same request. It counts once
// and both return the same.
func TestSameRequestTwiceAtOnce(t *testing.T) {
	lists := mustLists(t, "crane", "slate")
	s := newMemory()
	mustPlay(t, newManager(s, lists), place, "ana start")
	o := parse(place, "r", "ana guess slate together")
	matches, errs, conflicts := atOnce(t, s, lists, o, o)
	if err := errors.Join(errs...); err != nil || !reflect.DeepEqual(matches[0], matches[1]) || matches[0].Version != 2 || conflicts != 1 {
		t.Errorf("got %v, %v after %d conflicts", matches, err, conflicts)
	}
}

// contended is a store where somebody else is always first.
type contended struct {
	Store
	commits int
}

func (s *contended) Commit(context.Context, matches.Change) error {
	s.commits++
	return fmt.Errorf("version 7: %w", game.ErrConflict)
}

func TestGivesUpWhenAlwaysLate(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane", "slate"))
	mustPlay(t, m, place, "ana start")
	late := &contended{Store: s}
	m.Store = late
	if got, err := parse(place, "r", "ana guess slate together").run(t.Context(), m); !errors.Is(err, game.ErrConflict) || late.commits != 10 {
		t.Errorf("got %v, %v after %d commits; want ErrConflict after 10", got, err, late.commits)
	}
}

// lingering is a store that takes a second to commit, and counts conflicts.
type lingering struct {
	Store
	conflicts atomic.Int32
}

func (s *lingering) Commit(ctx context.Context, c matches.Change) error {
	time.Sleep(time.Second)
	err := s.Store.Commit(ctx, c)
	if errors.Is(err, game.ErrConflict) {
		s.conflicts.Add(1)
	}
	return err
}

// TestOneMachineTakesTurns: on one machine the requests of a channel follow one
// another, so none is tried twice, and channels do not wait for each other.
func TestOneMachineTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		words := []string{"slate", "brick", "mound", "shave", "grape", "fuzzy"}
		lists := mustLists(t, "crane hover", "slate brick mound shave grape fuzzy")
		s := newMemory()
		places := []game.Location{{Channel: "c1"}, {Channel: "c2"}, {Channel: "c3"}}
		for _, p := range places {
			mustPlay(t, newManager(s, lists), p, "ana start")
		}
		slow := &lingering{Store: s}
		m := newManager(slow, lists)
		began := time.Now()
		var wg sync.WaitGroup
		for _, p := range places {
			for _, w := range words {
				wg.Go(func() {
					if _, err := parse(p, string(p.Channel)+w, "ana guess "+w).run(t.Context(), m); err != nil {
						t.Errorf("%s in %s: %v", w, p.Channel, err)
					}
				})
			}
		}
		wg.Wait()
		if n := slow.conflicts.Load(); n != 0 {
			t.Errorf("%d conflicts on one machine", n)
		}
		if took := time.Since(began); took != 6*time.Second {
			t.Errorf("three channels with six guesses of a second each took %v, want 6s", took)
		}
		for _, p := range places {
			if got, err := s.Load(t.Context(), game.ChannelSlot(wordgame.Kind, p.Channel)); err != nil || wordOf(got).Used() != len(words) || got.Status() != game.Lost {
				t.Errorf("%s has %v, %v", p.Channel, got, err)
			}
		}
	})
}

// loading counts loads by slot, and does something once after the first of a match.
type loading struct {
	Store
	loads map[game.Slot]int
	once  func()
}

func (s *loading) Load(ctx context.Context, t game.Slot) (game.Match, error) {
	all, err := s.LoadSlots(ctx, []game.Slot{t}, false)
	return all[0].Match, errors.Join(err, all[0].Err)
}

func (s *loading) LoadSlots(ctx context.Context, slots []game.Slot, playing bool) ([]matches.Loaded, error) {
	all, err := s.Store.LoadSlots(ctx, slots, playing)
	for i, slot := range slots {
		s.loads[slot]++
		if once := s.once; all[i].Err == nil && once != nil {
			s.once = nil
			once()
		}
	}
	return all, err
}

// TestGuessWithoutMode: it loads every slot that it may mean once, unless another machine
// changes the match meanwhile: then both changes count.
func TestGuessWithoutMode(t *testing.T) {
	forEachKind(t, func(t *testing.T, k game.Kind) {
		channel := game.ChannelSlot(k, place.Channel)
		for _, c := range []struct {
			name      string
			meanwhile string
			used      int
			err       error
			loads     int // of the channel's match
		}{
			{"nothing", "", 1, nil, 1},
			{"a guess", "ben miss", 2, nil, 2},
			{"the end", "ben stop", 0, game.ErrEnded, 2},
			{"another match", "ben stop; ben start", 1, nil, 2},
		} {
			s := newMemory()
			other := newManager(s, mustLists(t, "crane shave slate", "brick mound"))
			other.kind = k
			mustPlay(t, other, place, "ben start")
			l := &loading{Store: s, loads: map[game.Slot]int{}, once: func() {
				if c.meanwhile != "" {
					mustPlay(t, other, place, c.meanwhile)
				}
			}}
			m := newManager(l, other.lists)
			m.kind = k
			got, err := parse(place, "r", "ana miss").run(t.Context(), m)
			stored, loadErr := s.Load(t.Context(), channel)
			if !errors.Is(err, c.err) || loadErr != nil || got.Used() != c.used || !reflect.DeepEqual(got, stored) {
				t.Errorf("%s meanwhile: %v, %v; %v is stored, %v", c.name, got, err, stored, loadErr)
			}
			for slot, n := range l.loads {
				if slot != channel && n != 1 || slot == channel && n != c.loads {
					t.Errorf("%s meanwhile: %+v was loaded %d times", c.name, slot, n)
				}
			}
		}
	})
}
