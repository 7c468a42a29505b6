package storage_test

import (
	"context"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/statistics"
	"fivefold/storage"
	"fivefold/storage/ordered"
	"fivefold/storage/transfer"
)

// topics are those of a store, and one that no record has.
var topics = []string{"slot", "match", "open", "receipt", "puzzle", "recent", "result", "number", "forgotten", "history", "player", "own", "daily",
	"solved", "total", "rank", "cleared", "review", "clearing", "session", "look", "server", "daypost", "board", "race", "running", "racing", "work", "aside",
	"probe", "secret", "guilds", "nothing"}

// readAll has a store with a strange record read, changed and mended by everything that meets it: nothing may panic or go on
// for ever. Errors are fine. After a check that mends, another one finds nothing.
func readAll(t *testing.T, stored map[string]string, strange ordered.Pair) {
	m := &ordered.Memory{}
	c := ordered.Change{Set: []ordered.Pair{strange}}
	for key, v := range stored {
		if key != strange.Key {
			c.Set = append(c.Set, ordered.Pair{Key: key, Value: []byte(v)})
		}
	}
	if err := m.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
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
	_ = transfer.Export(ctx, m, codecs, io.Discard, transfer.TableResults, transfer.CSV)
	_ = transfer.Export(ctx, m, codecs, io.Discard, transfer.TableStatistics, transfer.JSONLines)
	_, _ = s.Numbers(ctx, at.Community(), 1, 2)
	_, _ = s.PositionOf(ctx, at.Community(), 2)
	_, _ = s.SolvedDays(ctx, k, "g", 0, 99)
	_, _ = s.Daily(ctx, k, "g", 7, 9)
	_, _ = s.Leaderboard(ctx, statistics.Scope{Kind: k, Guild: "g"}, "ana", statistics.Rows{RankedFrom: statistics.RankedFrom, Limit: 9})
	_, _ = s.Unfinished(ctx, game.Unfinished{}, 1)
	_, _ = s.DueRaces(ctx, epoch.AddDate(9, 0, 0), 1)
	_, _ = s.Races(ctx, k, "c")
	_ = s.DayPosts(ctx, func(game.GuildID, []byte) {})
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
	_ = s.Clear(ctx, finished.ClearRequest{Player: "ana", Request: "clear", At: epoch})
	_, _ = s.Forget(ctx, epoch.AddDate(9, 0, 0))
	if err := ctx.Err(); err != nil {
		t.Errorf("with %q = %q: %v", strange.Key, strange.Value, err)
	}
}

// someOfEach returns a small store: one daily puzzle, and a record of most topics.
func someOfEach(t testing.TB) map[string]string {
	s, m := onMap(t, &ordered.Memory{})
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
	pairs, err := m.Read(t.Context(), ordered.Query{To: "\xff"})
	if err != nil {
		t.Fatal(err)
	}
	stored := map[string]string{}
	for _, p := range pairs[0] {
		stored[p.Key] = string(p.Value)
	}
	return stored
}

// TestMalformedKeys: a key of any topic that lacks something, or has too much, is found by a check, and is gone or set aside
// once that has mended it. Everything else reads on.
func TestMalformedKeys(t *testing.T) {
	stored := someOfEach(t)
	var keys []ordered.Pair
	for _, topic := range topics {
		value := "x"
		for key, v := range stored {
			if strings.HasPrefix(key, topic+"\x00") {
				value = v
			}
		}
		keys = append(keys, ordered.Pair{Key: topic, Value: []byte(value)})
		if topic != "aside" && topic != "probe" && topic != "secret" && topic != "guilds" {
			keys = append(keys, ordered.Pair{Key: topic + "\x00", Value: []byte(value)}, ordered.Pair{Key: topic + "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", Value: []byte(value)})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(stored)) {
		if strings.HasPrefix(key, "result\x00") || strings.HasPrefix(key, "history\x00") || strings.HasPrefix(key, "player\x00") ||
			strings.HasPrefix(key, "number\x00") || strings.HasPrefix(key, "own\x00") || strings.HasPrefix(key, "solved\x00") {
			keys = append(keys, ordered.Pair{Key: key + "x", Value: []byte(stored[key])}, ordered.Pair{Key: key[:len(key)-1], Value: []byte(stored[key])})
		}
	}
	for _, strange := range keys {
		m := &ordered.Memory{}
		c := ordered.Change{Set: []ordered.Pair{strange}}
		for key, v := range stored {
			c.Set = append(c.Set, ordered.Pair{Key: key, Value: []byte(v)})
		}
		if err := m.Commit(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		s := storage.New(m, codecs, storage.Options{})
		for _, mend := range []bool{false, true} {
			found := mustCheck(t, s, mend)
			if len(found) != 1 || found[0].Key != strange.Key {
				t.Errorf("with %q, a check finds %v", strange.Key, found)
			}
		}
		if got := all(t, m); got[strange.Key] != "" || got["result\x00"] != "" {
			t.Errorf("%q is still there", strange.Key)
		}
		mustClose(t, s)
		readAll(t, stored, strange)
	}
}

// TestClearOfMalformedKeys: many entries with malformed keys do not keep a clearing from its end, and are gone after it.
func TestClearOfMalformedKeys(t *testing.T) {
	m := &counted{Map: &ordered.Memory{}}
	s, _ := onMap(t, m)
	mustDaily(t, s)
	later := alone(wordGame.match("b", game.Location{Guild: "g", Channel: "c"}, "ana"), 8)
	mustCommit(t, s, later)
	mustCommit(t, s, wordGame.win(t, later, "ana"))
	entries, err := m.Read(t.Context(), ordered.Prefix("player\x00ana\x00\x00"))
	if err != nil || len(entries[0]) != 2 {
		t.Fatalf("the entries are %v, %v", entries, err)
	}
	entry, c := entries[0][0], ordered.Change{}
	for i := range byte(60) {
		c.Set = append(c.Set, ordered.Pair{Key: entry.Key + string([]byte{i}), Value: entry.Value})
	}
	if err := m.Commit(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	m.commits.Store(0)
	m.after = func() {
		if m.commits.Load() > 20 {
			cancel()
		}
	}
	if err := s.Clear(ctx, finished.ClearRequest{Player: "ana", Request: "clear", At: epoch}); err != nil {
		t.Fatal(err)
	}
	if left, err := m.Read(t.Context(), ordered.Prefix("player\x00ana\x00")); err != nil || len(left[0]) > 0 {
		t.Errorf("there is still %v, %v", left[0], err)
	}
}

// FuzzKeys: no record, whatever its key, keeps anything from being read, or from being mended.
func FuzzKeys(f *testing.F) {
	f.Add(uint8(6), []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, topic uint8, rest, value []byte) {
		key := topics[int(topic)%len(topics)]
		if len(rest) > 0 { // without, the key has no NUL
			key += "\x00" + string(rest[1:])
		}
		readAll(t, someOfEach(t), ordered.Pair{Key: key, Value: append([]byte{}, value...)})
	})
}

// TestRandomKeys has what FuzzKeys looks for, a few hundred times: changed keys of real records, with their values or others'.
func TestRandomKeys(t *testing.T) {
	stored := someOfEach(t)
	keys, random := slices.Sorted(maps.Keys(stored)), rand.New(rand.NewPCG(7, 8))
	for range 400 {
		key := []byte(keys[random.IntN(len(keys))])
		value := stored[string(key)]
		if random.IntN(3) == 0 {
			value = stored[keys[random.IntN(len(keys))]]
		}
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
