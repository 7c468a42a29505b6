package game_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
	"fivefold/storage/ordered"
	"fivefold/storage/schema"
)

// TestCurrent is the table of which match is meant by a player who names no mode. Requests in another channel begin with
// "elsewhere:", those in another server with "server:".
func TestCurrent(t *testing.T) {
	for _, c := range []struct {
		name   string
		played []string
		want   game.Mode
		err    error
	}{
		{"nothing was played", nil, "", game.ErrNoMatch},
		{"the channel's", []string{"ben start"}, game.Together, nil},
		{"the player's own", []string{"ana start solo"}, game.Solo, nil},
		{"the player's daily one", []string{"ana start daily"}, game.Daily, nil},
		{"another player's own", []string{"ben start solo; ben start daily"}, "", game.ErrNoMatch},
		{"the channel's and another player's", []string{"ben start solo; ben start"}, game.Together, nil},
		{"the channel's and the player's own", []string{"ben start; ana start solo"}, "", &game.AmbiguousError{Modes: []game.Mode{game.Together, game.Solo}}},
		{"the player's own and the daily one", []string{"ana start solo; ana start daily"}, "", &game.AmbiguousError{Modes: []game.Mode{game.Solo, game.Daily}}},
		{"all three", []string{"ana start; ana start solo; ana start daily"}, "", &game.AmbiguousError{Modes: []game.Mode{game.Together, game.Solo, game.Daily}}},
		{"one of three is left", []string{"ana start; ana start solo; ana start daily; ana stop solo; ana win daily"}, game.Together, nil},
		{"what is played comes before what ended", []string{"ana start solo; ben start; ben win"}, game.Solo, nil},
		{"what ended last", []string{"ana start; ana start solo; ana stop solo; ana stop"}, game.Together, nil},
		{"what ended last, alone", []string{"ana start; ana start solo; ana stop together; ana stop solo"}, game.Solo, nil},
		{"the player's own, begun elsewhere", []string{"elsewhere:ana start solo; ana start daily", "ben start"}, game.Together, nil},
		{"nothing but what was begun elsewhere", []string{"elsewhere:ana start solo"}, game.Solo, nil},
		{"the daily one, begun elsewhere", []string{"elsewhere:ana start daily", "ben start; ben stop"}, game.Daily, nil},
		{"both, begun elsewhere", []string{"elsewhere:ana start solo; ana start daily"}, "", &game.AmbiguousError{Modes: []game.Mode{game.Solo, game.Daily}}},
		{"one here and one begun elsewhere", []string{"elsewhere:ana start solo", "ana start daily"}, game.Daily, nil},
		{"what ended elsewhere", []string{"elsewhere:ana start solo; ana stop"}, game.Solo, nil},
		{"what ended here comes before what ended elsewhere", []string{"ben start; ben stop", "elsewhere:ana start solo; ana stop"}, game.Together, nil},
		{"another channel's", []string{"elsewhere:ana start"}, "", game.ErrNoMatch},
		{"what was begun in another server", []string{"server:ana start solo; ana start daily"}, "", game.ErrNoMatch},
		{"what ended here, with one that is played in another server", []string{"ana start solo; ana stop", "server:ana start daily"}, game.Solo, nil},
		{"the player's own in two servers", []string{"server:ana start solo", "ana start solo"}, game.Solo, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			forEachKind(t, func(t *testing.T, k game.Kind) {
				s := newMemory()
				m := newManager(s, mustLists(t, "crane shave slate", "brick"))
				m.kind = k
				clock := m.Now()
				m.Now = func() time.Time { clock = clock.Add(time.Second); return clock }
				for _, script := range c.played {
					if elsewhere, ok := strings.CutPrefix(script, "elsewhere:"); ok {
						mustPlay(t, m, game.Location{Guild: "g", Channel: "other"}, elsewhere)
					} else if server, ok := strings.CutPrefix(script, "server:"); ok {
						mustPlay(t, m, game.Location{Guild: "h", Channel: "third"}, server)
					} else {
						mustPlay(t, m, place, script)
					}
				}
				got, err := parse(place, "r", "ana board").run(t.Context(), m)
				if !errors.Is(err, c.err) && !reflect.DeepEqual(err, c.err) || got.Mode != c.want || err == nil && got.Kind != k {
					t.Errorf("it is %v of mode %q, %v; want mode %q, %v", got, got.Mode, err, c.want, c.err)
				}
				// Nothing of the other kind counts.
				other := matches.Target{Kind: pokergame.Kind, Mode: game.Current}
				if k == pokergame.Kind {
					other.Kind = wordgame.Kind
				}
				if _, err := m.Latest(t.Context(), game.Origin{Request: "r", Location: place, Player: "ana"}, other); !errors.Is(err, game.ErrNoMatch) {
					t.Errorf("of the other kind there is one: %v", err)
				}
			})
		})
	}
}

// TestErrors: kinds and modes that do not exist, and a move for another kind.
func TestErrors(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane", "slate"))
	mustPlay(t, m, place, "ana start")
	was := s.state()
	o := game.Origin{Request: "r", Location: place, Player: "ana"}
	start := func(k game.Kind, mode game.Mode) func() (game.Match, error) {
		return func() (game.Match, error) { return m.Start(t.Context(), o, matches.StartOptions{Kind: k, Mode: mode}) }
	}
	for _, c := range []struct {
		name string
		do   func() (game.Match, error)
		want error
	}{
		{"starting chess", start("chess", game.Together), game.ErrKind},
		{"starting no kind", start("", game.Together), game.ErrKind},
		{"starting in an unknown mode", start(wordgame.Kind, "race"), game.ErrMode},
		{"starting without a channel", func() (game.Match, error) {
			return m.Start(t.Context(), game.Origin{Request: "r", Player: "ana"}, matches.StartOptions{Kind: wordgame.Kind})
		}, game.ErrID},
		{"starting the current match", start(wordgame.Kind, game.Current), game.ErrMode},
		{"a letter in the poker game", func() (game.Match, error) {
			mustPlay(t, m, place, "ana start pokle")
			was = s.state()
			_, err := m.Hint(t.Context(), o, matches.Target{Kind: pokergame.Kind}, game.HintLetter)
			return game.Match{}, err
		}, game.ErrHint},
	} {
		if got, err := c.do(); !errors.Is(err, c.want) || !reflect.DeepEqual(got, game.Match{}) {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
	for _, target := range []struct {
		matches.Target
		want error
	}{
		{matches.Target{Kind: "chess"}, game.ErrKind},
		{matches.Target{Kind: "", Mode: game.Current}, game.ErrKind},
		{matches.Target{Kind: wordgame.Kind, Mode: "chess"}, game.ErrMode},
	} {
		for _, verb := range []string{"miss", "suggestion", "stop", "board"} {
			m := m
			m.kind = target.Kind // even an empty one
			if got, err := (op{origin: o, verb: verb, target: target.Target}).run(t.Context(), m); !errors.Is(err, target.want) || !reflect.DeepEqual(got, game.Match{}) {
				t.Errorf("%s with the target %+v: %v, %v; want %v", verb, target.Target, got, err, target.want)
			}
		}
	}
	if !reflect.DeepEqual(s.state(), was) {
		t.Error("something was committed")
	}
}

// TestTargetMatch: a target that names a match means that one and no other, whatever has become of it.
func TestTargetMatch(t *testing.T) {
	for _, mode := range []game.Mode{game.Together, game.Solo, game.Daily, game.Current} {
		t.Run(string(mode), func(t *testing.T) {
			forEachKind(t, func(t *testing.T, k game.Kind) {
				s := newMemory()
				m := newManager(s, mustLists(t, "crane shave slate", "brick"))
				m.kind = k
				today := m.Now()
				m.Now = func() time.Time { return today }
				start := "ana start " + string(mode)
				if mode == game.Current {
					start = "ana start"
				}
				first := mustPlay(t, m, place, start)
				do := func(request, verb string, match game.MatchID) (game.Match, error) {
					o := parse(place, request, "ana "+verb+" "+string(mode))
					o.target.Mode, o.target.Match = mode, match
					return o.run(t.Context(), m)
				}
				if got, err := do("r1", "miss", first.ID); err != nil || got.Used() != 1 {
					t.Fatalf("the match itself: %v, %v", got, err)
				}
				if _, err := do("r2", "win", first.ID); err != nil {
					t.Fatal(err)
				}
				if _, err := do("r3", "miss", first.ID); !errors.Is(err, game.ErrEnded) {
					t.Errorf("after its end: %v", err)
				}
				var second game.Match
				if mode == game.Daily {
					today = today.Add(24 * time.Hour)
				} else {
					second = mustPlay(t, m, place, start)
				}
				for range 2 { // for a daily puzzle, before and after the next one is started
					was := s.state()
					for _, verb := range []string{"miss", "win", "suggestion", "stop", "board"} {
						var other *game.OtherMatchError
						if _, err := do("late-"+verb, verb, first.ID); !errors.As(err, &other) || other.Match.ID != second.ID {
							t.Errorf("%s: %v, want the match %q", verb, err, second.ID)
						}
					}
					if !reflect.DeepEqual(s.state(), was) {
						t.Error("something was committed")
					}
					// What was done before is answered as it was.
					if got, err := do("r1", "miss", first.ID); mode != game.Daily && (err != nil || got.ID != first.ID || got.Version != 2) {
						t.Errorf("the first guess again: %v, %v", got, err)
					}
					if second.ID == "" {
						second = mustPlay(t, m, place, start)
					}
				}
				if got, err := do("r4", "miss", second.ID); err != nil || got.ID != second.ID || got.Used() != 1 {
					t.Errorf("the second match: %v, %v", got, err)
				}
			})
		})
	}
}

// TestCurrentUnreadable: a player whose only match cannot be read is told that, and not that there is none.
func TestCurrentUnreadable(t *testing.T) {
	for _, mode := range []game.Mode{game.Together, game.Solo, game.Daily} {
		s := newMemory()
		m := newManager(s, mustLists(t, "crane shave slate", "brick"))
		damaged := ordered.Pair{Key: schema.SlotKey(mustPlay(t, m, place, "ana start "+string(mode)).Slot()), Value: []byte("x")}
		if err := s.stored.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{damaged}}); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Latest(t.Context(), parse(place, "r", "ana board").origin, matches.Target{Kind: wordgame.Kind, Mode: game.Current}); !errors.Is(err, game.ErrUnreadable) {
			t.Errorf("%s: %v", mode, err)
		}
	}
}
