package storagetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"fivefold/game"
)

// played is a model of histories: every finished match in the order in which they
// ended, with its numbers.
type played struct {
	game   Game
	match  game.Match
	number uint64 // in its community
	log    uint64 // of its result
	gone   bool   // from the history
}

// mustPlayAll plays random matches of all games and modes, by five players in three channels
// of servers and two of direct messages, an hour after one another, and returns them. Some
// that were played alone are shared later, in the channel "shared" or their own.
func mustPlayAll(t *testing.T, s game.Store, games []Game, random *rand.Rand, prefix string, n int) []played {
	t.Helper()
	locations := []game.Location{
		{Guild: "g", Channel: "c1"}, {Guild: "g", Channel: "c2"}, {Guild: "h", Channel: "c3"},
		{Channel: "dm1"}, {Channel: "dm2"},
	}
	last := map[string]uint64{}
	var all []played
	for i := range n {
		player := func() game.PlayerID { return game.PlayerID(fmt.Sprint("p", random.IntN(5))) }
		if random.IntN(3) == 0 {
			player = func() game.PlayerID { return "p0" } // somebody who plays alone
		}
		g := games[random.IntN(len(games))]
		m := g.Match(fmt.Sprint(prefix, i), locations[random.IntN(len(locations))], player(), g.Answers[random.IntN(len(g.Answers))])
		switch random.IntN(4) {
		case 0:
			m = Personal(m, 0)
		case 1:
			m = Personal(m, i+1)
		case 2:
			m = past(m, i+1)
		}
		if m.Mode.Personal() {
			player = func() game.PlayerID { return m.Starter }
		}
		after := time.Duration(i) * time.Hour
		MustCommit(t, s, later(m, after))
		for _, n := range random.Perm(len(g.Answers)) {
			switch {
			case random.IntN(12) == 0:
				m = stop(m, player())
			case random.IntN(5) == 0:
				m = g.hint(m, player())
			default:
				m = g.Guess(t, m, player(), g.Answers[n])
			}
			m = counted(m, random)
			MustCommit(t, s, later(m, after))
			if m.Status() != game.Playing {
				break
			}
		}
		if m.Status() == game.Playing {
			m = counted(stop(m, player()), random)
			MustCommit(t, s, later(m, after))
		}
		m = later(m, after)
		community := m.Location.Community()
		last[community]++
		all = append(all, played{game: g, match: m, number: last[community]})
		share := random.IntN(len(all))
		if p := &all[share].match; p.Mode.Personal() && p.Shared == "" && random.IntN(2) == 0 {
			p.Shared = []game.ChannelID{"shared", p.Location.Channel}[random.IntN(2)]
			for _, channel := range []game.ChannelID{p.Shared, "again"} { // the first one stays
				if err := s.Share(context.Background(), p.ID, channel); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, r := range placed(t, s, resultsOf(all)...) {
		i := slices.IndexFunc(all, func(p played) bool { return p.match.ID == r.Match })
		all[i].log = r.Number
	}
	return all
}

// resultsOf returns the results of all, each with its number in the log.
func resultsOf(all []played) []game.Result {
	results := make([]game.Result, len(all))
	for i, p := range all {
		results[i] = p.match.Result()
		results[i].Number = p.log
	}
	return results
}

// list returns what passes a filter, by plain comparison. The results are those of all.
func list(all []played, results []game.Result, f game.Filter) []game.Entry {
	var entries []game.Entry
	for i, p := range all {
		e := game.Entry{Number: p.number, Result: results[i]}
		if f.Community == "" {
			e.Number = p.log
		}
		own := f.Viewer != "" && slices.Contains(p.match.Named(), f.Viewer)
		if !p.gone && (f.Community == "" || f.Community == p.match.Location.Community()) &&
			(own || e.Result.Public()) && (!e.Result.Public() || f.Community == "" || !slices.Contains(f.Without, e.Result.Channel())) &&
			(f.Player == "" || slices.Contains(p.match.Named(), f.Player)) &&
			(f.Kind == "" || f.Kind == e.Result.Kind) && (f.Status == "" || f.Status == e.Result.Status) &&
			(!f.PlayedOut || e.Result.Status != game.Stopped) && (f.Answer == "" || f.Answer == e.Result.Answer) &&
			(f.Before == 0 || e.Number < f.Before) && e.Number >= f.From {
			entries = append(entries, e)
		}
	}
	if f.From > 0 && len(entries) > f.Limit {
		entries = entries[:f.Limit]
	}
	slices.Reverse(entries)
	return entries[:min(f.Limit, len(entries))]
}

// checkHistory compares what passes random filters with the model, and every match of
// it.
func checkHistory(t *testing.T, s game.Store, games []Game, all []played, random *rand.Rand) {
	t.Helper()
	ctx := context.Background()
	kinds, answers := []game.Kind{"", "", "chess"}, []string{"", "", "", "zebra"}
	for _, g := range games {
		kinds, answers = append(kinds, g.Kind(), g.Kind()), append(answers, g.Answers[0], g.hidden())
	}
	found := map[game.Kind]int{}
	results := resultsOf(all)
	for range 300 {
		f := game.Filter{
			Community: []string{"", "guild/g", "guild/h", "channel/dm1", "channel/dm2", "guild/nobody"}[random.IntN(6)],
			Player:    []game.PlayerID{"", "p0", "p1", "p2", "p3", "nobody"}[random.IntN(6)],
			Kind:      kinds[random.IntN(len(kinds))],
			Status:    []game.Status{"", "", game.Won, game.Lost, game.Stopped}[random.IntN(5)],
			PlayedOut: random.IntN(3) == 0,
			Answer:    answers[random.IntN(len(answers))],
			Limit:     random.IntN(8),
			Viewer:    []game.PlayerID{"", "p0", "p1", "p2", "p3", "p4", "nobody"}[random.IntN(7)],
			Without:   [][]game.ChannelID{nil, nil, {"c1"}, {"shared", "c2"}, {"dm1", "c3", "c9"}}[random.IntN(5)],
		}
		if f.Community == "" {
			f.Viewer = []game.PlayerID{"p0", "p1"}[random.IntN(2)]
			f.Player = f.Viewer
		}
		bound := []uint64{0, 1, 2, uint64(random.IntN(len(all) + 3)), 1 << 62}
		if f.Community == "" {
			bound[2] = all[random.IntN(len(all))].log
			bound[3] = bound[2] + 1
		}
		switch random.IntN(3) {
		case 0:
			f.Before = bound[random.IntN(len(bound))]
		case 1:
			f.From = bound[random.IntN(len(bound))]
		}
		got, err := s.History(ctx, f)
		if want := list(all, results, f); err != nil || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v lists\n%+v, %v, want\n%+v", f, got, err, want)
		}
		found[f.Kind] += len(got)
	}
	for _, g := range games {
		if !slices.ContainsFunc(all, func(p played) bool { return p.gone }) && found[g.Kind()] == 0 {
			t.Errorf("no filter has found a match of %s", g.Kind())
		}
	}
	for _, p := range all {
		got, err := s.Finished(ctx, p.match.ID)
		switch {
		case p.gone && errors.Is(err, game.ErrNotInHistory):
		case err != nil || p.gone || !reflect.DeepEqual(got, game.Finished{Number: p.number, Match: p.match}):
			t.Fatalf("match %s is %v, %v, want number %d, %v (gone: %t)", p.match.ID, got, err, p.number, p.match, p.gone)
		}
	}
}

// testShare: only a finished match of a history can be shared. What it changes is in the model of histories.
func testShare(t *testing.T, g Game, open opener) {
	s := open(t)
	defer closeStore(t, s)
	share := func(when string, id game.MatchID, want error) {
		t.Helper()
		if err := s.Share(t.Context(), id, "c2"); !errors.Is(err, want) {
			t.Errorf("sharing a match %s: %v, want %v", when, err, want)
		}
	}
	location := game.Location{Guild: "g", Channel: "c"}
	solo := Personal(g.Match("solo", location, "ana", g.hidden()), 0)
	MustCommit(t, s, solo)
	share("that is being played", solo.ID, game.ErrNotInHistory)
	share("that there is not", "no such", game.ErrNotInHistory)
	solo = g.Guess(t, solo, "ana", g.hidden())
	MustCommit(t, s, solo)
	share("played alone", solo.ID, nil)
	solo.Shared = "c2"
	mustLoad(t, s, solo)
	together := g.Guess(t, g.Match("together", location, "ana", g.hidden()), "ben", g.hidden())
	mustCommitAll(t, s, together)
	share("played together", together.ID, nil)
	mustLoad(t, s, together)
	mustClear(t, s, "ana", "clear")
	share("that was cleared", solo.ID, game.ErrNotInHistory)
}

func testReviews(t *testing.T, g Game, open opener) {
	s, ctx := open(t), t.Context()
	m := g.Match("m", game.Location{Channel: "c"}, "ana", g.hidden())
	MustCommit(t, s, m)
	for _, m := range []game.Match{m, g.Match("no such", m.Location, "ana", g.hidden())} { // one is being played
		if err := s.SaveReview(ctx, m, g.Review(1)); err != nil {
			t.Error(err)
		}
		if got, ok, err := s.Review(ctx, m); ok || err != nil {
			t.Errorf("match %q, which is in no history, has the review %+v, %v", m.ID, got, err)
		}
	}
	m = g.Guess(t, m, "ana", g.hidden())
	MustCommit(t, s, m)
	for _, skill := range []float64{80, 20} { // the first one stays
		if err := s.SaveReview(ctx, m, g.Review(skill)); err != nil {
			t.Error(err)
		}
		closeStore(t, s)
		s = open(t)
		if got, ok, err := s.Review(ctx, m); !ok || err != nil || !reflect.DeepEqual(got, g.Review(80)) {
			t.Errorf("the review is %+v, %t, %v", got, ok, err)
		}
	}
	closeStore(t, s)
}

// testClear lets one player after another clear their history, and looks for
// their names and for anything of the others that is missing.
func testClear(t *testing.T, games []Game, open opener) {
	s, ctx := open(t), t.Context()
	random := rand.New(rand.NewPCG(13, 14))
	all := mustPlayAll(t, s, games, random, "m", 200)
	var running []game.Match
	for _, g := range games {
		m := g.Match("running "+string(g.Kind()), game.Location{Guild: "g", Channel: "c9"}, "p0", g.hidden())
		running = append(running, g.Guess(t, m, "p0", g.wrong(0)))
	}
	for _, m := range running {
		mustCommitAll(t, s, m)
		for _, id := range []game.MatchID{m.ID, "no such"} {
			if got, err := s.Finished(ctx, id); !errors.Is(err, game.ErrNotInHistory) {
				t.Errorf("match %q: %+v, %v", id, got, err)
			}
		}
	}
	for _, p := range all {
		if err := s.SaveReview(ctx, p.match, p.game.Review(50)); err != nil {
			t.Fatal(err)
		}
	}
	for i, player := range []game.PlayerID{"p0", "nobody", "p3", "p1", "p2", "p4"} {
		mustClear(t, s, player, fmt.Sprint("clear", i))
		for i := range all {
			p := &all[i]
			named := p.match.Named()
			if !slices.Contains(named, player) {
				continue
			}
			p.match = p.match.Without(player)
			if p.match.Result().Anonymous() {
				p.gone = true
				for _, name := range named {
					p.match = p.match.Without(name)
				}
			}
		}
		closeStore(t, s)
		s = open(t)
		checkCleared(t, s, games, player, all)
		checkHistory(t, s, games, all, random)
	}
	if n := len(slices.DeleteFunc(slices.Clone(all), func(p played) bool { return p.gone })); n > 0 {
		t.Errorf("everybody is anonymous, and %d matches are listed", n)
	}
	for _, m := range running {
		mustLoad(t, s, m)
	}
	closeStore(t, s)
}

// checkCleared looks for the name of a player who has cleared their history, and checks that
// totals and leaderboards are those of the log.
func checkCleared(t *testing.T, s game.Store, games []Game, player game.PlayerID, all []played) {
	t.Helper()
	ctx := context.Background()
	log, err := s.Results(ctx, 0, len(all)+1)
	if err != nil || len(log) != len(all) {
		t.Fatalf("the log has %d results, %v, want %d", len(log), err, len(all))
	}
	for i, r := range log {
		want := all[i].match.Result()
		want.Number = all[i].log
		if !reflect.DeepEqual(r, want) {
			t.Fatalf("without %s a result is %+v, want %+v", player, r, want)
		}
		// The request that started it still leads to the match, which no list may have.
		p := all[i].match
		got, version, err := s.Repeated(ctx, game.ChannelSlot(p.Kind, p.Location.Channel), request(p.Rewind(1)))
		if err != nil || version != 1 || !reflect.DeepEqual(got, p) {
			t.Fatalf("without %s match %s is %v at %d, %v; it names %q, want %q", player, p.ID, got, version, err, got.Named(), p.Named())
		}
		_, ok, err := s.Review(ctx, p)
		if ok == all[i].gone || err != nil {
			t.Errorf("match %s has a review: %t, %v; it is gone: %t", r.Match, ok, err, all[i].gone)
		}
	}
	checkStatistics(t, s, games, log)
}

// testClearRepeated delivers a request to clear a history again, after its player
// has played on.
func testClearRepeated(t *testing.T, g Game, open opener) {
	s, ctx := open(t), t.Context()
	location := game.Location{Guild: "g", Channel: "c"}
	win := func(id string) {
		mustCommitAll(t, s, g.Guess(t, g.Match(id, location, "ana", g.hidden()), "ana", g.hidden()))
	}
	win("m1")
	mustClear(t, s, "ana", "clear")
	win("m2")
	closeStore(t, s)
	s = open(t)
	defer closeStore(t, s)
	mustClear(t, s, "ana", "clear")
	if got, err := s.Totals(ctx, game.Scope{Kind: g.Kind(), Guild: "g"}, "ana"); got.Other.Won != 1 || err != nil {
		t.Errorf("the same request cleared twice: %+v, %v", got, err)
	}
	got, err := s.History(ctx, game.Filter{Community: location.Community(), Limit: 10})
	if err != nil || len(got) != 1 || got[0].Number != 2 {
		t.Errorf("the history is %+v, %v, want number 2 alone", got, err)
	}
}
