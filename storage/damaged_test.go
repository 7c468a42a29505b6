package storage_test

import (
	"context"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/statistics"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
	"fivefold/storage/transfer"
)

// damaging is a map in which the value of a key is not the one that was stored.
type damaging struct {
	ordered.Map
	key string
}

func (m *damaging) mark(pairs []ordered.Pair) []ordered.Pair {
	for i, p := range pairs {
		pairs[i].Damaged = p.Key == m.key && p.Value != nil
	}
	return pairs
}

func (m *damaging) Get(ctx context.Context, keys ...string) ([]ordered.Pair, error) {
	pairs, err := m.Map.Get(ctx, keys...)
	return m.mark(pairs), err
}

func (m *damaging) Read(ctx context.Context, queries ...ordered.Query) ([][]ordered.Pair, error) {
	answers, err := m.Map.Read(ctx, queries...)
	for _, pairs := range answers {
		m.mark(pairs)
	}
	return answers, err
}

// Commit writes values as they should be.
func (m *damaging) Commit(ctx context.Context, c ordered.Change) error {
	err := m.Map.Commit(ctx, c)
	if err == nil && slices.ContainsFunc(c.Set, func(p ordered.Pair) bool { return p.Key == m.key }) {
		m.key = ""
	}
	return err
}

// readAll has a store with a damaged record read, changed and mended by everything that meets it: nothing may panic or go on
// for ever. Errors are fine. After a check that mends, another one finds nothing.
func readAll(t *testing.T, stored map[string]string, strange ordered.Pair) {
	m := &damaging{Map: &orderedtest.Memory{}}
	c := ordered.Change{Set: []ordered.Pair{strange}}
	for key, v := range stored {
		if key != strange.Key {
			c.Set = append(c.Set, ordered.Pair{Key: key, Value: []byte(v)})
		}
	}
	if err := m.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	m.key = strange.Key
	s, _ := onMap(t, m)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	k, at := wordGame.kind, game.Location{Guild: "g", Channel: "c"}
	for _, f := range []finished.Filter{{Community: at.Community()}, {Viewer: "ana"}, {Viewer: "ana", Player: "ana", Community: at.Community()}} {
		for f.Limit = range 4 {
			for _, f.From = range []uint64{0, 1} {
				_, _ = s.History(ctx, f)
			}
		}
	}
	_, _ = s.Results(ctx, 0, 9)
	_ = transfer.Export(ctx, m, io.Discard, transfer.TableResults, transfer.CSV)
	_ = transfer.Export(ctx, m, io.Discard, transfer.TableStatistics, transfer.JSONLines)
	_, _ = s.Numbers(ctx, at.Community(), 1, 2)
	_, _ = s.PositionOf(ctx, at.Community(), 2)
	_, _ = s.SolvedDays(ctx, k, "g", 0, 99)
	_, _ = s.Daily(ctx, k, "g", 7, 9)
	days, _ := s.Days(ctx, k, "g", "", 7, 8)
	statistics.SeasonTable(days, 6, "ana", statistics.Rows{Limit: 9})
	_, _ = s.Leaderboard(ctx, statistics.Scope{Kind: k, Guild: "g"}, "ana", statistics.Rows{RankedFrom: statistics.RankedFrom, Limit: 9})
	_, _ = s.Unfinished(ctx, game.Unfinished{}, 1)
	_, _, _ = s.Due(ctx, epoch.AddDate(9, 0, 0), 1)
	_, _ = s.Races(ctx, k, "c")
	_ = s.DayPosts(ctx, func(game.GuildID, []byte) {})
	_ = s.ServerChoices(ctx, func(game.GuildID, []byte) {})
	_, _ = s.Secret(ctx)
	_, _ = s.CommandGuilds(ctx)
	once, cancelOnce := context.WithCancel(ctx)
	cancelOnce()
	s.Run(once)
	mustCheck(t, s, false)
	mustCheck(t, s, true)
	if again := mustCheck(t, s, false); again != nil {
		t.Errorf("with %q = %q: after it was mended, a check finds %v", strange.Key, strange.Value, again)
	}
	if err := m.Commit(ctx, ordered.Change{Set: []ordered.Pair{strange}}); err != nil {
		t.Fatal(err)
	}
	m.key = strange.Key
	_ = s.Delete(ctx, finished.Deletion{Player: "ana", Request: "clear", At: epoch})
	_, _ = s.Forget(ctx, epoch.AddDate(9, 0, 0))
	if err := ctx.Err(); err != nil {
		t.Errorf("with %q = %q: %v", strange.Key, strange.Value, err)
	}
}

// someOfEach returns a small store: one daily puzzle, and a record of most topics.
func someOfEach(t *testing.T) map[string]string {
	s, m := onMap(t, &orderedtest.Memory{})
	g := wordGame
	for day := range 4 {
		match := alone(g.match(string(rune('a'+day)), game.Location{Guild: "g", Channel: "c"}, "ana"), 7+day)
		mustCommit(t, s, match)
		if day > 0 {
			mustCommit(t, s, g.win(t, match, "ana"))
		}
	}
	if err := s.CommitRace(t.Context(), aRace("race-1", "c", epoch)); err != nil {
		t.Fatal(err)
	}
	return all(t, m)
}

// TestDamagedKeys: a record whose key was changed on the disk keeps nothing from being read or mended.
func TestDamagedKeys(t *testing.T) {
	stored := someOfEach(t)
	keys, random := slices.Sorted(maps.Keys(stored)), rand.New(rand.NewPCG(7, 8))
	for range 400 {
		key := []byte(keys[random.IntN(len(keys))])
		value := stored[string(key)]
		for range 1 + random.IntN(3) {
			at := random.IntN(len(key))
			switch random.IntN(4) {
			case 0:
				key = key[:at+1]
			case 1:
				key = slices.Insert(key, at, byte(random.IntN(256)))
			case 2:
				key = slices.Insert(key, at, 0)
			default:
				key[at] = byte(random.IntN(256))
			}
		}
		readAll(t, stored, ordered.Pair{Key: string(key), Value: []byte(value)})
	}
}
