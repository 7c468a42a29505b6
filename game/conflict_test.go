package game_test

import (
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

// meeting is a store whose first n commits wait for one another, so that each is planned by what was stored before. It counts all
// commits.
func meeting(s Store, n int) (*hooks, *atomic.Int32) {
	var missing sync.WaitGroup
	missing.Add(n)
	commits := new(atomic.Int32)
	return &hooks{Store: s, commit: func(matches.Change) error {
		if commits.Add(1) <= int32(n) {
			missing.Done()
			missing.Wait()
		}
		return nil
	}}, commits
}

// atOnce runs operations on a machine each, all planned before one of them commits, and counts the commits they try.
func atOnce(t *testing.T, s Store, lists *wordle.Lists, all ...op) (led []game.Match, errs []error, commits int32) {
	shared, tried := meeting(s, len(all))
	led, errs = make([]game.Match, len(all)), make([]error, len(all))
	var running sync.WaitGroup
	for i, o := range all {
		running.Go(func() { led[i], errs[i] = o.run(t.Context(), newManager(shared, lists)) })
	}
	running.Wait()
	return led, errs, tried.Load()
}

// TestMachinesRace lets two managers, as on two machines, make a guess from the same version of one match. Both count, once.
func TestMachinesRace(t *testing.T) {
	lists := mustLists(t, "crane", "slate brick mound shave grape")
	for round := range 50 {
		s := newMemory()
		// Three moves leave room for a fourth in their slice, which must not be shared.
		mustPlay(t, newManager(s, lists), place, "ana start; ana guess mound; ana guess shave; ana guess grape")
		matches, errs, commits := atOnce(t, s, lists, parse(place, "r0", "ana guess slate together"), parse(place, "r1", "ben guess brick together"))
		if err := errors.Join(errs...); err != nil || commits != 3 {
			t.Fatalf("round %d: %d commits, want two and the one again that was forced; %v", round, commits, err)
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

// TestMachinesStart lets two managers start a match in one channel, or a player's daily puzzle in two servers: one gets the
// other's.
func TestMachinesStart(t *testing.T) {
	for start, elsewhere := range map[string]game.Location{"ana start": place, "ana start daily": {Guild: "h", Channel: "d"}} {
		matches, errs, _ := atOnce(t, newMemory(), mustLists(t, "crane slate", ""), parse(place, "r0", start), parse(elsewhere, "r1", start))
		if (errs[0] == nil) == (errs[1] == nil) || !errors.Is(errors.Join(errs...), game.ErrAlreadyPlaying) || !reflect.DeepEqual(matches[0], matches[1]) {
			t.Errorf("%s: two starts returned %v, %v", start, matches, errs)
		}
	}
}

// TestSameRequestTwiceAtOnce: two machines get the same request. It counts once and both return the same.
func TestSameRequestTwiceAtOnce(t *testing.T) {
	lists := mustLists(t, "crane", "slate")
	s := newMemory()
	mustPlay(t, newManager(s, lists), place, "ana start")
	o := parse(place, "r", "ana guess slate together")
	matches, errs, commits := atOnce(t, s, lists, o, o)
	if err := errors.Join(errs...); err != nil || !reflect.DeepEqual(matches[0], matches[1]) || matches[0].Version != 2 || commits != 2 {
		t.Errorf("got %v, %v after %d commits", matches, err, commits)
	}
}

func TestGivesUpWhenAlwaysLate(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane", "slate"))
	mustPlay(t, m, place, "ana start")
	commits := 0
	m.Store = &hooks{Store: s, commit: func(matches.Change) error { commits++; return fmt.Errorf("version 7: %w", game.ErrConflict) }}
	if got, err := parse(place, "r", "ana guess slate together").run(t.Context(), m); !errors.Is(err, game.ErrConflict) || commits != 10 {
		t.Errorf("got %v, %v after %d commits; want ErrConflict after 10", got, err, commits)
	}
}

// TestOneMachineTakesTurns: on one machine the requests of a channel follow one another, so none is tried twice, and channels do
// not wait for each other.
func TestOneMachineTakesTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		words := []string{"slate", "brick", "mound", "shave", "grape", "fuzzy"}
		lists := mustLists(t, "crane hover", "slate brick mound shave grape fuzzy")
		s := newMemory()
		places := []game.Location{{Channel: "c1"}, {Channel: "c2"}, {Channel: "c3"}}
		for _, p := range places {
			mustPlay(t, newManager(s, lists), p, "ana start")
		}
		var commits atomic.Int32
		m := newManager(&hooks{Store: s, commit: func(matches.Change) error { commits.Add(1); time.Sleep(time.Second); return nil }}, lists)
		began := time.Now()
		var wg sync.WaitGroup
		for i, p := range places {
			player := []string{"ana", "ben", "cleo"}[i] // one player's games would end at once, and count one after the other
			for _, w := range words {
				wg.Go(func() {
					if _, err := parse(p, string(p.Channel)+w, player+" guess "+w).run(t.Context(), m); err != nil {
						t.Errorf("%s in %s: %v", w, p.Channel, err)
					}
				})
			}
		}
		wg.Wait()
		if n := commits.Load(); n != 18 {
			t.Errorf("%d commits of 18 guesses on one machine", n)
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

// TestGuessWithoutMode: it loads every slot that it may mean once, unless another machine changes the match meanwhile: then both
// changes count.
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
			loads := map[game.Slot]int{}
			m := newManager(&hooks{Store: s, loaded: func(slot game.Slot) {
				if loads[slot]++; slot == channel && loads[slot] == 1 && c.meanwhile != "" {
					mustPlay(t, other, place, c.meanwhile)
				}
			}}, other.lists)
			m.kind = k
			got, err := parse(place, "r", "ana miss").run(t.Context(), m)
			stored, loadErr := s.Load(t.Context(), channel)
			if !errors.Is(err, c.err) || loadErr != nil || got.Used() != c.used || !reflect.DeepEqual(got, stored) {
				t.Errorf("%s meanwhile: %v, %v; %v is stored, %v", c.name, got, err, stored, loadErr)
			}
			for slot, n := range loads {
				if slot != channel && n != 1 || slot == channel && n != c.loads {
					t.Errorf("%s meanwhile: %+v was loaded %d times", c.name, slot, n)
				}
			}
		}
	})
}
