package game_test

import (
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"fivefold/bot/kinds/wordgame"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/matches"
	"fivefold/game/statistics"
)

// named has a player ask under the names that the player has by now.
func named(o op, name string) op {
	o.origin.Name, o.origin.Global = name, name+" of all"
	return o
}

func mustHaveNames(t *testing.T, what string, got, want game.Names) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Errorf("%s has the names %v, want %v", what, got, want)
	}
}

// TestNames: a match keeps the latest display name of everyone whom it names, and of nobody else; its result, of those who took
// part. A repeated request changes no name.
func TestNames(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane", "slate brick shave"))
	var match game.Match
	for n, step := range []struct{ name, does string }{
		{"Ana", "ana start"}, {"Ben", "ben guess slate"}, {"Cara", "cara letter"}, {"Benedict", "ben guess brick"}, {"", "ana guess shave"},
		{"Eve", "eve stop"}, {"Dora", "dora manage-stop"},
	} {
		var err error
		o := named(parse(place, fmt.Sprint("r", n), step.does), step.name)
		match, err = o.run(t.Context(), m)
		if (err != nil) != (step.name == "Eve") {
			t.Fatalf("%s: %v", step.does, err)
		}
		was := s.state()
		if _, _ = named(o, "Again").run(t.Context(), m); !reflect.DeepEqual(s.state(), was) {
			t.Errorf("%s: the same request changed something under another name", step.does)
		}
	}
	f, err := m.past.Match(t.Context(), game.Viewer{Player: "ben", Location: place}, finished.Past{Match: match.ID})
	if err != nil {
		t.Fatal(err)
	}
	mustHaveNames(t, "the match", f.Match.Names, game.Names{"ana": "Ana", "ben": "Benedict", "cara": "Cara", "dora": "Dora"})
	page, err := m.past.History(t.Context(), game.Viewer{Player: "ben", Location: place}, finished.Filter{Limit: 1}, 0)
	if err != nil || len(page.Entries) != 1 {
		t.Fatalf("the history is %v, %v", page, err)
	}
	mustHaveNames(t, "its result", page.Entries[0].Result.Names, game.Names{"ana": "Ana", "ben": "Benedict", "cara": "Cara"})
}

// TestGlobalNames: a daily puzzle has its player's global name, and so has what is counted from it. A player who asks from
// another server does not bring that server's name along.
func TestGlobalNames(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane", "slate brick"))
	for n, does := range []string{"ana start daily", "ana guess slate", "ana win"} {
		if _, err := named(parse(place, fmt.Sprint("r", n), does), "Ana").run(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	day, err := s.Daily(t.Context(), wordgame.Kind, place.Guild, m.Today(), 5)
	if err != nil || len(day.Listed) != 1 || day.Listed[0].Name != "Ana of all" {
		t.Errorf("the day has %+v, %v", day, err)
	}
	for _, month := range []string{"", game.DailyMonth(m.Today())} {
		board, err := s.Leaderboard(t.Context(), statistics.Scope{Kind: wordgame.Kind, Guild: place.Guild, Month: month}, "ana", statistics.Rows{RankedFrom: 1, Limit: 5})
		if err != nil || len(board.Rows) != 1 || board.Rows[0].Name != "Ana of all" || board.Own.Name != "Ana of all" {
			t.Errorf("the leaderboard of %q is %+v, %v", month, board, err)
		}
	}
	elsewhere := game.Match{Starter: "ana", Mode: game.Racing, Location: game.Location{Guild: "other"}}
	mustHaveNames(t, "a match of another server", elsewhere.Calling(game.Origin{Player: "ana", Location: place, Name: "Ana", Global: "Ana of all"}).Names, game.Names{"ana": "Ana of all"})
}

// TestNamesOfRaces: a race has the names of those who have joined it, and of the giver of a challenge. A racer's match has the
// name of who ended the race. A player who deletes their data leaves no name behind.
func TestNamesOfRaces(t *testing.T) {
	s := newMemory()
	m := newManager(s, mustLists(t, "crane brick", "slate shave"))
	m.Now = func() time.Time { return raceStart }
	by := func(player game.PlayerID, n int) game.Origin {
		name := "Nick of " + string(player)
		return game.Origin{Request: made(time.Second, n), Location: place, Player: player, Name: name, Global: name + ", everywhere", Made: raceStart.Add(time.Second)}
	}
	_, given, err := m.Challenge(t.Context(), by("ana", 1), matches.ChallengeOptions{Kind: wordgame.Kind, Alone: true, Puzzle: "zonky", Clue: "none"})
	if err != nil {
		t.Fatal(err)
	}
	for n, player := range []game.PlayerID{"ben", "cara"} {
		if given, _, err = m.JoinRace(t.Context(), by(player, 2+n), wordgame.Kind, given.ID); err != nil {
			t.Fatal(err)
		}
	}
	want := game.Names{"ana": "Nick of ana", "ben": "Nick of ben", "cara": "Nick of cara"}
	mustHaveNames(t, "the challenge", given.Names, want)
	target := matches.Target{Kind: wordgame.Kind, Mode: game.Challenged}
	if _, err := m.Move(t.Context(), by("ben", 4), target, "zonky"); err != nil {
		t.Fatal(err)
	}
	if given, err = m.EndRace(t.Context(), by("ana", 5), wordgame.Kind, given.ID, false); err != nil {
		t.Fatal(err)
	}
	all, err := m.Standings(t.Context(), given)
	if err != nil || len(all) != 2 {
		t.Fatalf("the standings are %v, %v", all, err)
	}
	mustHaveNames(t, "the match that was stopped", all[1].Match.Names, game.Names{"cara": "Nick of cara", "ana": "Nick of ana"})
	race, _, err := m.StartRace(t.Context(), by("ben", 6), matches.RaceOptions{Kind: wordgame.Kind, Time: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	mustHaveNames(t, "the race", race.Names, game.Names{"ben": "Nick of ben"})
	if _, err := m.EndRace(t.Context(), by("dora", 7), wordgame.Kind, race.ID, true); err != nil {
		t.Fatal(err)
	}
	for n, player := range []game.PlayerID{"ben", "ana", "cara", "dora"} {
		for range 2 { // the second one is a repeated request
			if err := m.past.Delete(t.Context(), by(player, 10+n)); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range s.state() {
			if strings.Contains(string(p.Value), "Nick of "+string(player)) {
				t.Errorf("%q still has the name of %s: %s", p.Key, player, p.Value)
			}
		}
		left, err := s.Race(t.Context(), wordgame.Kind, place.Channel, given.ID)
		if delete(want, player); err != nil {
			t.Fatal(err)
		}
		mustHaveNames(t, "the challenge", left.Names, want)
	}
}

// TestNamesOfReports: reporting a challenge leaves no name in a match that does not name the player, as clearing that player's
// history would not find it.
func TestNamesOfReports(t *testing.T) {
	m := newManager(newMemory(), mustLists(t, "crane brick", "slate shave"))
	by := func(player game.PlayerID) game.Origin {
		return game.Origin{Request: game.RequestID("r" + player), Location: place, Player: player, Name: "Nick of " + string(player)}
	}
	if _, _, err := m.Challenge(t.Context(), by("ana"), matches.ChallengeOptions{Kind: wordgame.Kind, Puzzle: "zonky", Clue: "none"}); err != nil {
		t.Fatal(err)
	}
	match, err := m.ReportMatch(t.Context(), by("ben"), matches.Target{Kind: wordgame.Kind}, game.Reported, false)
	if err != nil {
		t.Fatal(err)
	}
	mustHaveNames(t, "the match", match.Names, game.Names{"ana": "Nick of ana"})
	if match, err = m.ReportMatch(t.Context(), by("dora"), matches.Target{Kind: wordgame.Kind}, game.Removed, true); err != nil {
		t.Fatal(err)
	}
	mustHaveNames(t, "the match that was removed", match.Names, game.Names{"ana": "Nick of ana", "dora": "Nick of dora"})
}
