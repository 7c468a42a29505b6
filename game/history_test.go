package game_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"fivefold/game"
)

// mustWin plays a number of matches that a player wins with one guess, in a
// place.
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
	if _, err := m.Finished(t.Context(), game.Viewer{Location: place}, 0); !errors.Is(err, game.ErrNoMatch) {
		t.Errorf("the latest of an empty channel: %v", err)
	}
	first := mustPlay(t, m, place, "ana start; ana guess slate; ana guess crane")
	second := mustPlay(t, m, other, "ben start; ben stop")
	playing := mustPlay(t, m, place, "cleo start; cleo guess brick")
	for _, c := range []struct {
		name   string
		place  game.Location
		number uint64
		want   game.Finished
		err    error
	}{
		{"by number", place, 1, game.Finished{Number: 1, Match: first}, nil},
		{"of another channel", place, 2, game.Finished{}, game.ErrOtherChannel},
		{"the latest", other, 0, game.Finished{Number: 2, Match: second}, nil},
		{"the latest is played", place, 0, game.Finished{Match: playing}, game.ErrNotFinished},
		{"the one that is played, by number", place, 3, game.Finished{}, game.ErrNotInHistory},
		{"the greatest number there is", place, 1<<64 - 1, game.Finished{}, game.ErrNotInHistory},
		{"of another server", game.Location{Guild: "h", Channel: "c"}, 1, game.Finished{}, game.ErrNotInHistory},
		{"of direct messages", game.Location{Channel: "c"}, 1, game.Finished{}, game.ErrNotInHistory},
	} {
		got, err := m.Finished(t.Context(), game.Viewer{Location: c.place}, c.number)
		if !errors.Is(err, c.err) || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, %v; want %v, %v", c.name, got, err, c.want, c.err)
		}
	}
	if playing.Status() != game.Playing {
		t.Error("the last match is over")
	}
}

// TestShareAgain: a match that its player has shared can be shared from any channel, and stays
// where it was shared first. No other player can share it, and a match played together cannot
// be shared.
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
		f, err := m.Share(t.Context(), game.Origin{Request: "share", Player: c.player, Location: c.location}, c.number)
		if !errors.Is(err, c.err) || err == nil && f.Match.Shared != place.Channel {
			t.Errorf("%s shares match %d in %s: it is shared in %q, %v", c.player, c.number, c.location.Channel, f.Match.Shared, err)
		}
	}
}

// TestFinishedForgotten: a match that was removed is told apart from one that never
// existed, and the numbers continue.
func TestFinishedForgotten(t *testing.T) {
	store := newMemory()
	m := newManager(store, mustLists(t, "crane slate", "brick"))
	mustPlay(t, m, place, "ana start; ana guess crane")
	mustPlay(t, m, place, "ana start; ana guess slate")
	if n, err := store.Forget(t.Context(), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)); n != 2 || err != nil {
		t.Fatalf("%d matches were removed, %v", n, err)
	}
	mustPlay(t, m, place, "ana start; ana guess crane")
	elsewhere := game.Location{Guild: "h", Channel: "c"}
	for _, c := range []struct {
		where  game.Location
		number uint64
		want   error
	}{{place, 1, game.ErrForgotten}, {place, 2, game.ErrForgotten}, {place, 3, nil}, {place, 4, game.ErrNotInHistory}, {elsewhere, 1, game.ErrNotInHistory}} {
		if _, err := m.Review(t.Context(), game.Viewer{Player: "ana", Location: c.where}, c.number); !errors.Is(err, c.want) {
			t.Errorf("match %d of %v: %v, want %v", c.number, c.where, err, c.want)
		}
	}
}

func TestNamedAndWithout(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane", "slate brick mound"))
	match := mustPlay(t, m, place, "ana start; ben guess slate; ana guess brick; cleo letter; ben guess mound; mia manage-stop")
	before := fmt.Sprintf("%+v %+v %+v %v", match.Moves, match.Hints, match.Stop, match.Starter)
	for _, c := range []struct {
		without game.PlayerID
		want    []game.PlayerID
	}{
		{"zoe", []game.PlayerID{"ana", "ben", "cleo", "mia"}},
		{"ana", []game.PlayerID{"ben", "cleo", "mia"}},
		{"ben", []game.PlayerID{"ana", "cleo", "mia"}},
		{"cleo", []game.PlayerID{"ana", "ben", "mia"}},
		{"mia", []game.PlayerID{"ana", "ben", "cleo"}},
	} {
		got := match.Without(c.without)
		if !slices.Equal(got.Named(), c.want) {
			t.Errorf("without %s it names %q, want %q", c.without, got.Named(), c.want)
		}
		if got.State != match.State || got.Version != match.Version || len(got.Hints) != 1 || got.Result().Attempts != 3 {
			t.Errorf("without %s more has changed: %v", c.without, got)
		}
	}
	if after := fmt.Sprintf("%+v %+v %+v %v", match.Moves, match.Hints, match.Stop, match.Starter); after != before {
		t.Errorf("the match itself has changed from %s to %s", before, after)
	}
	// Two players who are anonymous are one participant.
	participants := match.Without("ana").Without("ben").Result().Participants
	if want := []game.Participant{{Guesses: 3}, {Player: "cleo", Hints: 1}}; !slices.Equal(participants, want) {
		t.Errorf("the participants are %+v, want %+v", participants, want)
	}
	if r := match.Without("ana").Without("ben").Result(); r.Anonymous() || !match.Without("ana").Without("ben").Without("cleo").Result().Anonymous() {
		t.Error("a match is anonymous once no participant has a name, and not before")
	}
	if match.Result().Answer != "CRANE" {
		t.Error("the result has another word")
	}
}

// TestFinishedOfAllKinds: the last match of a channel is the one that ended last, of
// whichever kind.
func TestFinishedOfAllKinds(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane", "slate"))
	now := m.Now()
	m.Now = func() time.Time { now = now.Add(time.Second); return now }
	check := func(want game.Match) {
		t.Helper()
		if got, err := m.Finished(t.Context(), game.Viewer{Location: place}, 0); err != nil || got.Match.ID != want.ID {
			t.Errorf("the last one is %v, %v, want %v", got.Match, err, want)
		}
	}
	poker := mustPlay(t, m, place, "ana start pokle; ana win pokle")
	check(poker)
	word := mustPlay(t, m, place, "ana start; ana guess crane")
	check(word)
	mustPlay(t, m, place, "ana start pokle; ana miss pokle")
	check(word)
	check(mustPlay(t, m, place, "ana win pokle"))
	// What somebody plays alone is not the channel's.
	mustPlay(t, m, place, "ana start solo; ana win; ana start daily; ana win daily")
	check(mustPlay(t, m, place, "ben start pokle; ben win pokle"))
}

// TestFinishedOwn: without a number a player means the match that ended last here, the
// player's own among them; other players never mean that one.
func TestFinishedOwn(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane slate", "brick"))
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	m.Now = func() time.Time { now = now.Add(time.Second); return now }
	together := mustPlay(t, m, place, "ana start; ana win")
	solo := mustPlay(t, m, place, "ana start solo; ana win solo")
	for _, c := range []struct {
		l      game.Location
		player game.PlayerID
		want   game.MatchID
	}{
		{place, "ana", solo.ID},
		{place, "ben", together.ID},
		{place, "", together.ID},
		{game.Location{Guild: "g", Channel: "elsewhere"}, "ana", solo.ID},
		{game.Location{Guild: "g", Channel: "elsewhere"}, "ben", ""},
		{game.Location{Guild: "h", Channel: "elsewhere"}, "ana", ""},
	} {
		f, err := m.Finished(t.Context(), game.Viewer{Player: c.player, Location: c.l}, 0)
		if f.Match.ID != c.want || (c.want == "") != errors.Is(err, game.ErrNoMatch) {
			t.Errorf("the latest of %s in %v is %v, %v", c.player, c.l, f.Match, err)
		}
	}
}
