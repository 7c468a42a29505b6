package game_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"fivefold/game"
	"fivefold/game/wordle"
	"fivefold/storage/bolt"
)

// TestRepeatedRequests plays random operations of several players in several
// channels. Every request that changed something is delivered again later —
// meanwhile its match may have ended, a new one begun and the program been
// started anew — and must lead to the same match and change nothing.
func TestRepeatedRequests(t *testing.T) {
	t.Run("memory", func(t *testing.T) {
		s := newMemory()
		testRepeated(t, s, 1500, func() any { return s.state() })
	})
	t.Run("bolt", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "test.db")
		s, err := bolt.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		testRepeated(t, s, 200, func() any {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			return file
		})
	})
}

func testRepeated(t *testing.T, s game.Store, operations int, state func() any) {
	lists := mustLists(t, "crane slate brick shave geese", "mound fuzzy grape")
	places := []game.Location{{Guild: "g", Channel: "c1"}, {Guild: "g", Channel: "c2"}, {Channel: "c3"}}
	verbs := []string{"start", "start-hard", "guess", "guess", "guess", "guess", "guess", "stop", "letter", "position", "suggestion"}
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(words []wordle.Word) string { return words[random.IntN(len(words))].String() }
	type accepted struct {
		op
		led game.Match
	}
	var requests []accepted
	m := newManager(s, lists)
	again := func(r accepted) {
		t.Helper()
		was := state()
		got, err := r.run(t.Context(), m)
		if err != nil || !reflect.DeepEqual(got, r.led) {
			t.Fatalf("%s %s again: %v %+v, %v; it led to %v %+v", r.verb, r.word, got, got.Hints, err, r.led, r.led.Hints)
		}
		if !reflect.DeepEqual(state(), was) {
			t.Fatalf("%s %s again changed what is stored", r.verb, r.word)
		}
	}
	for i := range operations {
		o := op{
			game.Origin{
				Request: game.RequestID(fmt.Sprint("r", i)),
				Place:   places[random.IntN(len(places))],
				Player:  game.PlayerID(fmt.Sprint("p", random.IntN(3))),
			},
			verbs[random.IntN(len(verbs))], pick(lists.Guesses()),
		}
		was := state()
		led, err := o.run(t.Context(), m)
		// A suggestion that was there already is accepted without a change.
		if err == nil && !reflect.DeepEqual(state(), was) {
			requests = append(requests, accepted{o, led})
			again(requests[len(requests)-1])
		}
		if len(requests) > 0 && i%3 == 0 {
			again(requests[random.IntN(len(requests))])
		}
		if i%50 == 0 {
			m = newManager(s, lists)
		}
	}
	m = newManager(s, lists)
	ended := 0
	for _, r := range requests {
		again(r)
		if r.led.Status() != game.Playing {
			ended++
		}
	}
	if len(requests) < operations/4 || ended < operations/40 {
		t.Errorf("%d of %d requests counted and %d ended a match: too few to mean anything", len(requests), operations, ended)
	}
}
