package game_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/finished"
)

// mustWin plays a number of matches that a player wins with one guess, in a place.
func mustWin(tb testing.TB, m machine, p game.Location, player game.PlayerID, n int) {
	tb.Helper()
	o := func(i int, step string) game.Origin {
		return game.Origin{Request: game.RequestID(fmt.Sprint(p.Channel, player, i, step)), Location: p, Player: player}
	}
	for i := range n {
		start := op{origin: o(i, "start"), verb: "start"}
		win := op{origin: o(i, "guess"), verb: "win"}
		for _, op := range []op{start, win} {
			if _, err := op.run(tb.Context(), m); err != nil {
				tb.Fatal(err)
			}
		}
	}
}

func TestFinished(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane slate", "brick"))
	other := game.Location{Guild: "g", Channel: "c2"}
	if _, err := m.past.Match(t.Context(), game.Viewer{Location: place}, finished.Past{}); !errors.Is(err, game.ErrNoMatch) {
		t.Errorf("the latest of an empty channel: %v", err)
	}
	first := mustPlay(t, m, place, "ana start; ana guess slate; ana guess crane")
	second := mustPlay(t, m, other, "ben start; ben stop")
	playing := mustPlay(t, m, place, "cleo start; cleo guess brick")
	for _, c := range []struct {
		name  string
		place game.Location
		which finished.Past
		want  game.Match
		err   error
	}{
		{"by number", place, finished.Past{Number: 1}, first, nil},
		{"by id", place, finished.Past{Match: first.ID}, first, nil},
		{"of another channel", place, finished.Past{Number: 2}, game.Match{}, game.ErrOtherChannel},
		{"of another channel, by id", place, finished.Past{Match: second.ID}, game.Match{}, game.ErrOtherChannel},
		{"the latest", other, finished.Past{}, second, nil},
		{"the latest is played", place, finished.Past{}, playing, game.ErrNotFinished},
		{"the one that is played, by number", place, finished.Past{Number: 3}, game.Match{}, game.ErrNotInHistory},
		{"the one that is played, by id", place, finished.Past{Match: playing.ID}, game.Match{}, game.ErrNotInHistory},
		{"the greatest number there is", place, finished.Past{Number: 1<<64 - 1}, game.Match{}, game.ErrNotInHistory},
		{"of another server", game.Location{Guild: "h", Channel: "c"}, finished.Past{Number: 1}, game.Match{}, game.ErrNotInHistory},
		{"of another server, by id", game.Location{Guild: "h", Channel: "c"}, finished.Past{Match: first.ID}, game.Match{}, game.ErrNotInHistory},
		{"of direct messages", game.Location{Channel: "c"}, finished.Past{Number: 1}, game.Match{}, game.ErrNotInHistory},
	} {
		got, err := m.past.Match(t.Context(), game.Viewer{Location: c.place}, c.which)
		if !errors.Is(err, c.err) || !reflect.DeepEqual(got.Match, c.want) {
			t.Errorf("%s: got %v, %v; want %v, %v", c.name, got, err, c.want, c.err)
		}
	}
	if playing.Status() != game.Playing {
		t.Error("the last match is over")
	}
}

// TestShareAgain: a match that its player has shared can be shared from any channel, and stays where it was shared first. No
// other player can share it, and a match played together cannot be shared.
func TestShareAgain(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane slate", "brick"))
	mustPlay(t, m, place, "ana start solo; ana guess solo slate; ana guess solo crane")
	mustPlay(t, m, place, "ben start; ben stop")
	elsewhere := game.Location{Guild: place.Guild, Channel: "c2"}
	for _, c := range []struct {
		player   game.PlayerID
		location game.Location
		number   uint64
		err      error
	}{
		{"ben", place, 1, game.ErrNotInHistory},
		{"ana", place, 1, nil},
		{"ana", elsewhere, 1, nil},
		{"ben", elsewhere, 1, game.ErrNotOwn},
		{"ana", elsewhere, 2, game.ErrNotAlone},
	} {
		f, err := m.past.Share(t.Context(), game.Origin{Request: "share", Player: c.player, Location: c.location}, finished.Past{Number: c.number})
		if !errors.Is(err, c.err) || err == nil && f.Match.Shared != place.Channel {
			t.Errorf("%s shares match %d in %s: it is shared in %q, %v", c.player, c.number, c.location.Channel, f.Match.Shared, err)
		}
	}
}

// TestNamedAndWithout: a player made anonymous is named nowhere in the match, and nothing else of it changes but what the player
// has said of it.
func TestNamedAndWithout(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane", "slate brick mound"))
	match := mustPlay(t, m, place, "ana start; ben guess slate; ana guess brick; cleo letter; ben guess mound; mia manage-stop")
	match.Challenge = &game.Challenge{Clue: "ours"}
	written := func(m game.Match) string { return fmt.Sprintf("%+v %+v %+v %v", m.Moves, m.Hints, m.Stop, m.Starter) }
	before, named := written(match), []game.PlayerID{"ana", "ben", "cleo", "mia"}
	for _, p := range append(named, "zoe") {
		got := match.Without(p)
		if want := slices.DeleteFunc(slices.Clone(named), func(q game.PlayerID) bool { return q == p }); !slices.Equal(got.Named(), want) {
			t.Errorf("without %s it names %q, want %q", p, got.Named(), want)
		}
		if strings.ReplaceAll(before, string(p), "") != written(got) || got.State != match.State || got.Version != match.Version ||
			(got.Challenge.Clue == "") != (p == "ana") {
			t.Errorf("without %s: %s, was %s", p, written(got), before)
		}
	}
	if after := written(match); after != before {
		t.Errorf("the match itself has changed from %s to %s", before, after)
	}
	// Two players who are anonymous are one participant.
	r := match.Without("ana").Without("ben").Result()
	if want := []game.Participant{{Guesses: 3}, {Player: "cleo", Hints: 1}}; !slices.Equal(r.Participants, want) || r.Anonymous() ||
		!match.Without("ana").Without("ben").Without("cleo").Result().Anonymous() {
		t.Errorf("the participants are %+v, want %+v", r.Participants, want)
	}
}

// TestFinishedLast: without a number a player means the match that ended last here, of whichever kind, or an own one; other
// players never mean that one.
func TestFinishedLast(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane slate", "brick"))
	now := m.Now()
	m.Now = func() time.Time { now = now.Add(time.Second); return now }
	elsewhere := game.Location{Guild: "g", Channel: "elsewhere"}
	for _, c := range []struct {
		script    string
		ana, ben  bool // whether it is the last match of theirs here
		elsewhere bool // whether it is ana's elsewhere
	}{
		{"ana start pokle; ana win pokle", true, true, false},
		{"ana start; ana guess crane", true, true, false},
		{"ana start solo; ana win solo", true, false, true},
		{"ana start daily toy; ana win daily toy", true, false, true},
		{"ben start pokle; ben win pokle", true, true, false},
		{"ben start solo; ben win solo", false, true, false},
	} {
		want := mustPlay(t, m, place, c.script)
		for _, see := range []struct {
			player game.PlayerID
			l      game.Location
			want   bool
		}{{"ana", place, c.ana}, {"ben", place, c.ben}, {"", place, c.ana && c.ben}, {"ana", elsewhere, c.elsewhere}, {"dan", elsewhere, false}, {"ana", game.Location{Guild: "h", Channel: "c2"}, false}} {
			f, err := m.past.Match(t.Context(), game.Viewer{Player: see.player, Location: see.l}, finished.Past{})
			if got := err == nil && f.Match.ID == want.ID; got != see.want {
				t.Errorf("after %q, the last match of %q in %s is %v, %v", c.script, see.player, see.l.Channel, f.Match, err)
			}
		}
	}
}
