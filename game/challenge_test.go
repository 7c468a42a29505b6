package game_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
)

// TestChallenges: the giver of a challenge takes no part in it; it is reported once, and only somebody who may manage the channel
// decides about that. A repeated request changes nothing.
func TestChallenges(t *testing.T) {
	for _, alone := range []bool{false, true} {
		s := newMemory()
		m := newManager(s, mustLists(t, "crane brick", "slate shave"))
		m.Now = func() time.Time { return raceStart }
		o := func(player game.PlayerID, n int) game.Origin {
			return game.Origin{Request: made(time.Second, n), Location: place, Player: player, Made: raceStart.Add(time.Second)}
		}
		opts := matches.ChallengeOptions{Kind: wordgame.Kind, Alone: alone, Puzzle: "zonky", Clue: "none"}
		match, race, err := m.Challenge(t.Context(), o("ana", 1), opts)
		again, same, err2 := m.Challenge(t.Context(), o("ana", 1), opts)
		if err != nil || err2 != nil || again.ID != match.ID || same.ID != race.ID {
			t.Fatalf("given was %v, %v, %v; again %v, %v, %v", match, race, err, again, same, err2)
		}
		target := matches.Target{Kind: wordgame.Kind}
		if alone {
			target.Mode = game.Challenged
			if _, err := m.ReportRace(t.Context(), o("dora", 2), wordgame.Kind, "race-1", game.Reported, false); !errors.Is(err, game.ErrRaceOver) {
				t.Errorf("a challenge that is gone was reported: %v", err)
			}
			if _, _, err := m.JoinRace(t.Context(), o("ana", 2), wordgame.Kind, race.ID); !errors.Is(err, game.ErrGiver) {
				t.Errorf("the giver joined: %v", err)
			}
			if _, joined, err := m.JoinRace(t.Context(), o("ben", 3), wordgame.Kind, race.ID); err != nil || joined.State.Answer() != "ZONKY" {
				t.Fatalf("joined: %v, %v", joined, err)
			}
			if other, _ := (racer{m, "cara", place}).start(t, made(time.Second, 4)); other.ID == race.ID {
				t.Error("a race joined the challenge")
			}
		} else {
			if _, err := m.Move(t.Context(), o("ana", 2), target, "slate"); !errors.Is(err, game.ErrGiver) {
				t.Errorf("the giver guessed: %v", err)
			}
			if _, err := m.Hint(t.Context(), o("ana", 3), target, game.HintLetter); !errors.Is(err, game.ErrGiver) {
				t.Errorf("the giver took a hint: %v", err)
			}
		}
		if _, err := m.Move(t.Context(), o("ben", 5), target, "slate"); err != nil {
			t.Fatal(err)
		}
		report := func(n int, to game.Report, mayManage bool) (game.Report, error) {
			if alone {
				r, err := m.ReportRace(t.Context(), o("dora", n), wordgame.Kind, race.ID, to, mayManage)
				return r.Challenge.Report, err
			}
			match, err := m.ReportMatch(t.Context(), o("dora", n), target, to, mayManage)
			return match.Challenge.Report, err
		}
		for n, step := range []struct {
			to        game.Report
			mayManage bool
			want      game.Report
			err       error
		}{
			{game.Kept, true, game.NotReported, nil}, // there is nothing to decide
			{game.Reported, false, game.Reported, nil},
			{game.Reported, true, game.Reported, nil},
			{game.Removed, false, game.Reported, game.ErrNotAllowed},
			{game.Kept, false, game.Reported, game.ErrNotAllowed},
			{"other", true, game.Reported, nil},
			{game.Kept, true, game.Kept, nil},
			{game.Reported, false, game.Kept, nil}, // once
			{game.Removed, true, game.Removed, nil},
		} {
			if got, err := report(10+n, step.to, step.mayManage); got != step.want || !errors.Is(err, step.err) {
				t.Errorf("alone %t, step %d: %q, %v; want %q, %v", alone, n, got, err, step.want, step.err)
			}
			was := s.state()
			if _, _ = report(10+n, step.to, step.mayManage); !reflect.DeepEqual(s.state(), was) {
				t.Errorf("alone %t, step %d: the same request changed something", alone, n)
			}
		}
		opts.Kind = pokergame.Kind
		if _, _, err := m.Challenge(t.Context(), o("ana", 30), opts); !errors.Is(err, game.ErrMode) {
			t.Errorf("a challenge of another kind: %v", err)
		}
	}
}

// before is a store that has read its race before anything happened to it.
type before struct {
	*memory
	race *game.Race
}

func (s before) Race(ctx context.Context, k game.Kind, c game.ChannelID, id game.MatchID) (game.Race, error) {
	if s.race.ID == id {
		return *s.race, nil
	}
	return s.memory.Race(ctx, k, c, id)
}

// TestRemovedWhilePlayed: a challenge is removed while its racers guess and join, or the removal or a join is cut off. Soon
// nobody plays in it any more, and a player whose join was cut off can play in the next one.
func TestRemovedWhilePlayed(t *testing.T) {
	errCut := fmt.Errorf("cut off: %w", game.ErrNotSaved)
	for name, test := range map[string]struct {
		removing func(s *hooks, ben racer)                 // what happens while it is removed
		joining  func(s *hooks, cara racer, remove func()) // and while cara joins
		cut      bool                                      // the removal fails
		joins    error                                     // cara's error
	}{
		"ben guesses each time": {removing: func(s *hooks, ben racer) {
			words := []string{"shave", "crane", "brick", "slate"}
			s.commit = func(c matches.Change) error {
				if c.Match.Stop == nil || c.Match.Starter != "ben" || len(words) == 0 {
					return nil
				}
				word := words[0]
				words = words[1:]
				_, err := ben.guess(t.Context(), made(time.Second, 20+len(words)), word)
				return err
			}
		}},
		"cut off": {cut: true, removing: func(s *hooks, ben racer) {
			s.commit = func(c matches.Change) error {
				if c.Match.Stop != nil {
					return errCut
				}
				return nil
			}
		}},
		"cara joins, and guesses": {joins: game.ErrRaceOver, joining: func(s *hooks, cara racer, remove func()) {
			s.commitRace = func(game.Race) error {
				s.commitRace = nil
				remove()
				_, err := cara.guess(t.Context(), made(time.Second, 30), "shave")
				return err
			}
		}},
		"cara's join is cut off": {joins: errCut, joining: func(s *hooks, cara racer, remove func()) {
			s.commitRace = func(game.Race) error {
				s.commitRace = nil
				remove()
				return errCut
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			stored, read := newMemory(), new(game.Race)
			s := &hooks{Store: stored}
			lists := mustLists(t, "crane brick", "slate shave")
			m, other := newManager(s, lists), newManager(before{stored, read}, lists)
			clock := raceStart
			m.Now = func() time.Time { return clock }
			other.Now = m.Now
			ana, ben, cara, dan := racer{m, "ana", place}, racer{other, "ben", place}, racer{other, "cara", place}, racer{newManager(s, lists), "dan", place}
			dan.Now = m.Now
			given := matches.ChallengeOptions{Kind: wordgame.Kind, Alone: true, Puzzle: "zonky", Clue: "none"}
			_, race, err := m.Challenge(t.Context(), ana.origin(made(0, 1)), given)
			if err == nil {
				_, _, err = other.JoinRace(t.Context(), ben.origin(made(0, 2)), wordgame.Kind, race.ID)
			}
			if err == nil {
				*read, err = stored.Race(t.Context(), wordgame.Kind, place.Channel, race.ID)
			}
			if err != nil {
				t.Fatal(err)
			}
			remove := func() {
				t.Helper()
				if test.removing != nil {
					test.removing(s, ben)
				}
				_, err := dan.ReportRace(t.Context(), dan.origin(made(0, 5)), wordgame.Kind, race.ID, game.Removed, true)
				if cut := errors.Is(err, game.ErrNotSaved); cut != test.cut || err != nil && !cut {
					t.Errorf("removing it: %v", err)
				}
				s.commit, s.commitRace = nil, nil
			}
			playing := []racer{ben}
			if test.joining == nil {
				remove()
			} else {
				test.joining(s, cara, remove)
				if _, _, err := m.JoinRace(t.Context(), cara.origin(made(0, 6)), wordgame.Kind, race.ID); !errors.Is(err, test.joins) {
					t.Errorf("cara joined: %v, want %v", err, test.joins)
				}
				playing = append(playing, cara)
			}
			if test.joins == errCut {
				playing = playing[:1]
				late := racer{m, "cara", place}
				if _, err := late.guess(t.Context(), made(time.Second, 40), "shave"); !errors.Is(err, game.ErrRaceOver) {
					t.Errorf("cara guessed: %v", err)
				}
				_, next, err := m.Challenge(t.Context(), ana.origin(made(time.Second, 41)), given)
				if err == nil {
					_, _, err = m.JoinRace(t.Context(), late.origin(made(time.Second, 42)), wordgame.Kind, next.ID)
				}
				if err != nil {
					t.Errorf("cara's next challenge: %v", err)
				}
			}
			clock = clock.Add(10 * time.Second)
			if err := m.MeetDeadlines(t.Context()); err != nil {
				t.Error(err)
			}
			for _, r := range playing {
				match, err := other.Latest(t.Context(), r.origin(made(time.Second, 50)), matches.Target{Kind: wordgame.Kind, Mode: game.Challenged})
				if err != nil || match.Status() != game.Stopped {
					t.Errorf("%s has %v, %v: %v", r.player, match, err, match.Status())
				}
			}
			if race, err = stored.Race(t.Context(), race.Kind, place.Channel, race.ID); err != nil || race.Over.IsZero() || race.Challenge.Report != game.Removed {
				t.Errorf("the race is %+v, %v", race, err)
			}
		})
	}
}
