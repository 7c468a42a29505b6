package storage_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/storage"
	"fivefold/storage/check"
	"fivefold/storage/ordered"
	"fivefold/storage/ordered/orderedtest"
)

// all returns everything that a map has.
func all(t *testing.T, m ordered.Map) map[string]string {
	t.Helper()
	answers, err := m.Read(t.Context(), ordered.Query{To: "\xff"})
	if err != nil {
		t.Fatal(err)
	}
	pairs := map[string]string{}
	for _, p := range answers[0] {
		pairs[p.Key] = string(p.Value)
	}
	return pairs
}

// mustCheck returns what a check finds.
func mustCheck(t *testing.T, s *storage.Store, mend bool) (found []check.Finding) {
	t.Helper()
	n, err := s.Check(t.Context(), check.Options{Mend: mend, Report: func(f check.Finding) { found = append(found, f) }})
	if err != nil || n != len(found) {
		t.Fatalf("a check counts %d of %d problems, %v", n, len(found), err)
	}
	return found
}

// filled returns a map with some of everything that can be stored, of which Forget has removed some if
// forget is set. Otherwise totals can be counted again.
func filled(t *testing.T, forget bool) *orderedtest.Memory {
	t.Helper()
	m := &orderedtest.Memory{}
	s := storage.New(m, codecs, storage.Options{})
	fill(t, s, 60, forget)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestCheckMendsWhatFollows takes away or changes some of what follows from other data, and
// all of a topic at once: a check makes it again as it was.
func TestCheckMendsWhatFollows(t *testing.T) {
	m := filled(t, false)
	s, ctx := storage.New(m, codecs, storage.Options{}), t.Context()
	defer s.Close()
	if found := mustCheck(t, s, true); found != nil {
		t.Fatalf("a new store has %d problems, such as %v", len(found), found[0])
	}
	want := all(t, m)
	random := rand.New(rand.NewPCG(31, 32))
	topics := map[string][]string{}
	for key := range want {
		if topic, _, _ := strings.Cut(key, "\x00"); !strings.HasPrefix(key, "total\x00\x01") { // nothing else has what a pseudonym stands for
			topics[topic] = append(topics[topic], key)
		}
	}
	for _, topic := range []string{"open", "due", "number", "history", "player", "own", "daily", "solved", "total", "rank", "aliased", "result"} {
		slices.Sort(topics[topic])
		if len(topics[topic]) == 0 {
			t.Errorf("there is no %s to take away", topic)
			continue
		}
		check := func(how string, wrong ...ordered.Pair) {
			t.Helper()
			if err := m.Commit(ctx, ordered.Change{Set: wrong}); err != nil {
				t.Fatal(err)
			}
			if found := mustCheck(t, s, true); len(found) < len(wrong) {
				t.Fatalf("%s: a check finds only %v", how, found)
			}
			got := all(t, m)
			for key := range got {
				if strings.HasPrefix(key, "aside\x00") && want[key] == "" { // what could not be read
					if err := m.Commit(ctx, ordered.Change{Set: []ordered.Pair{{Key: key}}}); err != nil {
						t.Fatal(err)
					}
					delete(got, key)
				}
			}
			for key, v := range want {
				if got[key] != v {
					t.Fatalf("%s: %q is %q, want %q", how, key, got[key], v)
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%s: there are %d records, want %d", how, len(got), len(want))
			}
		}
		var without, wrong, every []ordered.Pair
		for i, n := range random.Perm(len(topics[topic])) {
			key := topics[topic][n]
			if every = append(every, ordered.Pair{Key: key}); i < 4 {
				without, wrong = append(without, ordered.Pair{Key: key}), append(wrong, ordered.Pair{Key: key, Value: []byte("wrong")})
			}
		}
		check("without some "+topic, without...)
		if topic != "rank" && topic != "solved" && topic != "due" && topic != "aliased" { // they have nothing
			check("with some wrong "+topic, wrong...)
		}
		if topic != "result" { // matches that were cleared have no other record of their place
			check("without every "+topic, every...)
		}
		for _, key := range topics[topic] {
			if renamed := strings.Replace(want[key], `"Name":"Name of`, `"Name":"Nick of`, 1); topic == "total" && renamed != want[key] {
				check("with another name", ordered.Pair{Key: key, Value: []byte(renamed)})
				break
			}
		}
	}
}

// TestCheckNamesWhatIsLost changes records that nothing else has: they are set aside, the rest can be
// used, and a second check finds nothing.
func TestCheckNamesWhatIsLost(t *testing.T) {
	m := filled(t, true)
	before := all(t, m)
	truths := []string{"match", "slot", "race"}
	tried := map[string]int{}
	for _, key := range slices.Sorted(maps.Keys(before)) {
		topic, _, _ := strings.Cut(key, "\x00")
		if tried[topic]++; !slices.Contains(truths, topic) || tried[topic] > 3 {
			continue
		}
		t.Run(fmt.Sprintf("%q", key), func(t *testing.T) {
			m := &orderedtest.Memory{}
			var pairs []ordered.Pair
			for k, v := range before {
				pairs = append(pairs, ordered.Pair{Key: k, Value: []byte(v)})
			}
			pairs = append(pairs, ordered.Pair{Key: key + "x", Value: []byte("wrong")})
			pairs = slices.DeleteFunc(pairs, func(p ordered.Pair) bool { return p.Key == key })
			pairs[len(pairs)-1].Key = key
			if err := m.Commit(t.Context(), ordered.Change{Set: pairs}); err != nil {
				t.Fatal(err)
			}
			s, _ := onMap(t, m)
			found := mustCheck(t, s, true)
			if !slices.ContainsFunc(found, func(f check.Finding) bool { return f.Key == key }) {
				t.Errorf("a check finds %v", found)
			}
			if _, ok := all(t, m)["aside\x00"+key]; !ok {
				t.Error("it is not set aside")
			}
			if again := mustCheck(t, s, true); again != nil {
				t.Errorf("a second check finds %v", again)
			}
		})
	}
}

// TestCheckNamesMissingMatchesOnce: a result whose match is not there, as a repair may leave it, still counts. Mending
// names the match; after that the store is in order, and backups of it can be restored.
func TestCheckNamesMissingMatchesOnce(t *testing.T) {
	m := filled(t, false)
	s, _ := onMap(t, m)
	lost := map[string]bool{}
	var without []ordered.Pair
	for key := range all(t, m) {
		if strings.HasPrefix(key, "match\x00") {
			lost[key], without = true, append(without, ordered.Pair{Key: key})
		}
	}
	if err := m.Commit(t.Context(), ordered.Change{Set: without}); err != nil || len(lost) == 0 {
		t.Fatalf("without %d matches: %v", len(lost), err)
	}
	for _, mend := range []bool{false, true} {
		named := 0
		for _, f := range mustCheck(t, s, mend) {
			if lost[f.Key] && !f.Derived {
				named++
			}
		}
		if named != len(lost) {
			t.Errorf("a check names %d of %d matches", named, len(lost))
		}
	}
	for key, v := range all(t, m) {
		if strings.HasPrefix(key, "slot\x00") && strings.HasPrefix(string(v), "=") {
			t.Errorf("the slot %q still leads to a lost match", key)
		}
	}
	if again := mustCheck(t, s, false); again != nil {
		t.Errorf("after that, a check finds %v", again[0])
	}
}

// TestCheckDuringGames: while games are played, a check that mends finds nothing.
func TestCheckDuringGames(t *testing.T) {
	s := inMemory(t)
	ctx, cancel := context.WithCancel(t.Context())
	checked := make(chan error, 1)
	go func() {
		defer close(checked)
		for ctx.Err() == nil {
			_, err := s.Check(ctx, check.Options{Mend: true, Report: func(f check.Finding) { t.Errorf("found %v", f) }})
			if err != nil && ctx.Err() == nil {
				checked <- err
				return
			}
		}
	}()
	fill(t, s, 150, true)
	cancel()
	if err := <-checked; err != nil {
		t.Error(err)
	}
}

// TestCheckDuringDelete: while a history is being cleared, what is left of it in the log is not counted again.
func TestCheckDuringDelete(t *testing.T) {
	m := filled(t, false)
	s, _ := onMap(t, m)
	const everywhere, here = "total\x00p1\x00wordle\x00\x00", "total\x00p1\x00wordle\x00g\x00"
	stored := all(t, m)
	if stored[everywhere] == "" || stored[here] == "" || stored[everywhere] == stored[here] {
		t.Fatalf("the totals are %q and %q", stored[everywhere], stored[here])
	}
	change := ordered.Change{Set: []ordered.Pair{{Key: everywhere, Value: []byte(stored[here])}}}
	if err := m.Commit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	if found := mustCheck(t, s, false); len(found) != 1 {
		t.Errorf("without a deletion, a check finds %v", found)
	}
	for _, p := range []ordered.Pair{{Key: "deleting\x00p1", Value: []byte(`{"Format":1,"Value":1}`)}, {Key: everywhere}} {
		if err := m.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{p}}); err != nil {
			t.Fatal(err)
		}
		if found := mustCheck(t, s, true); len(found) != 0 {
			t.Errorf("during a deletion, a check finds %v", found)
		}
	}
}

// TestClearOfDamagedTotals: what cannot be read does not say where its player's place in the leaderboard is, and
// cannot be counted again where games were forgotten. The place goes all the same.
func TestClearOfDamagedTotals(t *testing.T) {
	m := filled(t, true)
	s, _ := onMap(t, m)
	places := func(p string) (n int) {
		for key := range all(t, m) {
			if strings.HasPrefix(key, "rank\x00") && strings.HasSuffix(key, p) {
				n++
			}
		}
		return n
	}
	for i := range 6 {
		player := fmt.Sprint("p", i)
		var wrong ordered.Change
		for key := range all(t, m) {
			if strings.HasPrefix(key, "total\x00"+player+"\x00") {
				wrong.Set = append(wrong.Set, ordered.Pair{Key: key, Value: []byte("wrong")})
			}
		}
		if err := m.Commit(t.Context(), wrong); err != nil {
			t.Fatal(err)
		}
		before := places(player)
		if err := s.Delete(t.Context(), finished.Deletion{Player: game.PlayerID(player), Request: game.RequestID("clear " + player)}); err != nil {
			t.Fatal(err)
		}
		if n := places(player); n > 0 {
			t.Errorf("%s has %d of %d places", player, n, before)
		}
	}
}

// TestClearOfLostMatches: what is left of matches that cannot be read loses the names of players all the same.
func TestClearOfLostMatches(t *testing.T) {
	m := filled(t, false)
	s, _ := onMap(t, m)
	var wrong ordered.Change
	for key := range all(t, m) {
		if strings.HasPrefix(key, "match\x00") {
			wrong.Set = append(wrong.Set, ordered.Pair{Key: key, Value: []byte("wrong")})
		}
	}
	if err := m.Commit(t.Context(), wrong); err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		player := game.PlayerID(fmt.Sprint("p", i))
		if err := s.Delete(t.Context(), finished.Deletion{Player: player, Request: game.RequestID("clear " + player)}); err != nil {
			t.Fatal(err)
		}
		mustHaveNoName(t, s, player)
	}
}

// TestCheckOnceAWeek: of all processes that use a store, and however often they start, one checks it once a week.
func TestCheckOnceAWeek(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &orderedtest.Memory{}
		wrong := ordered.Pair{Key: "open\x00wrong", Value: []byte("wrong")}
		for hour, want := range []bool{true, false, false} { // whether it is mended
			if err := m.Commit(t.Context(), ordered.Change{Set: []ordered.Pair{wrong}}); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				s := storage.New(m, codecs, storage.Options{Check: true})
				defer s.Close()
				defer run(t, s)()
			}
			time.Sleep(time.Hour)
			if _, there := all(t, m)[wrong.Key]; there == want {
				t.Errorf("hour %d: the record that is wrong is there: %t", hour, there)
			}
		}
		time.Sleep(7 * 24 * time.Hour)
		if _, there := all(t, m)[wrong.Key]; there {
			t.Error("a week later, the record that is wrong is still there")
		}
	})
}
