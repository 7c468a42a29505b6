package game_test

import (
	"cmp"
	"context"
	"errors"
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
	"fivefold/storage/ordered/orderedtest"
)

// engine is one that takes its time to read, before a commit begins, and after that.
type engine struct {
	*orderedtest.Memory
	fails               func() error // called first; its error takes the place of what was asked
	read, before, after time.Duration
}

func (e *engine) begin(dawdles time.Duration) error {
	time.Sleep(dawdles) // a disk does not look at contexts
	if e.fails != nil {
		return e.fails()
	}
	return nil
}

func (e *engine) Get(ctx context.Context, keys ...string) ([]ordered.Pair, error) {
	if err := e.begin(e.read); err != nil {
		return nil, err
	}
	return e.Memory.Get(context.WithoutCancel(ctx), keys...)
}

func (e *engine) Read(ctx context.Context, q ...ordered.Query) ([][]ordered.Pair, error) {
	if err := e.begin(e.read); err != nil {
		return nil, err
	}
	return e.Memory.Read(context.WithoutCancel(ctx), q...)
}

func (e *engine) Commit(ctx context.Context, c ordered.Change) error {
	if err := e.begin(e.before); err != nil {
		return err
	}
	err := e.Memory.Commit(ctx, c)
	time.Sleep(e.after)
	return cmp.Or(err, ctx.Err())
}

// newEngine returns a machine on an engine of its own.
func newEngine(t *testing.T) (machine, *engine, *memory) {
	e := &engine{Memory: &orderedtest.Memory{}}
	s := &memory{storage.New(e, toy.Codecs(), storage.Options{}), e.Memory}
	return newManager(s, mustLists(t, "crane brick", "slate shave mound fuzzy")), e, s
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

// TestExpiredRequestsChangeNothing: a request that expires while the store reads, or before it begins to commit, changes nothing.
// What is in time counts.
func TestExpiredRequestsChangeNothing(t *testing.T) {
	minute := matches.RaceOptions{Kind: wordgame.Kind, Time: time.Minute}
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
		"clear": func(m machine, o game.Origin) error { return m.past.Delete(context.Background(), o) },
		"race": func(m machine, o game.Origin) error {
			_, _, err := m.StartRace(context.Background(), o, minute)
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
				m, engine, s := newEngine(t)
				mustPlay(t, m, place, "ana start solo; ana guess crane solo; ana start daily; ana stop daily sure; ana start together; ana guess shave together")
				_, _, err := m.Challenge(t.Context(), parse(place, "given", "ben start").origin, challenge)
				if err == nil && name == "begin" {
					_, _, err = m.StartRace(t.Context(), parse(place, "waits", "ben start").origin, minute)
				}
				if err != nil {
					t.Fatal(err)
				}
				was, o := s.state(), parse(place, "last", "ana start").origin
				for _, dawdles := range []*time.Duration{&engine.read, &engine.before} {
					*dawdles = time.Second
					o.Expires = time.Now().Add(time.Second)
					if err := do(m, o); !errors.Is(err, game.ErrExpired) || !reflect.DeepEqual(s.state(), was) {
						t.Errorf("the error is %v, something has changed: %t", err, !reflect.DeepEqual(s.state(), was))
					}
					*dawdles = 0
				}
				o.Expires = time.Now().Add(time.Hour)
				if err := do(m, o); err != nil || reflect.DeepEqual(s.state(), was) {
					t.Errorf("in time: %v", err)
				}
			})
		})
	}
}

// TestExpiryWhileWaiting: of four guesses at once in a channel whose store takes a second for each, two count. The others give up
// when they expire, not when it is their turn.
func TestExpiryWhileWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, engine, _ := newEngine(t)
		mustPlay(t, m, place, "ana start")
		engine.read = time.Second
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
		if match := mustPlay(t, m, place, "ana board"); match.Used() != 2 {
			t.Errorf("%d guesses count", match.Used())
		}
	})
}

// endlessHints are rules that search for a hint until it is too late.
type endlessHints struct{ game.Rules }

func (endlessHints) Hint(ctx context.Context, _ game.Match, _ game.HintKind, _ game.Pick, _ []string) (game.HintContent, error) {
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

// TestExpiryDuringCommit: a commit that has begun in time is not cut off, since it might count all the same.
func TestExpiryDuringCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, engine, _ := newEngine(t)
		engine.after = time.Second
		o := parse(place, "r", "ana start")
		o.origin.Expires = time.Now().Add(time.Second / 2)
		if match, err := o.run(t.Context(), m); err != nil || match.Version != 1 {
			t.Errorf("it led to %v, %v", match, err)
		}
	})
}
