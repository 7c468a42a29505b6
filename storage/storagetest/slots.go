package storagetest

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"testing"

	"fivefold/game"
)

// testSlots plays in every sort of slot at once: none sees another's match.
func testSlots(t *testing.T, games []Game, open opener) {
	s, ctx := open(t), t.Context()
	location := game.Location{Guild: "g", Channel: "c"}
	type inSlot struct {
		Game
		game.Match
	}
	var all []inSlot
	for _, g := range games {
		match := func(name string, l game.Location, starter game.PlayerID) game.Match {
			return g.Match(string(g.Kind())+" "+name, l, starter, g.hidden())
		}
		for _, m := range []game.Match{
			match("together", location, "ana"),
			match("other channel", game.Location{Guild: "g", Channel: "c2"}, "ana"),
			Personal(match("ana's", location, "ana"), 0),
			Personal(match("an's", location, "an"), 0), // ana's name begins with this one
			Personal(match("ben's", game.Location{Channel: "dm"}, "ben"), 0),
			Personal(match("day 1", location, "ana"), 1),
			Personal(match("day 11", location, "ana"), 11),
			Personal(match("ben's day 1", location, "ben"), 1),
			past(match("past day 1", location, "ana"), 1),
			past(match("past day 11 elsewhere", game.Location{Guild: "h", Channel: "c"}, "ana"), 11),
		} {
			all = append(all, inSlot{g, m})
		}
	}
	for _, p := range all {
		if _, err := s.Load(ctx, p.Slot()); !errors.Is(err, game.ErrNoMatch) {
			t.Errorf("before %s its slot has a match: %v", p.ID, err)
		}
		MustCommit(t, s, p.Match)
	}
	for i, p := range all {
		second := p.Match
		second.ID += " again"
		c := Change(second)
		c.Request = "another"
		if err := s.Commit(ctx, c); !errors.Is(err, game.ErrConflict) {
			t.Errorf("a second match in the slot of %s: %v", p.ID, err)
		}
		all[i].Match = p.Guess(t, p.Match, p.Starter, p.wrong(0))
		MustCommit(t, s, all[i].Match)
	}
	closeStore(t, s)
	s = open(t)
	defer closeStore(t, s)
	for _, p := range all {
		mustLoad(t, s, p.Match)
		if p.Puzzle != "" { // each kind has one of its own
			if got, ok, err := s.Puzzle(ctx, p.Game.Kind(), p.Puzzle); !ok || err != nil || !reflect.DeepEqual(got, p.New(p.hidden())) {
				t.Errorf("the puzzle of %s is %v, %t, %v", p.ID, got, ok, err)
			}
		}
		repeated, version, err := s.Repeated(ctx, p.Slot(), request(p.Match))
		if err != nil || version != p.Version || !reflect.DeepEqual(repeated, p.Match) {
			t.Errorf("the last request of %s led to %v at %d, %v", p.ID, repeated, version, err)
		}
	}
	for _, p := range all { // a slot is free after its match, but not that of a puzzle
		MustCommit(t, s, stop(p.Match, p.Starter))
		next := p.Rewind(1)
		next.ID += " next"
		err := s.Commit(ctx, Change(next))
		if once := p.Mode == game.Daily; !once && err != nil || once && !errors.Is(err, game.ErrConflict) {
			t.Errorf("a match after %s: %v", p.ID, err)
		}
	}
}

// testPuzzles: all matches of a puzzle have the same answer, by any player and at any
// time.
func testPuzzles(t *testing.T, g Game, open opener) {
	s, ctx := open(t), t.Context()
	start := func(id string, player game.PlayerID, daily int, answer string, hard bool, want error) game.Match {
		t.Helper()
		m := Personal(g.Match(id, game.Location{Guild: "g", Channel: "c"}, player, answer), daily)
		m.State = m.State.Fresh(hard)
		c := Change(m)
		c.Recent = game.RecentList{Name: "list", Keep: 5}
		if err := s.Commit(ctx, c); !errors.Is(err, want) {
			t.Errorf("starting %s: %v, want %v", id, err, want)
		}
		return m
	}
	check := func(daily int, answer string) {
		t.Helper()
		got, ok, err := s.Puzzle(ctx, g.Kind(), game.DailyPuzzle(daily))
		switch {
		case err != nil, ok != (answer != ""):
			t.Errorf("puzzle %d: %t, %v, want one with %q", daily, ok, err, answer)
		case ok && !reflect.DeepEqual(got, g.New(answer)):
			t.Errorf("puzzle %d is %v with %q, want a game without a guess with %q", daily, got, got.Answer(), answer)
		}
	}
	check(1, "")
	hard := start("m1", "ana", 1, g.Answers[0], true, nil)
	check(1, g.Answers[0])
	start("m2", "ben", 1, g.Answers[1], false, game.ErrConflict) // another answer
	start("m3", "ben", 2, g.Answers[0], false, game.ErrConflict) // an answer of the list
	check(2, "")
	// Neither a guess, nor the end, nor clearing takes the puzzle away.
	won := g.Guess(t, hard, "ana", g.Answers[0])
	MustCommit(t, s, won)
	mustClear(t, s, "ana", "clear")
	closeStore(t, s)
	s = open(t)
	defer closeStore(t, s)
	check(1, g.Answers[0])
	start("m4", "ben", 1, g.Answers[1], true, game.ErrConflict)
	start("m5", "ben", 1, g.Answers[0], false, nil) // though the list has it
	start("m6", "cleo", 2, g.Answers[1], false, nil)
	check(11, "")
	if answers, err := s.RecentAnswers(ctx, "list"); err != nil || !slices.Equal(answers, g.Answers[:2]) {
		t.Errorf("the list has %q, %v, want each puzzle's answer once: %q", answers, err, g.Answers[:2])
	}
}

// testClearSlots clears a history: the player's own slots, of every game, are as if
// nothing had been played there, except for a match that is still being played, and for marks.
func testClearSlots(t *testing.T, games []Game, open opener) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	var gone, kept, playing, marked []game.Match
	for _, g := range games {
		match := func(name string, player game.PlayerID) game.Match {
			return g.Match(string(g.Kind())+name, game.Location{Guild: "g", Channel: "c"}, player, g.hidden())
		}
		gone = append(gone, Personal(match("1", "ana"), 0), Personal(match("2", "ana"), 4))
		kept = append(kept,
			Personal(match("3", "ana1"), 0), Personal(match("4", "ana1"), 4), Personal(match("5", "an"), 4), match("6", "ana"))
		playing = append(playing, Personal(match("7", "ana"), 5))
		marked = append(marked, Personal(match("8", "ana"), 6))
	}
	for _, m := range slices.Concat(gone, kept, marked) {
		mustCommitAll(t, s, stop(m, m.Starter))
	}
	for _, m := range playing {
		MustCommit(t, s, m)
	}
	for i, clear := range []game.RequestID{"clear", "clear", "again"} {
		c := game.ClearRequest{Player: "ana", Request: clear, At: Epoch}
		for _, m := range slices.Concat(marked, playing, kept[:1]) { // the last is another player's
			unused := m.Slot()
			unused.Puzzle = game.DailyPuzzle(7)
			c.Mark = append(c.Mark, m.Slot(), unused)
		}
		if err := s.Clear(ctx, c); err != nil {
			t.Fatal(err)
		}
		for _, m := range marked {
			if got, err := s.Load(ctx, m.Slot()); !errors.Is(err, game.ErrCleared) || !errors.Is(err, game.ErrNoMatch) {
				t.Errorf("after clearing %d, the marked slot of %s has %v, %v", i, m.ID, got, err)
			}
			m.ID += "again"
			if err := s.Commit(ctx, Change(m)); !errors.Is(err, game.ErrConflict) {
				t.Errorf("after clearing %d, a match starts in the marked slot of %s: %v", i, m.ID, err)
			}
		}
	}
	for _, m := range playing {
		mustLoad(t, s, m)
		unused := m.Slot()
		unused.Puzzle = game.DailyPuzzle(7)
		if got, err := s.Load(ctx, unused); errors.Is(err, game.ErrCleared) {
			t.Errorf("a slot that was never used is marked: %v, %v", got, err)
		}
	}
	for _, m := range gone {
		if got, err := s.Load(ctx, m.Slot()); !errors.Is(err, game.ErrNoMatch) {
			t.Errorf("the slot of %s has %v, %v", m.ID, got, err)
		}
	}
	for _, m := range kept {
		if got, err := s.Load(ctx, m.Slot()); err != nil || got.ID != m.ID {
			t.Errorf("the slot of %s has %v, %v", m.ID, got, err)
		}
	}
}

// testSecret: every store has one of its own, which stays.
func testSecret(t *testing.T, games []Game, open opener) {
	secret := func(t *testing.T) []byte {
		s := open(t)
		defer closeStore(t, s)
		got, err := s.Secret(t.Context())
		if err != nil || len(got) != 32 {
			t.Fatalf("the secret is %x, %v, want 32 bytes", got, err)
		}
		return got
	}
	first := secret(t)
	if again := secret(t); !bytes.Equal(again, first) {
		t.Errorf("the secret was %x and is %x", first, again)
	}
	t.Run("another store", func(t *testing.T) {
		if other := secret(t); bytes.Equal(other, first) {
			t.Errorf("two stores have the same secret %x", first)
		}
	})
}
