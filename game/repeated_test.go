package game_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"fivefold/bot/kinds/pokergame"
	"fivefold/bot/kinds/toy"
	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/marks"
	"fivefold/game/matches"
	"fivefold/solver/poker"
	"fivefold/storage"
	"fivefold/storage/ordered/orderedtest"
)

// TestRepeatedRequests plays random operations of several players in several channels, of all kinds and in all modes. Every
// request that changed something is delivered again later — meanwhile its match may have ended, a new one begun and the program
// been restarted — and must lead to the same match and change nothing.
func TestRepeatedRequests(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it takes long, and shows no race that shorter tests don't")
	}
	const operations = 1000
	s := newMemory()
	defer s.Close()
	lists := mustLists(t, "crane slate brick shave geese", "mound fuzzy grape")
	places := []game.Location{{Guild: "g", Channel: "c1"}, {Guild: "g", Channel: "c2"}, {Channel: "c3"}}
	kinds := []game.Kind{wordgame.Kind, wordgame.Kind, pokergame.Kind, toy.Kind}
	modes := []game.Mode{game.Together, game.Together, game.Turns, game.Vote, game.Solo, game.Daily}
	verbs := []string{"start", "start", "guess", "guess", "guess", "guess", "miss", "win", "stop", "join", "letter", "position", "suggestion"}
	random := rand.New(rand.NewPCG(1, 2))
	type accepted struct {
		op
		led game.Match
	}
	var requests []accepted
	hours := 0                                           // on the clock, since the first: less than a day, as long as receipts are kept
	cards := &poker.Solver{SuggestTime: time.Nanosecond} // whatever it suggests
	newManager := func() machine {
		m := newManager(s, lists)
		m.Rules[1] = pokergame.New(cards)
		began := m.Now()
		m.Now = func() time.Time { return began.Add(time.Duration(hours) * time.Hour) }
		return m
	}
	m := newManager()
	again := func(r accepted) {
		t.Helper()
		was := s.state()
		got, err := r.run(t.Context(), m)
		if got.Calls == nil { // its match has ended
			r.led = r.led.WithoutCalls()
		}
		if err != nil || !reflect.DeepEqual(got, r.led) {
			t.Fatalf("%s %+v %s again: %v %+v, %v; it led to %v %+v", r.verb, r.target, r.word, got, got.Hints, err, r.led, r.led.Hints)
		}
		if !reflect.DeepEqual(s.state(), was) {
			t.Fatalf("%s %+v %s again changed what is stored", r.verb, r.target, r.word)
		}
	}
	for i := range operations {
		o := op{
			origin: game.Origin{
				Request:  game.RequestID(fmt.Sprintf("r%06d", i)),
				Location: places[random.IntN(len(places))],
				Player:   game.PlayerID(fmt.Sprint("p", random.IntN(3))),
			},
			verb:   verbs[random.IntN(len(verbs))],
			target: matches.Target{Kind: kinds[random.IntN(len(kinds))], Mode: modes[random.IntN(len(modes))]},
			hard:   marks.Hardness(random.IntN(3)),
			word:   lists.Guesses()[random.IntN(len(lists.Guesses()))].String(),
		}
		if o.target.Kind != wordgame.Kind && o.verb == "guess" {
			o.verb = "miss"
		}
		was := s.state()
		led, err := o.run(t.Context(), m)
		// A suggestion that was there already is accepted without a change.
		if err == nil && !reflect.DeepEqual(s.state(), was) {
			requests = append(requests, accepted{o, led})
			again(requests[len(requests)-1])
		}
		if len(requests) > 0 && i%3 == 0 {
			again(requests[random.IntN(len(requests))])
		}
		if i%50 == 0 {
			m = newManager()
			hours = 23 * i / operations // midnight passes
		}
	}
	m = newManager()
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

// TestRepeatedWhenItMeansAnotherMatch: a request that comes again leads to what it led to first, even if by now it would mean
// another match of its player, or could mean several.
func TestRepeatedWhenItMeansAnotherMatch(t *testing.T) {
	for _, c := range []struct {
		name, before string
		last         string // the request
		days         int    // that pass between meanwhile and then
		meanwhile    string
		then         string
	}{
		{"yesterday's start", "", "start daily", 1, "", ""},
		{"yesterday's start, and today's", "", "start daily", 1, "", "ana start daily"},
		{"a guess at yesterday's", "ana start daily", "miss daily", 1, "", "ana start daily"},
		{"a guess at yesterday's, without a mode", "ana start daily", "miss", 1, "", "ana start daily"},
		{"a hint for yesterday's", "ana start daily", "suggestion", 1, "", "ana start daily"},
		{"yesterday's stop", "ana start daily", "stop daily", 1, "", "ana start daily"},
		{"a guess at the puzzle before yesterday's", "ana start daily; tomorrow", "miss", 1, "ana start daily", "ana start daily"},
		{"a guess before a game alone", "ben start", "miss", 0, "", "ana start solo"},
		{"a guess before a game together", "ana start solo", "miss", 0, "", "ben start"},
		{"a guess in a game begun elsewhere, before a game together", "elsewhere: ana start solo", "miss", 0, "", "ben start"},
		{"a guess at a daily puzzle begun elsewhere, before a game together", "elsewhere: ana start daily", "miss", 0, "", "ben start"},
		{"a hint in a game begun elsewhere, before a game together", "elsewhere: ana start solo", "suggestion", 0, "", "ben start"},
		{"a guess that won, before two other games", "ana start solo", "win", 0, "", "ben start; ana start daily"},
	} {
		t.Run(c.name, func(t *testing.T) {
			forEachKind(t, func(t *testing.T, k game.Kind) {
				stored := &orderedtest.Memory{}
				s := storage.New(stored, toy.Codecs(), storage.Options{})
				defer s.Close()
				state := func() string { return fmt.Sprint((&memory{s, stored}).state()) }
				m, clock := newDaily(t, s, tenWords, k)
				m.Pick = quickPick
				play := func(script string) {
					t.Helper()
					for text := range strings.SplitSeq(script, ";") {
						text, elsewhere := strings.CutPrefix(strings.TrimSpace(text), "elsewhere: ")
						switch {
						case text == "":
						case text == "tomorrow":
							clock.at = clock.at.Add(24 * time.Hour)
						case elsewhere:
							mustPlay(t, m, game.Location{Guild: place.Guild, Channel: "elsewhere"}, text)
						default:
							mustPlay(t, m, place, text)
						}
					}
				}
				play(c.before)
				request := parse(place, "r", "ana "+c.last)
				led, err := request.run(t.Context(), m)
				if err != nil {
					t.Fatal(err)
				}
				play(c.meanwhile)
				clock.at = clock.at.Add(time.Duration(c.days) * 24 * time.Hour)
				play(c.then)
				was := state()
				if got, err := request.run(t.Context(), m); err != nil || !reflect.DeepEqual(got, led) {
					t.Errorf("again it led to %v %s, %v; first to %v %s", got, got.Puzzle, err, led, led.Puzzle)
				}
				if state() != was {
					t.Error("again it changed what is stored")
				}
			})
		})
	}
}
