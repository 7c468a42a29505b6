package storage_test

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/marks"
	"fivefold/game/matches"
	"fivefold/game/pokle"
	"fivefold/game/wordle"
	"fivefold/solver/poker"
	"fivefold/solver/solve"
	"fivefold/solver/weighted"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
)

// mustLoad loads from the slot of a match, which must be there as it is.
func mustLoad(t *testing.T, s *storage.Store, want game.Match) {
	t.Helper()
	if got, err := s.Load(t.Context(), want.Slot()); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("the slot has %v, %v, want %v", got, err, want)
	}
}

func TestConflicts(t *testing.T) {
	s, ctx, g := inMemory(t), t.Context(), wordGame
	location, other := game.Location{Guild: "g", Channel: "c"}, game.Location{Guild: "g", Channel: "other"}
	m := g.match("m1", location, "ana")
	mustCommit(t, s, m)
	one := g.guess(t, m, "ana", g.answers[0])
	mustCommit(t, s, one)
	daily := alone(g.match("d1", location, "ana"), 7)
	mustCommitAll(t, s, stop(daily, "ana"))
	daily.ID = "d2"
	guess := func(m game.Match, word int) game.Match { return g.guess(t, m, "ben", g.answers[word]) }
	for name, c := range map[string]matches.Change{
		"a version twice":                    {Match: guess(m, 1), Request: "r1"},
		"a version left out":                 {Match: guess(guess(one, 1), 2), Request: "r2"},
		"a request twice":                    {Match: guess(one, 1), Request: request(m)},
		"a start while a match is played":    {Match: g.match("m2", location, "ben"), Request: "r3"},
		"a match id twice":                   {Match: g.match("m1", other, "ben"), Request: "r4"},
		"a guess in a match never started":   {Match: guess(g.match("m4", other, "ben"), 0), Request: "r6"},
		"a guess in another channel's match": {Match: guess(g.match("m1", other, "ben"), 0), Request: "r7"},
		"a daily puzzle twice":               {Match: daily, Request: "r8"},
	} {
		if err := s.Commit(ctx, c); !errors.Is(err, game.ErrConflict) {
			t.Errorf("%s: %v, want a conflict", name, err)
		}
		if _, version, err := s.Repeated(ctx, c.Match.Slot(), c.Request); c.Request[0] == 'r' && (version != 0 || err != nil) {
			t.Errorf("%s: the request led to version %d, %v", name, version, err)
		}
	}
	mustLoad(t, s, one)
	if _, err := s.Load(ctx, game.ChannelSlot(g.kind, "other")); !errors.Is(err, game.ErrNoMatch) {
		t.Errorf("a conflict left a match: %v", err)
	}
	won := g.win(t, one, "ana")
	mustCommit(t, s, won)
	next := g.match("m5", location, "ben")
	mustCommit(t, s, next)
	if err := s.Commit(ctx, change(stop(won, "ana"))); !errors.Is(err, game.ErrConflict) {
		t.Errorf("changing a match that was replaced: %v", err)
	}
	for _, m := range []game.Match{g.match("m6", other, "ben"), guess(next, 0)} {
		if err := s.Commit(ctx, matches.Change{Match: m, Request: request(one), At: epoch}); !errors.Is(err, game.ErrConflict) {
			t.Errorf("a request of an ended match leads to %v: %v", m, err)
		}
	}
}

// latestAnswers returns the answers of a list.
func latestAnswers(t *testing.T, s *storage.Store, list string) []string {
	t.Helper()
	_, answers, err := s.LoadToStart(t.Context(), game.ChannelSlot(wordGame.kind, "none"), list)
	if !errors.Is(err, game.ErrNoMatch) {
		t.Fatal(err)
	}
	return answers
}

// TestPuzzles: all matches of a puzzle have the same answer, by any player and at any time.
func TestPuzzles(t *testing.T) {
	s, ctx, g := inMemory(t), t.Context(), wordGame
	start := func(id string, player game.PlayerID, daily int, answer string, hard marks.Hardness, want error) game.Match {
		t.Helper()
		m := alone(g.match(id, game.Location{Guild: "g", Channel: "c"}, player), daily)
		m.State = g.start(answer).Fresh(hard)
		c := change(m)
		c.Recent = matches.RecentList{Name: "list", Keep: 5, Latest: latestAnswers(t, s, "list")}
		if err := s.Commit(ctx, c); !errors.Is(err, want) {
			t.Errorf("starting %s: %v, want %v", id, err, want)
		}
		return m
	}
	check := func(daily int, answer string) {
		t.Helper()
		got, ok, err := s.Puzzle(ctx, g.kind, game.DailyPuzzle(daily))
		if err != nil || ok != (answer != "") || ok && !reflect.DeepEqual(got, g.start(answer)) {
			t.Errorf("puzzle %d is %v, %t, %v, want one without a guess with %q", daily, got, ok, err, answer)
		}
	}
	check(1, "")
	hard := start("m1", "ana", 1, g.answers[0], marks.Ultra, nil)
	check(1, g.answers[0])
	start("m2", "ben", 1, g.answers[1], marks.Off, game.ErrConflict) // another answer
	// Neither the end nor clearing takes the puzzle away.
	mustCommit(t, s, g.win(t, hard, "ana"))
	if err := s.Delete(ctx, finished.Deletion{Player: "ana", Request: "clear", At: epoch}); err != nil {
		t.Fatal(err)
	}
	check(1, g.answers[0])
	start("m4", "ben", 1, g.answers[1], marks.Hard, game.ErrConflict)
	start("m6", "cleo", 2, g.answers[1], marks.Off, nil)
	start("m5", "ben", 1, g.answers[0], marks.Off, nil)
	check(11, "")
	if answers := latestAnswers(t, s, "list"); !slices.Equal(answers, g.answers[:2]) {
		t.Errorf("the list has %q, want each puzzle's answer as it first came: %q", answers, g.answers[:2])
	}
}

// TestDeleteMarks: a deletion marks the player's slots that it is to mark, so that nothing is played there again.
// It marks no slot that was never used, that has a match being played, or that is another player's.
func TestDeleteMarks(t *testing.T) {
	s, ctx := inMemory(t), t.Context()
	match := func(player game.PlayerID, daily int) game.Match {
		return alone(wordGame.match(fmt.Sprint(player, daily), game.Location{Channel: "c"}, player), daily)
	}
	marked, gone, others, playing, unused := match("ana", 1), match("ana", 2), stop(match("ana1", 1), "ana1"), match("ana", 3), match("ana", 4)
	for _, m := range []game.Match{stop(marked, "ana"), stop(gone, "ana"), others, playing} {
		mustCommitAll(t, s, m)
	}
	for _, clear := range []game.RequestID{"clear", "clear", "again"} {
		c := finished.Deletion{Player: "ana", Request: clear, At: epoch, Mark: []game.Slot{marked.Slot(), others.Slot(), playing.Slot(), unused.Slot()}}
		if err := s.Delete(ctx, c); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Load(ctx, marked.Slot()); !errors.Is(err, game.ErrDeleted) || !errors.Is(err, game.ErrNoMatch) {
			t.Errorf("the marked slot has %v, %v", got, err)
		}
		next := change(marked)
		next.Match.ID, next.Request = "next", "next"
		if err := s.Commit(ctx, next); !errors.Is(err, game.ErrConflict) {
			t.Errorf("a match starts in the marked slot: %v", err)
		}
		for _, m := range []game.Match{gone, unused} {
			if got, err := s.Load(ctx, m.Slot()); !errors.Is(err, game.ErrNoMatch) || errors.Is(err, game.ErrDeleted) {
				t.Errorf("the slot of %s has %v, %v", m.ID, got, err)
			}
		}
		mustLoad(t, s, playing)
		mustLoad(t, s, others)
	}
}

// TestUnfinished: the matches that are being played are listed in the order in which they began, page by page, and none in the
// place of a lost one.
func TestUnfinished(t *testing.T) {
	memory := &orderedtest.Memory{}
	s, _ := onMap(t, memory)
	ctx, g := t.Context(), wordGame
	var want []game.Unfinished
	guess := func(m game.Match) game.Match { return g.guess(t, m, "ben", g.answers[0]) }
	for i, match := range []func(m game.Match) game.Match{
		func(m game.Match) game.Match { return m },
		guess,
		func(m game.Match) game.Match { return g.hint(guess(m), "ana") },
		func(m game.Match) game.Match { return alone(m, 0) },
		func(m game.Match) game.Match { return alone(m, 7) },
		func(m game.Match) game.Match { return stop(m, "ana") },
		func(m game.Match) game.Match { return g.win(t, m, "ben") },
	} {
		m := g.match(fmt.Sprint(i), game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint("c", i))}, "ana")
		m.Started = epoch.Add(-time.Duration(i) * time.Hour) // the later ones began first
		m = match(m)
		mustCommitAll(t, s, m)
		if m.Status() != game.Playing {
			continue
		}
		u := game.Unfinished{Match: m.ID, Slot: m.Slot(), Version: m.Version, Began: m.Started, Changed: m.Started, Guild: "g"}
		if len(m.Moves) > 0 {
			u.Changed = m.Moves[0].At
		}
		if len(m.Hints) > 0 {
			u.Changed = m.Hints[0].At
		}
		want = append(want, u)
	}
	here := game.Location{Guild: "g", Channel: "lost"}
	lost, next := later(g.match("lost", here, "ana"), -time.Minute), g.match("next", here, "ana")
	mustCommit(t, s, lost)
	if err := memory.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: "slot\x00" + lost.Slot().Key(), Value: []byte("{")}}}); err != nil {
		t.Fatal(err)
	}
	mustCommit(t, s, next)
	want = append(want, next.Unfinished())
	slices.SortFunc(want, func(a, b game.Unfinished) int { return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.Match, b.Match)) })
	for _, limit := range []int{1, 3, 100} {
		var got []game.Unfinished
		var after game.Unfinished
		for {
			page, err := s.Unfinished(ctx, after, limit)
			if err != nil || len(page) > limit {
				t.Fatalf("%d matches at once, %v", len(page), err)
			}
			if got = append(got, page...); len(page) < limit {
				break
			}
			after = page[limit-1]
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("by %d: got\n%+v\nwant\n%+v", limit, got, want)
		}
	}
}

// TestPlaying: the matches that are being played in a player's slots are found, those of a mode in whatever community; those
// of others, of other kinds, over or damaged are not.
func TestPlaying(t *testing.T) {
	memory := &orderedtest.Memory{}
	s, _ := onMap(t, memory)
	g := wordGame
	made := map[string]game.Match{}
	for id, change := range map[string]func(m game.Match) game.Match{
		"together": func(m game.Match) game.Match { return m },
		"solo":     func(m game.Match) game.Match { return alone(m, 0) },
		"daily":    func(m game.Match) game.Match { return alone(m, 7) },
		"earlier":  func(m game.Match) game.Match { return alone(m, 70) },
		"race":     func(m game.Match) game.Match { m.Mode = game.Racing; return m },
		"abroad": func(m game.Match) game.Match {
			m.Mode, m.Location.Guild = game.Racing, "h"
			return g.guess(t, m, "ana", g.answers[0])
		},
		"over":    func(m game.Match) game.Match { m.Mode, m.Location.Guild = game.Racing, "i"; return g.win(t, m, "ana") },
		"ben's":   func(m game.Match) game.Match { m.Mode, m.Starter = game.Racing, "ben"; return m },
		"past":    func(m game.Match) game.Match { m.Mode, m.Puzzle = game.Practice, game.DailyPuzzle(3); return m },
		"damaged": func(m game.Match) game.Match { m.Mode, m.Location.Guild = game.Racing, "z"; return m },
	} {
		m := change(g.match(id, game.Location{Guild: "g", Channel: "c"}, "ana"))
		mustCommitAll(t, s, m)
		made[id] = m
	}
	key := "slot\x00" + made["damaged"].Slot().Key()
	if err := memory.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{{Key: key, Value: []byte("{")}}}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Playing(t.Context(), made["daily"].Slot(), game.PuzzleSlot(g.kind, "ana", game.DailyPuzzle(8)), game.PuzzleSlot(g.kind, "ana", game.PuzzleID(game.Racing)))
	if want := []game.Match{made["daily"], made["race"], made["abroad"]}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
}

// session returns a player's session at a version, with something in every field.
func session(player game.PlayerID, version uint64) solve.Session {
	word := wordle.MustParse("crane")
	return solve.Session{
		Player: player, Version: version,
		Words: solve.WordPuzzle{
			Setup:    solve.WordSetup{Hard: marks.Hard, Strategy: "parts"},
			Turns:    []wordle.Turn{{Guess: wordle.MustParse("slate"), Feedback: wordle.Feedback(version % wordle.Feedbacks)}},
			Proposed: []weighted.Suggestion{{Word: word, Chance: 0.5, Remaining: 2, Expected: 1, Groups: 2, Worst: 1, Guesses: 1.5, Proven: true}},
			Chosen:   word,
		},
		Record: solve.Record{Lost: 3, Distribution: [wordle.Attempts]int{0, int(version), 2}},
		Boards: solve.Boards{{Setup: solve.WordSetup{Boards: 2}, Chosen: word}, {Setup: solve.WordSetup{Boards: 2}, Turns: []wordle.Turn{{Guess: word, Feedback: wordle.AllGreen}}}},
		Cards: solve.CardPuzzle{
			Setup: solve.CardSetup{Deal: pokle.Deal{
				Holes:  [pokle.Players]pokle.Hole{{40, 41}, {44, 45}, {48, 49}},
				Places: [pokle.Streets]pokle.Places{{2, 1, 3}, {1, 2, 2}, {3, 1, 2}},
			}},
			Proposed: []poker.Suggestion{{Board: pokle.Board{4, 8, 12, 16, 20}, Remaining: 7, Entropy: 1.5, Guesses: 2.25, Proven: true}},
		},
		Requests: []game.RequestID{"r1", game.RequestID(fmt.Sprint("r", version))},
	}
}

func TestSessions(t *testing.T) {
	s, ctx := inMemory(t), t.Context()
	stored := map[game.PlayerID]solve.Session{"ana": {Player: "ana"}, "an": {Player: "an"}}
	for _, c := range []struct {
		player  game.PlayerID
		version uint64
		want    error
	}{
		{"ana", 2, game.ErrConflict}, {"ana", 1, nil}, {"ana", 2, nil}, {"ana", 3, nil}, {"an", 2, game.ErrConflict}, {"an", 1, nil},
		{"ana", 1, game.ErrConflict}, {"ana", 3, game.ErrConflict}, {"ana", 5, game.ErrConflict}, {"ana", 4, nil},
	} {
		next := session(c.player, c.version)
		if err := s.CommitSession(ctx, next); !errors.Is(err, c.want) {
			t.Errorf("committing version %d of %s: %v, want %v", c.version, c.player, err, c.want)
		}
		if c.want == nil {
			stored[c.player] = next
		}
		for player, want := range stored {
			if got, err := s.Session(ctx, player); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("the session of %s is %+v, %v, want %+v", player, got, err, want)
			}
		}
	}
}

// TestBoardMessages: the latest message of a board is stored a moment later, or when the store is closed.
func TestBoardMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &orderedtest.Memory{}
		s := storage.New(m, codecs, storage.Options{})
		here, there := game.ChannelSlot("one", "c1"), game.ChannelSlot("two", "c1")
		check := func(slot game.Slot, want game.BoardMessage) {
			t.Helper()
			got, ok, err := s.BoardMessage(t.Context(), slot)
			if got != want || ok != (want.Match != "") || err != nil {
				t.Errorf("the message is %+v, %t, %v; want %+v", got, ok, err, want)
			}
		}
		save := func(slot game.Slot, messages ...game.BoardMessage) {
			t.Helper()
			for _, m := range messages {
				if err := s.SaveBoardMessage(t.Context(), slot, m); err != nil {
					t.Fatal(err)
				}
			}
		}
		one, two := game.BoardMessage{Match: "m1", Message: "101"}, game.BoardMessage{Match: "m2", Message: "102"}
		check(here, game.BoardMessage{})
		for range 2 {
			save(here, one, two)
			time.Sleep(time.Second)
			check(here, two)
			check(there, game.BoardMessage{})
		}
		save(there, one)
		mustClose(t, s)
		save(there, two) // too late
		s = storage.New(m, codecs, storage.Options{})
		check(there, one)
		mustClose(t, s)
	})
}

// aRace is a race of a channel.
func aRace(id game.MatchID, c game.ChannelID, ends time.Time) game.Race {
	return game.Race{
		ID: id, Version: 1, Kind: "one", Location: game.Location{Guild: "g", Channel: c}, Starter: "ana",
		Posted: epoch, Begins: epoch, Ends: ends, Racers: []game.Racer{{Player: "ana", Match: "m1"}}, Challenge: &game.Challenge{Clue: "a clue"},
	}
}
