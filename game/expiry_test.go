package game_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/bot/kinds/toy"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/storage"
	"fivefold/storage/ordered"
)

// slowLoads is a store whose loads take a while.
type slowLoads struct {
	Store
	takes time.Duration
}

func (s *slowLoads) Load(ctx context.Context, t game.Slot) (game.Match, error) {
	time.Sleep(s.takes) // a disk does not look at contexts
	return s.Store.Load(context.WithoutCancel(ctx), t)
}

func (s *slowLoads) LoadToStart(ctx context.Context, t game.Slot, list string) (game.Match, []string, error) {
	time.Sleep(s.takes)
	return s.Store.LoadToStart(context.WithoutCancel(ctx), t, list)
}

// TestExpiredRequestsChangeNothing: requests that expire before they begin, while they
// wait for their turn, and between loading and committing. What is in time counts.
func TestExpiredRequestsChangeNothing(t *testing.T) {
	for _, test := range []struct {
		name, before, last string
		load               time.Duration
	}{
		{"start", "", "ana start", 100 * time.Millisecond},
		{"guess", "ana start", "ben guess slate together", 100 * time.Millisecond},
		{"stop", "ana start", "ana stop together", 100 * time.Millisecond},
		{"hint", "ana start; ana guess slate", "ana letter together", 100 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newMemory()
				slow := &slowLoads{Store: s}
				m := newManager(slow, mustLists(t, "crane brick", "slate shave"))
				if test.before != "" {
					mustPlay(t, m, place, test.before)
				}
				slow.takes = 100 * time.Millisecond
				was := s.state()
				run := func(request string, life time.Duration) error {
					o := parse(place, request, test.last)
					o.origin.Expires = time.Now().Add(life)
					_, err := o.run(t.Context(), m)
					return err
				}
				for name, life := range map[string]time.Duration{"before": 0, "on the way": test.load / 2, "at the end": test.load} {
					if err := run("last", life); !errors.Is(err, game.ErrExpired) {
						t.Errorf("%s: %v", name, err)
					}
				}
				if !reflect.DeepEqual(s.state(), was) {
					t.Error("an expired request changed something")
				}
				if err := run("last", test.load+time.Millisecond); err != nil {
					t.Errorf("in time: %v", err)
				}
			})
		})
	}
}

// TestExpiryWhileWaiting has many people guess at once in a channel whose store is slow.
// The first ones count; the others give up when they expire, not when it is their turn.
func TestExpiryWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newMemory()
		slow := &slowLoads{Store: s}
		m := newManager(slow, mustLists(t, "crane brick", "slate shave mound fuzzy grape"))
		mustPlay(t, m, place, "ana start")
		slow.takes = time.Second
		began := time.Now()
		var all sync.WaitGroup
		for i, word := range []string{"slate", "shave", "mound", "fuzzy"} {
			time.Sleep(time.Millisecond)
			all.Go(func() {
				o := parse(place, word, "ben guess "+word+" together")
				o.origin.Expires = began.Add(2500 * time.Millisecond)
				_, err := o.run(t.Context(), m)
				if i < 2 && err != nil || i >= 2 && !errors.Is(err, game.ErrExpired) {
					t.Errorf("%s: %v", word, err)
				}
				if took := time.Since(began); i == 3 && took != 2500*time.Millisecond {
					t.Errorf("%s gave up after %v", word, took)
				}
			})
		}
		all.Wait()
		slow.takes = 0
		if match := mustPlay(t, m, place, "ana board"); match.Used() != 2 {
			t.Errorf("%d guesses count", match.Used())
		}
	})
}

// endlessHints are rules that search for a hint until it is too late.
type endlessHints struct{ game.Rules }

func (endlessHints) Hint(ctx context.Context, _ game.Match, _ game.HintKind, _ game.Pick) (game.HintContent, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestExpiryDuringSearch: a search for a hint ends when the request expires.
func TestExpiryDuringSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newManager(newMemory(), mustLists(t, "crane brick", "slate"))
		mustPlay(t, m, place, "ana start")
		m.Rules[0] = endlessHints{m.Rules[0]}
		began := time.Now()
		o := parse(place, "last", "ana suggestion")
		o.origin.Expires = began.Add(time.Second)
		if _, err := o.run(t.Context(), m); !errors.Is(err, game.ErrExpired) || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

// slowCommits is an engine that takes a while before it begins to commit, and another while before it has.
type slowCommits struct {
	*ordered.Memory
	before, after time.Duration
}

func (s *slowCommits) Commit(ctx context.Context, c ordered.Change) error {
	time.Sleep(s.before)
	err := s.Memory.Commit(ctx, c)
	time.Sleep(s.after)
	return cmp.Or(err, ctx.Err())
}

// TestExpiryBeforeCommit: a request that expires while its commit waits in the store changes nothing, whatever it asks for.
func TestExpiryBeforeCommit(t *testing.T) {
	for name, do := range map[string]func(m machine, o game.Origin) error{
		"start":  func(m machine, o game.Origin) error { return m.then(o, "ana start pokle") },
		"guess":  func(m machine, o game.Origin) error { return m.then(o, "ana guess slate together") },
		"stop":   func(m machine, o game.Origin) error { return m.then(o, "ana stop together") },
		"letter": func(m machine, o game.Origin) error { return m.then(o, "ana letter together") },
		"share": func(m machine, o game.Origin) error {
			_, err := m.past.Share(context.Background(), o, finished.Past{Number: 1})
			return err
		},
		"share a daily puzzle": func(m machine, o game.Origin) error {
			o.Location.Guild = "elsewhere"
			_, err := m.past.ShareDaily(context.Background(), o, wordgame.Kind, m.Today())
			return err
		},
		"clear": func(m machine, o game.Origin) error { return m.past.Clear(context.Background(), o) },
		"race": func(m machine, o game.Origin) error {
			_, _, err := m.StartRace(context.Background(), o, matches.RaceOptions{Kind: wordgame.Kind, Time: time.Minute})
			return err
		},
		"challenge": func(m machine, o game.Origin) error {
			_, _, err := m.Challenge(context.Background(), o, challenge)
			return err
		},
		"begin": func(m machine, o game.Origin) error {
			o.Player = "ben"
			_, _, err := m.BeginRace(context.Background(), o, wordgame.Kind, "race-waits")
			return err
		},
		"end": func(m machine, o game.Origin) error {
			_, err := m.EndRace(context.Background(), o, wordgame.Kind, "race-given", true)
			return err
		},
		"report": func(m machine, o game.Origin) error {
			_, err := m.ReportRace(context.Background(), o, wordgame.Kind, "race-given", game.Reported, false)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				slow := &slowCommits{Memory: &ordered.Memory{}}
				m := newManager(storage.New(slow, toy.Codecs(), storage.Options{}), mustLists(t, "crane brick", "slate shave"))
				mustPlay(t, m, place, "ana start solo; ana guess crane solo; ana start daily; ana stop daily sure; ana start together; ana guess shave together")
				_, _, err := m.Challenge(t.Context(), parse(place, "given", "ben start").origin, challenge)
				if err == nil && name == "begin" {
					_, _, err = m.StartRace(t.Context(), parse(place, "waits", "ben start").origin, matches.RaceOptions{Kind: wordgame.Kind, Time: time.Minute})
				}
				if err != nil {
					t.Fatal(err)
				}
				slow.before = time.Second
				state := func() []ordered.Pair { return (&memory{stored: slow.Memory}).state() }
				was, o := state(), parse(place, "last", "ana start").origin
				o.Expires = time.Now().Add(time.Second)
				if err := do(m, o); !errors.Is(err, game.ErrExpired) || !reflect.DeepEqual(state(), was) {
					t.Errorf("the error is %v, something has changed: %t", err, !reflect.DeepEqual(state(), was))
				}
				o.Expires = time.Now().Add(time.Hour)
				if err := do(m, o); err != nil || reflect.DeepEqual(state(), was) {
					t.Errorf("in time: %v", err)
				}
			})
		})
	}
}

// challenge is one that each player solves alone.
var challenge = matches.ChallengeOptions{Kind: wordgame.Kind, Alone: true, Puzzle: "crane", Clue: "a bird"}

// then carries out a line with an origin of its own.
func (m machine) then(o game.Origin, text string) error {
	op := parse(o.Location, "", text)
	op.origin = o
	_, err := op.run(context.Background(), m)
	return err
}

// TestExpiryDuringCommit: a commit that has begun in time is not cut off, since it might count all the same.
func TestExpiryDuringCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := &slowCommits{Memory: &ordered.Memory{}, after: time.Second}
		m := newManager(storage.New(slow, toy.Codecs(), storage.Options{}), mustLists(t, "crane brick", "slate"))
		o := parse(place, "r", "ana start")
		o.origin.Expires = time.Now().Add(time.Second / 2)
		if match, err := o.run(t.Context(), m); err != nil || match.Version != 1 {
			t.Errorf("it led to %v, %v", match, err)
		}
	})
}

// slowRaces is a store that takes a second to look for races.
type slowRaces struct{ Store }

func (s slowRaces) Race(ctx context.Context, k game.Kind, c game.ChannelID, id game.MatchID) (game.Race, error) {
	time.Sleep(time.Second)
	return s.Store.Race(ctx, k, c, id)
}

func (s slowRaces) Races(ctx context.Context, k game.Kind, c game.ChannelID) ([]game.Race, error) {
	time.Sleep(time.Second)
	return s.Store.Races(ctx, k, c)
}

// TestExpiredRace: a request that expires before its race is read starts none, and reports none.
func TestExpiredRace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newMemory()
		m := newManager(slowRaces{s}, mustLists(t, "crane brick", "slate"))
		_, given, err := m.Challenge(t.Context(), parse(place, "given", "ben start").origin, challenge)
		if err != nil {
			t.Fatal(err)
		}
		for what, do := range map[string]func(o game.Origin) error{
			"start": func(o game.Origin) error {
				_, _, err := m.StartRace(t.Context(), o, matches.RaceOptions{Kind: wordgame.Kind, Time: time.Minute})
				return err
			},
			"report": func(o game.Origin) error {
				_, err := m.ReportRace(t.Context(), o, wordgame.Kind, given.ID, game.Reported, false)
				return err
			},
		} {
			was := s.state()
			for _, life := range []time.Duration{0, time.Second, time.Second + 1} {
				o := parse(place, fmt.Sprint(what, life), "ana start").origin
				o.Expires = time.Now().Add(life)
				err := do(o)
				if late := life <= time.Second; late != errors.Is(err, game.ErrExpired) || late != reflect.DeepEqual(s.state(), was) || !late && err != nil {
					t.Errorf("a %s that expires after %v: %v", what, life, err)
				}
			}
		}
	})
}
