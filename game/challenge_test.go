package game_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/wordle"
)

// TestChallenges: the giver of a challenge takes no part in it; it is reported once, and only somebody who may
// manage the channel decides about that. A repeated request changes nothing.
func TestChallenges(t *testing.T) {
	for _, alone := range []bool{false, true} {
		s := newMemory()
		m := newManager(s, mustLists(t, "crane brick", "slate shave"))
		m.Now = func() time.Time { return raceStart }
		o := func(player game.PlayerID, n int) game.Origin {
			return game.Origin{Request: made(time.Second, n), Location: place, Player: player}
		}
		opts := game.ChallengeOptions{Kind: wordgame.Kind, Alone: alone, State: wordle.NewState(wordle.MustParse("zonky"), false), Clue: "none"}
		match, race, err := m.Challenge(t.Context(), o("ana", 1), opts)
		again, same, err2 := m.Challenge(t.Context(), o("ana", 1), opts)
		if err != nil || err2 != nil || again.ID != match.ID || same.ID != race.ID {
			t.Fatalf("given was %v, %v, %v; again %v, %v, %v", match, race, err, again, same, err2)
		}
		target := game.Target{Kind: wordgame.Kind}
		if alone {
			target.Mode = game.Racing
			if _, err := m.ReportRace(t.Context(), o("dora", 2), wordgame.Kind, "race-1", game.Reported, false); !errors.Is(err, game.ErrEnded) {
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
			{"other", true, game.Reported, nil},
			{game.Kept, true, game.Kept, nil},
			{game.Reported, false, game.Kept, nil}, // once
			{game.Removed, true, game.Kept, nil},
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

// TestRemovedChallenge: a challenge that is removed stops at once, for everybody, and nobody loses by that.
func TestRemovedChallenge(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane brick", "slate shave"))
	m.Now = func() time.Time { return raceStart }
	ana, ben := racer{m, "ana", place}, racer{m, "ben", place}
	state := wordle.NewState(wordle.MustParse("zonky"), false)
	_, race, err := m.Challenge(t.Context(), ana.origin(made(0, 1)), game.ChallengeOptions{Kind: wordgame.Kind, Alone: true, State: state, Clue: "none"})
	if err == nil {
		_, _, err = m.JoinRace(t.Context(), ben.origin(made(0, 2)), wordgame.Kind, race.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ben.guess(t.Context(), made(0, 8), "slate"); err != nil {
		t.Fatal(err)
	}
	dan := racer{m, "dan", place}
	for n, to := range []game.Report{game.Reported, game.Removed, game.Removed} {
		if race, err = m.ReportRace(t.Context(), dan.origin(made(0, 3+n)), wordgame.Kind, race.ID, to, true); err != nil {
			t.Fatal(err)
		}
	}
	standings, err := m.Standings(t.Context(), race)
	if err != nil || race.Over.IsZero() || standings[0].Match.Status() != game.Stopped || standings[0].Match.Result().Participants[0].Outcome != "" {
		t.Errorf("left is %+v, %v", standings, err)
	}
	if _, _, err := m.JoinRace(t.Context(), game.Origin{Request: made(0, 9), Location: place, Player: "cara"}, wordgame.Kind, race.ID); !errors.Is(err, game.ErrRaceOver) {
		t.Errorf("joined: %v", err)
	}
}
