package storage_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/game/statistics"
	"fivefold/game/work"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
)

// meeting is a map in which something happens before the next commit.
type meeting struct {
	ordered.Map
	before func()
	seen   func(ordered.Change) // called with each commit; nil for no calls
}

func (m *meeting) Commit(ctx context.Context, c ordered.Change) error {
	if m.seen != nil {
		m.seen(c)
	}
	if f := m.before; f != nil {
		m.before = nil
		f()
	}
	return m.Map.Commit(ctx, c)
}

// TestStartsMeet: two matches of a puzzle that start at once have one answer.
func TestStartsMeet(t *testing.T) {
	s, m := onMap(t, &meeting{Map: &orderedtest.Memory{}})
	g := wordGame
	start := func(id string, answer string) error {
		match := alone(g.match(id, game.Location{Channel: "c"}, game.PlayerID(id)), 7)
		match.State = g.start(answer)
		return s.Commit(t.Context(), change(match))
	}
	m.before = func() {
		if err := start("b", g.answers[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := start("a", g.answers[0]); !errors.Is(err, game.ErrConflict) {
		t.Errorf("another answer: %v, want a conflict", err)
	}
}

// TestBusyServer: starts, moves and ends in one server do not wait for one another. Where those of two players meet, in
// any mode that two can play at once, each is committed at the first try, and no key is set by both but the list of answers.
func TestBusyServer(t *testing.T) {
	for _, mode := range []game.Mode{game.Together, game.Solo, game.Daily, game.Practice} {
		s, m := onMap(t, &meeting{Map: &orderedtest.Memory{}})
		g := wordGame
		var versions [2][]matches.Change
		for i, player := range []game.PlayerID{"ana", "ben"} {
			match := g.match(string(player), game.Location{Guild: "g", Channel: game.ChannelID(player)}, player)
			if match.Mode = mode; mode == game.Daily || mode == game.Practice {
				match = alone(match, 7)
				match.Mode = mode
			}
			start := change(match)
			start.Recent = matches.RecentList{Name: "list", Keep: 5}
			guess := g.guess(t, match, player, g.answers[0])
			versions[i] = []matches.Change{start, change(guess), change(g.win(t, guess, player))}
		}
		if mode == game.Daily || mode == game.Practice { // what the first player of the day stores is there
			first := alone(g.match("first", game.Location{Guild: "g", Channel: "c"}, "cleo"), 7)
			mustCommit(t, s, first)
			mustCommit(t, s, g.win(t, first, "cleo"))
		}
		for step, c := range versions[0] {
			commits := 0
			m.before = func() {
				if err := s.Commit(t.Context(), versions[1][step]); err != nil {
					t.Fatal(err)
				}
			}
			set := map[string]bool{}
			m.seen = func(c ordered.Change) {
				commits++
				for _, p := range c.Set {
					if set[p.Key] && p.Key != "recent\x00list" {
						t.Errorf("%s: version %d of both matches sets %q", mode, step+1, p.Key)
					}
					set[p.Key] = true
				}
			}
			if err := s.Commit(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			m.seen = nil
			if commits != 2 {
				t.Errorf("%s: version %d of two matches took %d commits", mode, step+1, commits)
			}
		}
		if found := mustCheck(t, s, false); found != nil {
			t.Errorf("%s: a check finds %v", mode, found)
		}
	}
}

// TestPlacesFollowEnds: the results of a player come in the log as they were counted, also where a later one ended before, and after what the player is clearing.
func TestPlacesFollowEnds(t *testing.T) {
	s, m := onMap(t, &orderedtest.Memory{})
	g := wordGame
	end := func(id string, made time.Time) {
		t.Helper()
		match := g.match(id, game.Location{Guild: game.GuildID(id), Channel: game.ChannelID(id)}, "ana")
		mustCommitAll(t, s, later(g.win(t, match, "ana"), made.Sub(epoch)))
	}
	end("first", epoch.Add(time.Hour))
	end("second", epoch)
	cleared := uint64(epoch.Add(2*time.Hour).UnixMilli()) << 22
	if err := m.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{{Key: "deleting\x00ana", Value: fmt.Appendf(nil, `{"Format":1,"Value":%d}`, cleared)}}}); err != nil {
		t.Fatal(err)
	}
	end("third", epoch.Add(time.Minute))
	log, err := s.Results(t.Context(), 0, 9)
	if err != nil || len(log) != 3 || log[0].Match != "first" || log[1].Match != "second" || log[2].LogPosition <= cleared {
		t.Errorf("the log is %+v, %v", log, err)
	}
}

// mustDaily has ana solve daily puzzle 7 in the guild g.
func mustDaily(t *testing.T, s *storage.Store) game.Match {
	t.Helper()
	g := wordGame
	match := alone(g.match("a", game.Location{Guild: "g", Channel: "c"}, "ana"), 7)
	mustCommit(t, s, match)
	mustCommit(t, s, g.win(t, match, "ana"))
	return match
}

// TestMeetings: two changes of what a player has played meet, the one in the middle of the other. Afterwards the totals count what
// the log has, nothing leads to what is gone, and a cleared history is empty.
func TestMeetings(t *testing.T) {
	type played struct {
		t             *testing.T
		s             *storage.Store
		m             *meeting
		solved        game.Match // a daily puzzle, in guild g
		here, another game.Match // matches in guilds g and h that are one guess from their end
	}
	end := func(p played, m game.Match) error {
		return p.s.Commit(p.t.Context(), change(wordGame.win(p.t, m, "ana")))
	}
	clear := func(p played) error {
		return p.s.Delete(p.t.Context(), finished.Deletion{Player: "ana", Request: "clear"})
	}
	share := func(p played) error { return p.s.Share(p.t.Context(), p.solved.ID, "shared") }
	shareIn := func(p played) error { return p.s.ShareIn(p.t.Context(), p.solved.ID, "h", game.DailyDate(7)) }
	for name, c := range map[string]struct {
		do, meanwhile func(p played) error
		left          int // how many matches ana's history has
	}{
		"ends":            {func(p played) error { return end(p, p.here) }, func(p played) error { return end(p, p.another) }, 3},
		"share and end":   {shareIn, func(p played) error { return end(p, p.another) }, 2},
		"clear and end":   {clear, func(p played) error { return end(p, p.here) }, 0},
		"clear and share": {clear, shareIn, 0},
		"clear, and share when it has begun": {clear, func(p played) error {
			p.m.before = func() {
				if err := shareIn(p); !errors.Is(err, game.ErrNotInHistory) {
					p.t.Errorf("it can be shared in another server: %v", err)
				}
				if err := share(p); err != nil {
					p.t.Error(err)
				}
			}
			return nil
		}, 0},
		"forget and share": {func(p played) error {
			_, err := p.s.Forget(p.t.Context(), epoch.Add(time.Hour))
			return err
		}, share, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s, m := onMap(t, &meeting{Map: &orderedtest.Memory{}})
			p := played{t, s, m, mustDaily(t, s), game.Match{}, game.Match{}}
			p.here = alone(wordGame.match("here", game.Location{Guild: "g", Channel: "c"}, "ana"), 8)
			p.another = alone(wordGame.match("another", game.Location{Guild: "h", Channel: "d"}, "ana"), 9)
			mustCommit(t, s, p.here)
			mustCommit(t, s, p.another)
			m.before = func() {
				if err := c.meanwhile(p); err != nil {
					t.Error(err)
				}
			}
			err := c.do(p)
			if errors.Is(err, game.ErrConflict) { // a manager tries again
				err = c.do(p)
			}
			all, failed := s.History(t.Context(), finished.Filter{Viewer: "ana", Player: "ana", Limit: 9})
			if err != nil || failed != nil || len(all) != c.left {
				t.Errorf("%v; the history has %+v, %v, want %d matches", err, all, failed, c.left)
			}
			for _, guild := range []game.GuildID{"g", "h"} {
				day, err := s.Daily(t.Context(), wordGame.kind, guild, 7, 9)
				list, failed := s.History(t.Context(), finished.Filter{Community: "guild/" + string(guild), Limit: 9})
				if c.left == 0 && (err != nil || failed != nil || day.Players != 0 || len(list) > 0) {
					t.Errorf("in %s there are %+v, %+v; %v, %v", guild, day, list, err, failed)
				}
			}
			for _, f := range mustCheck(t, s, false) {
				t.Errorf("a check finds %v", f)
			}
		})
	}
}

// TestClearMeetsFirstEnd: a player's first match of a kind that ends just when the history is cleared is cleared too, and what
// ends before the last batch counts.
func TestClearMeetsFirstEnd(t *testing.T) {
	s, m := onMap(t, &meeting{Map: &orderedtest.Memory{}})
	end := func(g testGame, id string, at time.Duration) {
		won := later(g.win(t, g.match(id, game.Location{Guild: "g", Channel: game.ChannelID(id)}, "ana"), "ana"), at)
		mustCommit(t, s, won.Rewind(1))
		mustCommit(t, s, won)
	}
	end(wordGame, "a", time.Hour)
	m.before = func() { end(toyGame, "b", 0) }
	m.seen = func(c ordered.Change) {
		if slices.ContainsFunc(c.Set, func(p ordered.Pair) bool { return p.Key == "deleting\x00ana" && p.Value == nil }) {
			m.seen = nil
			end(toyGame, "c", 2*time.Hour)
		}
	}
	if err := s.Delete(t.Context(), finished.Deletion{Player: "ana", Request: "clear"}); err != nil {
		t.Fatal(err)
	}
	got, err := s.Totals(t.Context(), statistics.Scope{Kind: toyGame.kind}, "ana")
	if all, failed := s.History(t.Context(), finished.Filter{Viewer: "ana", Player: "ana", Limit: 9}); err != nil || failed != nil || got.Other.Played != len(all) || len(all) != 1 {
		t.Errorf("%d matches count, and the history has %+v; %v, %v", got.Other.Played, all, err, failed)
	}
	for _, f := range mustCheck(t, s, false) {
		t.Errorf("a check finds %v", f)
	}
}

// TestClearMeetsRace: a player deletes their data while a race with the player's name changes. The name is gone afterwards,
// whichever of the two is first, and the change was made or conflicts.
func TestClearMeetsRace(t *testing.T) {
	clear := func(s *storage.Store, _ game.Race) error {
		return s.Delete(t.Context(), finished.Deletion{Player: "ana", Request: "clear", At: epoch})
	}
	change := func(s *storage.Store, r game.Race) error {
		r.Version, r.Over = 2, epoch
		return s.CommitRace(t.Context(), r)
	}
	for _, c := range []struct {
		do, meanwhile func(*storage.Store, game.Race) error
		want          error
		over          bool
	}{{clear, change, nil, true}, {change, clear, game.ErrConflict, false}} {
		s, m := onMap(t, &meeting{Map: &orderedtest.Memory{}})
		race := aRace("race-1", "c", epoch.Add(time.Hour))
		race.Names = game.Names{"ana": nickname("ana"), "ben": nickname("ben")}
		_, failed := s.Secret(t.Context()) // the first time, this is a commit of its own
		if err := errors.Join(failed, s.CommitRace(t.Context(), race)); err != nil {
			t.Fatal(err)
		}
		m.before = func() {
			if err := c.meanwhile(s, race); err != nil {
				t.Error(err)
			}
		}
		if err := c.do(s, race); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
		got, err := s.Race(t.Context(), race.Kind, "c", race.ID)
		if err != nil || len(got.Names) != 1 || got.Names["ben"] == "" || got.Over.IsZero() == c.over {
			t.Errorf("the race is %+v, %v", got, err)
		}
	}
}

// TestRacesMeet: of two races that start in a channel at once, one is stored.
func TestRacesMeet(t *testing.T) {
	s, m := onMap(t, &meeting{Map: &orderedtest.Memory{}})
	one, two := aRace("race-1", "c", epoch.Add(time.Hour)), aRace("race-2", "c", epoch.Add(time.Hour))
	one.Challenge, two.Challenge = nil, nil
	m.before = func() {
		if err := s.CommitRace(t.Context(), two); err != nil {
			t.Error(err)
		}
	}
	if err := s.CommitRace(t.Context(), one); !errors.Is(err, game.ErrConflict) {
		t.Errorf("a second race: %v", err)
	}
}

// TestSecretsMeet: two processes that ask for the secret of a new store at once get the same one.
func TestSecretsMeet(t *testing.T) {
	s, m := onMap(t, &meeting{Map: &orderedtest.Memory{}})
	var other []byte
	m.before = func() { other, _ = s.Secret(t.Context()) }
	if got, err := s.Secret(t.Context()); err != nil || !bytes.Equal(got, other) {
		t.Errorf("the secrets are %x and %x, %v", got, other, err)
	}
}

// TestWork: one of two processes has a task until it gives that back or the lease ends, and cannot give back what the other
// one has by then.
func TestWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &orderedtest.Memory{}
		a, b := storage.New(m, codecs, storage.Options{}), storage.New(m, codecs, storage.Options{})
		defer a.Close()
		defer b.Close()
		take := func(s *storage.Store, want bool) work.Work {
			t.Helper()
			work, taken, err := s.TakeWork(t.Context(), "task", time.Minute)
			if taken != want || err != nil {
				t.Fatalf("it was taken: %t, %v", taken, err)
			}
			return work
		}
		end := func(s *storage.Store, work work.Work, wait time.Duration) {
			t.Helper()
			if err := s.EndWork(t.Context(), work, wait); err != nil {
				t.Fatal(err)
			}
		}
		first := take(a, true)
		take(b, false)
		time.Sleep(time.Minute)
		second := take(b, true)
		end(a, first, 0)
		take(a, false)
		end(b, second, time.Hour)
		time.Sleep(time.Hour - time.Nanosecond)
		take(a, false)
		time.Sleep(time.Nanosecond)
		third := take(a, true)
		time.Sleep(time.Minute)
		take(a, true)
		end(a, third, 0)
		take(b, false)
	})
}

// TestClearGoesOn: a deletion that an earlier process has begun is finished after the start.
func TestClearGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &orderedtest.Memory{}
		s := storage.New(m, codecs, storage.Options{})
		mustDaily(t, s)
		log, err := s.Results(t.Context(), 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		mustClose(t, s)
		if err := m.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{{Key: "deleting\x00ana", Value: fmt.Appendf(nil, `{"Format":1,"Value":%d}`, log[0].LogPosition)}}}); err != nil {
			t.Fatal(err)
		}
		s = storage.New(m, codecs, storage.Options{})
		defer s.Close()
		defer run(t, s)()
		synctest.Wait()
		if log, err = s.Results(t.Context(), 0, 1); err != nil || !log[0].Anonymous() {
			t.Errorf("the log is %+v, %v", log, err)
		}
	})
}

// TestClearKeepsNewer: a slot that a newer release has written stays as it is when its player's history is cleared.
func TestClearKeepsNewer(t *testing.T) {
	s, m := onMap(t, &orderedtest.Memory{})
	match := mustDaily(t, s)
	slot := ordered.Pair{Key: "slot\x00" + match.Slot().Key(), Value: []byte(`{"Kind":"wordle","Format":2}`)}
	if err := m.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{slot}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), finished.Deletion{Player: "ana", Request: "clear", Mark: []game.Slot{match.Slot()}}); err != nil {
		t.Fatal(err)
	}
	if there, err := m.Get(t.Context(), slot.Key); err != nil || !bytes.Equal(there[0].Value, slot.Value) {
		t.Errorf("the slot has %q, %v", there[0].Value, err)
	}
}

// TestClearDamagedDaily: a player whose daily puzzle cannot be read leaves its results too.
func TestClearDamagedDaily(t *testing.T) {
	s, m := onMap(t, &orderedtest.Memory{})
	match := mustDaily(t, s)
	if err := m.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{{Key: "match\x00" + string(match.ID), Value: []byte("damaged, and long enough")}}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), finished.Deletion{Player: "ana", Request: "clear"}); err != nil {
		t.Fatal(err)
	}
	if all, err := s.Daily(t.Context(), match.Kind, "g", 7, 10); err != nil || all.Players != 0 {
		t.Errorf("the results are %+v, %v", all, err)
	}
}

// TestOthersAreSeen: two stores in one map, as of two processes, play a match in turns, and each sees what the other did.
func TestOthersAreSeen(t *testing.T) {
	m, g := &orderedtest.Memory{}, wordGame
	stores := []*storage.Store{storage.New(m, codecs, storage.Options{}), storage.New(m, codecs, storage.Options{})}
	match := g.match("m", game.Location{Guild: "g", Channel: "c"}, "ana")
	mustCommit(t, stores[0], match)
	for i, word := range g.answers[:4] {
		match = g.guess(t, match, "ana", word)
		mustCommit(t, stores[i%2], match)
		for _, s := range stores {
			mustLoad(t, s, match)
		}
	}
	for _, s := range stores {
		mustClose(t, s)
	}
}
