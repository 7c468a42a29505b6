package storagetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/pokle"
)

// mustBoard reads a board of the suite.
func mustBoard(text string) pokle.Board {
	b, err := pokle.ParseBoard(text)
	if err != nil {
		panic(err)
	}
	return b
}

// deal is the one of the suite's matches, and hiddenBoard what is hidden in them.
var (
	hiddenBoard = mustBoard("2C 9C 10C KC 2D")
	deal        = pokle.NewDeal([pokle.Players]pokle.Hole{mustHole("QD QC"), mustHole("10H 2H"), mustHole("9H KH")}, hiddenBoard)
	// boardGuesses are the guesses of the suite: the last one wins.
	boardGuesses = []pokle.Board{
		mustBoard("3C 4C 5C 6C 7C"), mustBoard("3D 4D 5D 6D 7D"), mustBoard("3S 4S 5S 6S 7S"),
		mustBoard("AC AD AS JC JD"), mustBoard("8C 8D 8S 2C 3C"), mustBoard("9C 9D 9S KC KD"), hiddenBoard,
	}
)

func mustHole(text string) pokle.Hole {
	h, err := pokle.ParseHole(text)
	if err != nil {
		panic(err)
	}
	return h
}

// PokleMatch returns a new match of the poker game, version 1, as
// Manager.StartPokle commits it. Day is not 0 for the daily puzzle.
func PokleMatch(id string, place game.Location, starter game.PlayerID, mode game.Mode, day int) game.Match {
	return game.Match{
		ID: game.MatchID(id), Location: place, Version: 1, Starter: starter, Started: Epoch,
		Mode: mode, Day: day, Pokle: pokle.NewState(deal, hiddenBoard),
	}
}

// guessBoard returns the match after one more guess, of those in boardGuesses.
func guessBoard(tb testing.TB, m game.Match, player game.PlayerID, n int) game.Match {
	tb.Helper()
	state, err := m.Pokle.Guess(boardGuesses[n])
	if err != nil {
		tb.Fatalf("board %d: %v", n, err)
	}
	m.Version++
	m.Pokle = state
	m.Moves = append(slices.Clip(m.Moves), game.Move{Player: player, At: Epoch.Add(time.Second), Version: m.Version})
	return m
}

// testTables plays at every kind of table at once: none sees another's match.
func testTables(t *testing.T, open func(*testing.T) game.Store) {
	s, ctx := open(t), t.Context()
	place := game.Location{Guild: "g", Channel: "c"}
	matches := []game.Match{
		Match("word", place, "ana", hidden),
		PokleMatch("together", place, "ana", game.Together, 0),
		PokleMatch("ana's", place, "ana", game.Solo, 0),
		PokleMatch("an's", place, "an", game.Solo, 0), // whose name begins ana's
		PokleMatch("ben's", game.Location{Channel: "dm"}, "ben", game.Solo, 0),
		PokleMatch("day 1", place, "ana", game.Daily, 1),
		PokleMatch("day 11", place, "ana", game.Daily, 11),
		PokleMatch("ben's day 1", place, "ben", game.Daily, 1),
		PokleMatch("other channel", game.Location{Guild: "g", Channel: "c2"}, "ana", game.Together, 0),
	}
	for _, m := range matches {
		if _, err := s.Load(ctx, m.Table()); !errors.Is(err, game.ErrNoMatch) {
			t.Errorf("before %s its table has a match: %v", m.ID, err)
		}
		MustCommit(t, s, m)
	}
	for i, m := range matches {
		second := m
		second.ID += " again"
		c := change(second)
		c.Request = "another"
		if err := s.Commit(ctx, c); !errors.Is(err, game.ErrConflict) {
			t.Errorf("a second match beside %s: %v", m.ID, err)
		}
		if m.Kind() == game.Pokle {
			m = guessBoard(t, m, m.Starter, 0)
			MustCommit(t, s, m)
			matches[i] = m
		}
	}
	closeStore(t, s)
	s = open(t)
	defer closeStore(t, s)
	for _, m := range matches {
		got, err := s.Load(ctx, m.Table())
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("the table of %s has %v, %v", m.ID, got, err)
		}
		repeated, version, err := s.Repeated(ctx, m.Table(), request(m))
		if err != nil || version != m.Version || !reflect.DeepEqual(repeated, m) {
			t.Errorf("the last request of %s led to %v at %d, %v", m.ID, repeated, version, err)
		}
	}
	for _, m := range matches[1:] { // a table is free after its match, but not that of a day
		MustCommit(t, s, stop(m, m.Starter))
		next := PokleMatch(string(m.ID)+" next", m.Location, m.Starter, m.Mode, m.Day)
		err := s.Commit(ctx, change(next))
		if m.Day == 0 && err != nil || m.Day != 0 && !errors.Is(err, game.ErrConflict) {
			t.Errorf("a match after %s: %v", m.ID, err)
		}
	}
	if words, err := s.RecentAnswers(ctx, place.Community()); err != nil || len(words) != 1 {
		t.Errorf("matches of the poker game draw words: %v, %v", words, err)
	}
}

// testKinds finishes matches of both games: each has its own totals and leaderboard,
// and both are in the history.
func testKinds(t *testing.T, open func(*testing.T) game.Store) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	place := game.Location{Guild: "g", Channel: "c"}
	word := Guess(t, Match("word", place, "ana", hidden), "ana", "crane")
	lost := PokleMatch("lost", place, "ana", game.Together, 0)
	for n := range pokle.Attempts {
		lost = guessBoard(t, lost, "ana", n)
	}
	won := guessBoard(t, PokleMatch("won", place, "ben", game.Daily, 3), "ben", 6)
	var log []game.Result
	for i, m := range []game.Match{word, lost, won} {
		for version := uint64(1); version <= m.Version; version++ {
			MustCommit(t, s, m.Rewind(version))
		}
		r := m.Result()
		r.Number = uint64(i + 1)
		log = append(log, r)
	}
	if got, err := s.Results(ctx, 0, 10); err != nil || !reflect.DeepEqual(got, log) {
		t.Errorf("the log is %+v, %v, want %+v", got, err, log)
	}
	for _, kind := range []game.Kind{game.Wordle, game.Pokle} {
		CheckLeaderboard(t, s, game.Scope{Kind: kind, Guild: "g"}, log)
		CheckLeaderboard(t, s, game.Scope{Kind: kind, Guild: "h"}, log)
		got, err := s.History(ctx, game.Filter{Kind: kind, Community: place.Community(), Limit: 10})
		var ids []game.MatchID
		for _, e := range got {
			ids = append(ids, e.Result.Match)
		}
		want := map[game.Kind]string{game.Wordle: "[word]", game.Pokle: "[won lost]"}[kind]
		if fmt.Sprint(ids) != want || err != nil {
			t.Errorf("%s: the history has %v, %v, want %v", kind, ids, err, want)
		}
	}
}

// testClearTables clears a history: the player's own tables are as if nothing had
// been played there, but for a match that is still being played.
func testClearTables(t *testing.T, open func(*testing.T) game.Store) {
	s, ctx := open(t), t.Context()
	defer closeStore(t, s)
	place := game.Location{Guild: "g", Channel: "c"}
	end := func(m game.Match) game.Match {
		MustCommit(t, s, m)
		MustCommit(t, s, stop(m, m.Starter))
		return m
	}
	gone := []game.Match{end(PokleMatch("m1", place, "ana", game.Solo, 0)), end(PokleMatch("m2", place, "ana", game.Daily, 4))}
	kept := []game.Match{
		end(PokleMatch("m3", place, "ana1", game.Solo, 0)), end(PokleMatch("m4", place, "ana1", game.Daily, 4)),
		end(PokleMatch("m5", place, "an", game.Daily, 4)), end(PokleMatch("m6", place, "ana", game.Together, 0)),
		PokleMatch("m7", place, "ana", game.Daily, 5),
	}
	MustCommit(t, s, kept[4])
	if err := s.Clear(ctx, game.ClearRequest{Player: "ana", Request: "clear", At: Epoch}); err != nil {
		t.Fatal(err)
	}
	for _, m := range gone {
		if got, err := s.Load(ctx, m.Table()); !errors.Is(err, game.ErrNoMatch) {
			t.Errorf("the table of %s has %v, %v", m.ID, got, err)
		}
	}
	for _, m := range kept {
		if got, err := s.Load(ctx, m.Table()); err != nil || got.ID != m.ID {
			t.Errorf("the table of %s has %v, %v", m.ID, got, err)
		}
	}
}
