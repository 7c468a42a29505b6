package game_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"fivefold/game"
)

// digits is a game of a third kind, to show that nothing but its rules is needed:
// find a digit in three guesses.
type digits struct {
	hidden  byte
	hard    bool
	used    uint8
	guesses [3]byte
}

const digitKind game.Kind = "digits"

var errTwice = errors.New("guessed before")

func (s digits) Status() game.Status {
	switch {
	case s.used > 0 && s.guesses[s.used-1] == s.hidden:
		return game.Won
	case int(s.used) == len(s.guesses):
		return game.Lost
	}
	return game.Playing
}

func (s digits) Used() int      { return int(s.used) }
func (s digits) Left() int      { return len(s.guesses) - int(s.used) }
func (s digits) Hard() bool     { return s.hard }
func (s digits) Answer() string { return string(s.hidden) }
func (s digits) String() string { return fmt.Sprintf("%s after %d guesses", s.Status(), s.used) }

func (s digits) Rewind(used int) game.State {
	clear(s.guesses[used:])
	s.used = uint8(used)
	return s
}

func (s digits) Fresh(hard bool) game.State { return digits{hidden: s.hidden, hard: hard} }

// guessDigit makes a guess.
func guessDigit(d byte) func(game.State) (game.State, error) {
	return game.Play(func(s digits) (digits, error) {
		if slices.Contains(s.guesses[:s.used], d) {
			return s, errTwice
		}
		s.guesses[s.used] = d
		s.used++
		return s, nil
	})
}

// digitReview has the same grade for every guess.
type digitReview struct{ guesses int }

func (r digitReview) Grades() []game.Grade {
	return slices.Repeat([]game.Grade{{Skill: 60, Luck: 40, Cut: 1, Proven: true}}, r.guesses)
}
func (r digitReview) Skill() float64 { return 60 }
func (r digitReview) Luck() float64  { return 40 }

var digitRules = game.Rules{
	Kind: digitKind, Modes: []game.Mode{game.Together, game.Solo, game.Daily}, Recent: 5,
	New: func(_ context.Context, g game.NewGame) (game.State, error) {
		for {
			if d := byte('0' + g.Pick(10)); !g.Recent(string(d)) {
				return digits{hidden: d, hard: g.Hard}, nil
			}
		}
	},
	Hint: func(_ context.Context, m game.Match, _ game.HintKind, _ game.Pick) (game.HintContent, error) {
		return m.State.(digits).hidden%2 == 0, nil
	},
	Review:    func(_ context.Context, m game.Match) (game.Review, error) { return digitReview{m.Used()}, nil },
	Remaining: func(_ context.Context, s game.State, used int) (int, error) { return 10 - used, nil },
}

// TestThirdKind plays a game of a kind that package game knows nothing of, in all
// modes.
func TestThirdKind(t *testing.T) {
	s := newMemory()
	c := &clock{time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	m := &game.Manager{Store: s, Rules: []game.Rules{digitRules}, Now: c.now, FormTime: time.Minute}
	requests := 0
	by := func(p game.PlayerID) game.Origin {
		requests++
		return game.Origin{Request: game.RequestID(fmt.Sprintf("r%06d", requests)), Location: place, Player: p}
	}
	must := func(match game.Match, err error) game.Match {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return match
	}
	current := game.Target{Kind: digitKind, Mode: game.Current}
	for i, mode := range []game.Mode{game.Together, game.Solo, game.Daily} {
		number := uint64(2*i + 1) // the ones between are stopped
		match := must(m.Start(t.Context(), by("ana"), game.StartOptions{Kind: digitKind, Mode: mode, Hard: true}))
		if !match.State.Hard() || match.Mode != mode || match.Kind != digitKind {
			t.Errorf("started was %v of mode %q", match, match.Mode)
		}
		hidden := match.State.(digits).hidden
		match = must(m.Move(t.Context(), by("ana"), current, guessDigit('x')))
		if again, err := m.Move(t.Context(), by("ana"), current, guessDigit('x')); !errors.Is(err, errTwice) || !reflect.DeepEqual(again, match) {
			t.Errorf("a guess made twice: %v, %v", again, err)
		}
		match = must(m.Hint(t.Context(), by("ana"), current, game.HintSuggestion))
		if h := match.Hints[0]; h.Content != (hidden%2 == 0) || h.After != 1 {
			t.Errorf("the hint is %+v", h)
		}
		if n, err := m.Remaining(t.Context(), match, 1); n != 9 || err != nil {
			t.Errorf("%d digits remain, %v", n, err)
		}
		if d, err := m.Difficulty(t.Context(), match); d != "" || err != nil {
			t.Errorf("the difficulty is %q, %v", d, err)
		}
		won := by("ana")
		match = must(m.Move(t.Context(), won, current, guessDigit(hidden)))
		if match.Status() != game.Won || match.Winner() != "ana" || match.Used() != 2 {
			t.Errorf("the match is %v", match)
		}
		target := game.Target{Kind: digitKind, Mode: mode}
		if again := must(m.Move(t.Context(), won, target, guessDigit(hidden))); !reflect.DeepEqual(again, match) {
			t.Errorf("the last guess again led to %v", again)
		}
		if latest := must(m.Latest(t.Context(), by("ana"), target)); !reflect.DeepEqual(latest, match) {
			t.Errorf("the latest is %v", latest)
		}
		r, err := m.Review(t.Context(), place, number)
		if err != nil || !reflect.DeepEqual(r.Match, match) || r.Review != (digitReview{2}) {
			t.Errorf("reviewed is %v, %+v, %v", r.Match, r.Review, err)
		}
		if want := []game.Share{{Player: "ana", Guesses: 2, Skill: 60, Luck: 40, Cut: 2, OfCut: 1, Proven: true}}; !slices.Equal(r.Shares, want) {
			t.Errorf("the shares are %+v, want %+v", r.Shares, want)
		}
		_, err = m.Start(t.Context(), by("ana"), game.StartOptions{Kind: digitKind, Mode: mode})
		if want := map[game.Mode]error{game.Daily: game.ErrPlayed}[mode]; !errors.Is(err, want) {
			t.Errorf("another start of mode %q: %v, want %v", mode, err, want)
		}
		if mode != game.Daily {
			if match := must(m.Stop(t.Context(), by("ana"), target, false)); match.Status() != game.Stopped {
				t.Errorf("stopped was %v", match)
			}
		}
	}
	page, err := m.History(t.Context(), game.Filter{Community: place.Community(), Kind: digitKind, Limit: 10})
	if err != nil || len(page.Entries) != 5 {
		t.Errorf("the history is %+v, %v", page, err)
	}
	f, err := m.Form(t.Context(), digitKind, place.Community(), "ana")
	if want := (game.Form{Matches: 3, Guesses: 6, Skill: 60, Luck: 40}); err != nil || f != want {
		t.Errorf("the form is %+v, %v, want %+v", f, err, want)
	}
	totals, err := s.Totals(t.Context(), game.Scope{Kind: digitKind, Guild: "g"}, "ana")
	if err != nil || totals.Won != 3 || totals.Hints != 3 {
		t.Errorf("the totals are %+v, %v", totals, err)
	}
	// Of a day, everybody has the same puzzle, though in hard mode or not as they choose.
	ana := must(m.Latest(t.Context(), by("ana"), game.Target{Kind: digitKind, Mode: game.Daily}))
	ben := must(m.Start(t.Context(), by("ben"), game.StartOptions{Kind: digitKind, Mode: game.Daily}))
	if ben.State.Answer() != ana.State.Answer() || ben.State.Hard() {
		t.Errorf("another player's daily match is %v, hard %t", ben, ben.State.Hard())
	}
	if err := m.MaySee(t.Context(), "ben", ana); !errors.Is(err, game.ErrPlaying) {
		t.Errorf("may ben see it: %v", err)
	}
}
