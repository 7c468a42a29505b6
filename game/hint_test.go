package game_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/matches"
)

// TestSuggestionIsGivenAgain: after the same guess it is neither counted nor committed again.
func TestSuggestionIsGivenAgain(t *testing.T) {
	forEachKind(t, func(t *testing.T, k game.Kind) {
		s := newMemory()
		m := newManager(s, mustLists(t, "crane slate brick", "mound"))
		m.kind = k
		match := mustPlay(t, m, place, "ana start; ana miss; ana suggestion")
		if k == wordgame.Kind { // another hint after it changes nothing, and is a new one
			match = mustPlay(t, m, place, "ana letter")
			if len(match.Hints) != 2 || match.Hints[1].Kind != game.HintLetter {
				t.Fatalf("the hints are %+v", match.Hints)
			}
		}
		suggestion := match.Hints[0]
		if want := suggestFor(t, m, match); suggestion.Kind != game.HintSuggestion || !reflect.DeepEqual(suggestion.Content, want) {
			t.Fatalf("the suggestion is %+v, want %+v", suggestion, want)
		}
		was := s.state()
		got, err := parse(place, "again", "ben suggestion").run(t.Context(), m)
		if err != nil || len(got.Hints) != len(match.Hints) || !reflect.DeepEqual(got.Hints[len(got.Hints)-1], suggestion) {
			t.Errorf("asked again: %+v, %v; want %+v last", got.Hints, err, suggestion)
		}
		if !reflect.DeepEqual(s.state(), was) {
			t.Error("a suggestion that was there already was committed")
		}
		if !reflect.DeepEqual(match.Hints[0], suggestion) {
			t.Error("asking again changed a match that was handed out")
		}
		// After another guess there is another suggestion.
		next := mustPlay(t, m, place, "ana miss; ana suggestion")
		if n := len(next.Hints); n != len(match.Hints)+1 || next.Hints[n-1].After != 2 {
			t.Errorf("after one more guess: %+v", next.Hints)
		}
	})
}

// suggestFor returns what a suggestion for the match shows, as its rules say.
func suggestFor(tb testing.TB, m machine, match game.Match) game.HintContent {
	tb.Helper()
	i := slices.IndexFunc(m.Rules, func(r game.Rules) bool { return r.Kind() == match.Kind })
	content, err := m.Rules[i].Hint(tb.Context(), match, game.HintSuggestion, nil, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return content
}

// TestMatchChangesDuringSuggestion forces something else to be committed between the look at the match and the suggestion for it.
func TestMatchChangesDuringSuggestion(t *testing.T) {
	lists := mustLists(t, "crane slate brick grape", "mound")
	for _, c := range []struct {
		name, meanwhile string
		want            error
		after, hints    int // of the suggestion and of the match
	}{
		{"a guess", "ben guess slate", nil, 1, 1},
		{"a hint", "ben letter", nil, 0, 2},
		{"the same suggestion", "ben suggestion", nil, 0, 1},
		{"the end", "ben guess brick", game.ErrEnded, 0, 0},
		{"a stop", "ana stop", game.ErrEnded, 0, 0},
		{"another match", "ana stop; ben start", nil, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newMemory()
			other := newManager(s, lists)
			mustPlay(t, other, place, "ana start")
			var first sync.Once
			m := newManager(&hooks{Store: s, loaded: func(game.Slot) { first.Do(func() { mustPlay(t, other, place, c.meanwhile) }) }}, lists)
			got, err := parse(place, "r", "cleo suggestion together").run(t.Context(), m)
			stored, loadErr := s.Load(t.Context(), game.ChannelSlot(wordgame.Kind, place.Channel))
			if !errors.Is(err, c.want) || loadErr != nil || !reflect.DeepEqual(got, stored) {
				t.Fatalf("got %v, %v; %v is stored", got, err, stored)
			}
			if len(got.Hints) != c.hints {
				t.Fatalf("the match has the hints %+v, want %d", got.Hints, c.hints)
			}
			if c.want != nil {
				return
			}
			want := suggestFor(t, m, got)
			if h := got.Hints[len(got.Hints)-1]; h.After != c.after || !reflect.DeepEqual(h.Content, want) {
				t.Errorf("the suggestion is %+v, want %+v after %d guesses", h, want, c.after)
			}
		})
	}
}

// TestHintLimit: a match allows as many hints as it was started with, all players together. One that was given already is given
// again.
func TestHintLimit(t *testing.T) {
	limit := func(most int) game.HintLimit { return game.HintLimit{Limited: true, Most: most} }
	for _, c := range []struct {
		name   string
		limit  game.HintLimit
		script string // after the start; the last request is looked at
		want   bool   // whether it gives a hint
		hints  int
	}{
		{"no limit", game.HintLimit{}, "ana letter; ben position; ana letter", true, 3},
		{"off", limit(0), "ana letter", false, 0},
		{"off, a suggestion", limit(0), "ana suggestion", false, 0},
		{"the last one", limit(2), "ana letter; ben position", true, 2},
		{"one too many", limit(2), "ana letter; ben position; cleo letter", false, 2},
		{"the same again", limit(1), "ana suggestion; ben suggestion", true, 1},
		{"another one after a guess", limit(1), "ana suggestion; ana guess slate; ben suggestion", false, 1},
	} {
		m := newManager(newMemory(), mustLists(t, "crane shave", "slate"))
		o := game.Origin{Request: "start", Location: place, Player: "ana"}
		if _, err := m.Start(t.Context(), o, matches.StartOptions{Kind: wordgame.Kind, Hints: c.limit}); err != nil {
			t.Fatal(err)
		}
		script := strings.Split(c.script, "; ")
		if len(script) > 1 {
			mustPlay(t, m, place, strings.Join(script[:len(script)-1], "; "))
		}
		match, err := parse(place, "last", script[len(script)-1]).run(t.Context(), m)
		refused := new(game.HintLimitError)
		if errors.As(err, &refused) == c.want || err != nil && !errors.As(err, &refused) || len(match.Hints) != c.hints {
			t.Errorf("%s: %v with %d hints, %v", c.name, match, len(match.Hints), err)
		}
		if !c.want && refused.Limit != c.limit {
			t.Errorf("%s: refused because of %+v", c.name, refused.Limit)
		}
		if left, limited := match.HintsLeft(); limited != c.limit.Limited || limited && left != c.limit.Most-c.hints {
			t.Errorf("%s: %d hints are left, limited: %t", c.name, left, limited)
		}
	}
}

func TestHintLimitWithin(t *testing.T) {
	none, two, off := game.HintLimit{}, game.HintLimit{Limited: true, Most: 2}, game.HintLimit{Limited: true}
	for _, c := range []struct{ own, server, want game.HintLimit }{
		{none, none, none}, {none, two, two}, {two, none, two}, {two, off, off}, {off, two, off}, {off, none, off}, {two, two, two},
	} {
		if got := c.own.Within(c.server); got != c.want {
			t.Errorf("%+v within %+v is %+v, want %+v", c.own, c.server, got, c.want)
		}
	}
}
