package storagetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/game"
)

// later returns a match as if all of it had happened later.
func later(m game.Match, by time.Duration) game.Match {
	m.Started = m.Started.Add(by)
	m.Moves, m.Hints = slices.Clone(m.Moves), slices.Clone(m.Hints)
	for i := range m.Moves {
		m.Moves[i].At = m.Moves[i].At.Add(by)
	}
	for i := range m.Hints {
		m.Hints[i].At = m.Hints[i].At.Add(by)
	}
	if m.Stop != nil {
		stop := *m.Stop
		stop.At = stop.At.Add(by)
		m.Stop = &stop
	}
	return m
}

// testForget removes the oldest matches of a history in several steps. What stays is as it
// was, and statistics do not change.
func testForget(t *testing.T, games []Game, open opener) {
	s, ctx := open(t), t.Context()
	random := rand.New(rand.NewPCG(15, 16))
	all := mustPlayAll(t, s, games, random, "m", 160)
	var log []game.Result
	for i, p := range all {
		r := p.match.Result()
		r.Number = p.log
		log = append(log, r)
		if i%3 == 0 {
			if err := s.SaveReview(ctx, p.match, p.game.Review(50)); err != nil {
				t.Fatal(err)
			}
		}
	}
	slots := map[game.Slot]game.MatchID{}
	for _, p := range all {
		slots[p.match.Slot()] = p.match.ID
	}
	for _, gone := range []int{0, 1, 40, 40, 111, len(all)} {
		before := Epoch.Add(1000 * time.Hour)
		if gone < len(all) {
			before = all[gone].match.Ended()
		}
		was := len(slices.DeleteFunc(slices.Clone(all), func(p played) bool { return !p.gone }))
		if n, err := s.Forget(ctx, before); n != gone-was || err != nil {
			t.Fatalf("%d matches were removed, %v, want %d", n, err, gone-was)
		}
		last := map[string]uint64{}
		for i := range all[:gone] {
			all[i].gone = true
			last[all[i].match.Location.Community()] = all[i].number
		}
		closeStore(t, s)
		s = open(t)
		checkHistory(t, s, games, all, random)
		got, err := s.Results(ctx, 0, len(all)+1)
		if want := log[gone:]; err != nil || len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("the log has %d results, %v, want %d", len(got), err, len(want))
		}
		checkStatistics(t, s, games, log)
		for _, community := range []string{"guild/g", "guild/h", "channel/dm1", "channel/dm2", "guild/nobody"} {
			if n, err := s.Forgotten(ctx, community); n != last[community] || err != nil {
				t.Errorf("the last match removed in %s is %d, %v, want %d", community, n, err, last[community])
			}
		}
		for _, p := range all {
			if _, ok, err := s.Review(ctx, p.match); ok && p.gone || err != nil {
				t.Errorf("match %s has a review: %t, %v; it is gone: %t", p.match.ID, ok, err, p.gone)
			}
			if slots[p.match.Slot()] != p.match.ID {
				continue
			}
			if m, err := s.Load(ctx, p.match.Slot()); p.gone != errors.Is(err, game.ErrNoMatch) || !p.gone && !reflect.DeepEqual(m, p.match) {
				t.Errorf("its slot has %v, %v, want %v; it is gone: %t", m, err, p.match, p.gone)
			}
			if _, version, err := s.Repeated(ctx, p.match.Slot(), request(p.match)); (version == 0) != p.gone || err != nil {
				t.Errorf("the last request of match %s led to version %d, %v; it is gone: %t", p.match.ID, version, err, p.gone)
			}
		}
	}
	defer closeStore(t, s)
	// Numbers go on, and a player who clears everything leaves nothing in any scope.
	g := games[0]
	m := later(g.Guess(t, g.Match("next", game.Location{Guild: "g", Channel: "c1"}, "p0", g.hidden()), "p0", g.hidden()), 2000*time.Hour)
	mustCommitAll(t, s, m)
	last, err := s.Forgotten(ctx, "guild/g")
	if got, finished := s.Finished(ctx, m.ID); err != nil || finished != nil || got.Number != last+1 {
		t.Errorf("the next match has the number %d, %v, %v, want %d", got.Number, err, finished, last+1)
	}
	log = placed(t, s, append(log, m.Result())...)
	if got, err := s.Results(ctx, 0, 10); err != nil || !reflect.DeepEqual(got, log[len(log)-1:]) {
		t.Errorf("the log is %+v, %v, want %+v", got, err, log[len(log)-1:])
	}
	for _, player := range []game.PlayerID{"p0", "p3", "nobody"} {
		mustClear(t, s, player, fmt.Sprint("clear", player))
		log = without(log, player)
		checkStatistics(t, s, games, log)
	}
}

// without returns a log in which a player is anonymous.
func without(log []game.Result, player game.PlayerID) []game.Result {
	log = slices.Clone(log)
	for i, r := range log {
		log[i].Participants = slices.Clone(r.Participants)
		if r.Winner == player {
			log[i].Winner = ""
		}
		for n, p := range r.Participants {
			if p.Player == player {
				log[i].Participants[n].Player = ""
			}
		}
	}
	return log
}

// checkStatistics compares all totals and leaderboards with those of a log of everything
// that was ever played.
func checkStatistics(t *testing.T, s game.Store, games []Game, log []game.Result) {
	t.Helper()
	tally := game.Tally(log)
	for _, g := range games {
		for _, guild := range []game.GuildID{"", "g", "h"} {
			for _, month := range []string{"", game.DailyMonth(1), game.DailyMonth(40)} {
				scope := game.Scope{Kind: g.Kind(), Guild: guild, Month: month}
				if guild != "" {
					checkLeaderboard(t, s, scope, log)
				}
				for _, player := range []game.PlayerID{"p0", "p1", "p2", "p3", "p4", "nobody"} {
					want := tally[scope][player]
					want.Player = player
					if got, err := s.Totals(context.Background(), scope, player); got != want || err != nil {
						t.Errorf("totals of %s in %v: %+v, %v; want %+v", player, scope, got, err, want)
					}
				}
			}
		}
	}
}

// checkDailies compares what a store says about daily puzzles in servers with a log of everything that was
// ever played, and of what is left of it.
func checkDailies(t *testing.T, s game.Store, games []Game, log, left []game.Result) {
	t.Helper()
	const numbers = 70
	for _, g := range games {
		for _, guild := range []game.GuildID{"g", "h"} {
			is := func(r game.Result, number int) bool {
				n, daily := r.Puzzle.Daily()
				return daily && n == number && r.Kind == g.Kind() && slices.Contains(r.CountsIn(), guild)
			}
			var solved []int
			for number := range numbers {
				if slices.ContainsFunc(log, func(r game.Result) bool { return is(r, number) && r.Status == game.Won }) {
					solved = append(solved, number)
				}
				var want []string
				for _, r := range left {
					if p := r.Participants; is(r, number) && p[0].Player != "" {
						want = append(want, fmt.Sprint(game.DailyResult{Player: p[0].Player, Match: r.Match, Won: r.Status == game.Won, Guesses: p[0].Guesses, Hints: p[0].Hints}))
					}
				}
				all, err := s.Daily(context.Background(), g.Kind(), guild, number, 100)
				var got []string
				for i, d := range all.Listed {
					if got = append(got, fmt.Sprint(d)); i > 0 && d.Score() < all.Listed[i-1].Score() {
						t.Errorf("%v is listed after %v", d, all.Listed[i-1])
					}
				}
				slices.Sort(want)
				slices.Sort(got)
				if err != nil || !slices.Equal(got, want) || all.Players != len(want) {
					t.Errorf("daily %d in %s: %d players, %v, %v, want %v", number, guild, all.Players, got, err, want)
				}
			}
			if got, err := s.SolvedDays(context.Background(), g.Kind(), guild, 0, numbers); err != nil || !slices.Equal(got, solved) {
				t.Errorf("solved in %s: %v, %v, want %v", guild, got, err, solved)
			}
		}
	}
}

// testModel plays, forgets and clears in random turns, next to a plain log of everything.
func testModel(t *testing.T, games []Game, open opener) {
	s, ctx := open(t), t.Context()
	random := rand.New(rand.NewPCG(17, 18))
	guilds := []game.GuildID{"", "g", "h"}
	playing := map[game.Slot]game.Match{}
	hours := map[game.MatchID]int{} // when a match is played
	var log []game.Result           // with what was removed
	gone := map[game.MatchID]bool{}
	numbers := map[string]int{} // of the latest daily puzzle, by kind and player
	left := func() []game.Result {
		return slices.DeleteFunc(slices.Clone(log), func(r game.Result) bool { return gone[r.Match] })
	}
	for i := range 500 * len(games) {
		g := games[random.IntN(len(games))]
		channel := game.ChannelID(fmt.Sprint("c", random.IntN(6)))
		player := game.PlayerID(fmt.Sprint("p", random.IntN(5)))
		if random.IntN(3) == 0 { // more than a leaderboard shows
			player = game.PlayerID(fmt.Sprint("p", random.IntN(40)))
		}
		if random.IntN(3) == 0 { // a daily puzzle at once, of the next number
			player = game.PlayerID(fmt.Sprint("p", random.IntN(6)))
			name := fmt.Sprint(g.Kind(), player)
			numbers[name]++
			m := later(g.daily(t, game.Location{Guild: guilds[random.IntN(len(guilds))], Channel: channel}, player, numbers[name], random.IntN(6)-1), time.Duration(i)*time.Hour)
			mustCommitAll(t, s, m)
			if random.IntN(3) == 0 {
				guild := guilds[random.IntN(len(guilds))]
				for range 2 { // the second time it changes nothing
					if err := s.ShareIn(ctx, m.ID, guild); err != nil {
						t.Fatalf("step %d: sharing: %v", i, err)
					}
				}
				if guild != "" && guild != m.Location.Guild {
					m.Guilds = []game.GuildID{guild}
				}
			}
			log = placed(t, s, append(log, m.Result())...)
			continue
		}
		slot := game.ChannelSlot(g.Kind(), channel)
		m, ok := playing[slot]
		switch choice := random.IntN(60); {
		case choice == 0:
			before := Epoch.Add(time.Duration(i-random.IntN(200)) * time.Hour)
			want := 0
			for _, r := range left() {
				if !r.Ended.Before(before) {
					break
				}
				gone[r.Match] = true
				want++
			}
			if n, err := s.Forget(ctx, before); n != want || err != nil {
				t.Fatalf("step %d: %d matches were removed, %v, want %d", i, n, err, want)
			}
			continue
		case choice == 1 && random.IntN(4) == 0:
			mustClear(t, s, player, fmt.Sprint("clear", i))
			log = without(log, player)
			continue
		case !ok:
			m = g.Match(fmt.Sprint("m", i), game.Location{Guild: guilds[int(channel[1])%len(guilds)], Channel: channel}, player, g.hidden())
			hours[m.ID] = i
		case choice < 4:
			m = stop(m, player)
		case choice < 8:
			m = g.hint(m, player)
		default:
			answer := g.Answers[random.IntN(len(g.Answers))]
			if _, err := g.Move(answer)(m.State); err != nil {
				continue
			}
			m = g.Guess(t, m, player, answer)
		}
		m = counted(m, random)
		at := later(m, time.Duration(hours[m.ID])*time.Hour)
		if random.IntN(10) == 0 { // a commit that must change nothing
			stale := Change(at)
			stale.Match.Version += 1 + uint64(random.IntN(2))
			if err := s.Commit(ctx, stale); !errors.Is(err, game.ErrConflict) {
				t.Fatalf("step %d: a wrong version: %v", i, err)
			}
		}
		if err := s.Commit(ctx, Change(at)); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		playing[slot] = m
		if m.Status() != game.Playing {
			delete(playing, slot)
			log = placed(t, s, append(log, at.Result())...)
		}
		if i%100 == 99 {
			closeStore(t, s)
			s = open(t)
			checkStatistics(t, s, games, log)
			checkDailies(t, s, games, log, left())
		}
	}
	defer closeStore(t, s)
	checkStatistics(t, s, games, log)
	want := left()
	if len(gone) == 0 || len(want) == 0 {
		t.Errorf("%d of %d results were removed", len(gone), len(log))
	}
	got, err := s.Results(ctx, 0, len(log)+1)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the log has %d results, %v, want %d, or others", len(got), err, len(want))
	}
	for _, m := range playing {
		mustLoad(t, s, later(m, time.Duration(hours[m.ID])*time.Hour))
	}
}

// testDuringGames clears a player's history, and forgets, while the player goes on playing and reviews are
// saved: no result is lost, and totals stay those of the log.
func testDuringGames(t *testing.T, games []Game, open opener) {
	for _, forget := range []bool{false, true} {
		t.Run(fmt.Sprintf("forget=%t", forget), func(t *testing.T) { duringGames(t, games, open, forget) })
	}
}

func duringGames(t *testing.T, games []Game, open opener, forget bool) {
	s, ctx := open(t), t.Context()
	const channels, matches = 4, 15
	var wg sync.WaitGroup
	for i := range channels {
		wg.Go(func() {
			g, location := games[i%len(games)], game.Location{Guild: "g", Channel: game.ChannelID(fmt.Sprint("c", i))}
			for n := range matches {
				m := g.Match(fmt.Sprint("m", i, "-", n), location, "p1", g.hidden())
				m = later(g.Guess(t, g.Guess(t, m, "p1", g.wrong(0)), "p0", g.hidden()), time.Duration(n)*time.Hour)
				for version := uint64(1); version <= m.Version; version++ {
					if err := s.Commit(ctx, Change(m.Rewind(version))); err != nil {
						t.Error(err)
					}
				}
				if err := s.SaveReview(ctx, m, g.Review(50)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	var removed atomic.Int64
	for i := range 10 {
		wg.Go(func() {
			if forget {
				n, err := s.Forget(ctx, Epoch.Add(time.Duration(i)*time.Hour+time.Minute))
				if err != nil {
					t.Error(err)
				}
				removed.Add(int64(n))
			}
			if err := s.Clear(ctx, game.ClearRequest{Player: "p0", Request: game.RequestID(fmt.Sprint("clear", i)), At: Epoch}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	closeStore(t, s)
	s = open(t)
	defer closeStore(t, s)
	kept := channels*matches - int(removed.Load())
	log, err := s.Results(ctx, 0, 100)
	if err != nil || len(log) != kept {
		t.Fatalf("the log has %d results, %v, want %d", len(log), err, kept)
	}
	played := 0
	for _, g := range games {
		scope := game.Scope{Kind: g.Kind(), Guild: "g"}
		totals, err := s.Totals(ctx, scope, "p1")
		if err != nil {
			t.Error(err)
		}
		if played += totals.Other.Won; !forget {
			checkLeaderboard(t, s, scope, log)
		}
	}
	if played != channels*matches {
		t.Errorf("%d matches count as won, want %d", played, channels*matches)
	}
	entries, err := s.History(ctx, game.Filter{Community: "guild/g", Limit: 100})
	if err != nil || len(entries) != kept {
		t.Fatalf("the history has %d matches, %v, want %d", len(entries), err, kept)
	}
	for i, e := range entries {
		if !forget && e.Number != uint64(kept-i) {
			t.Errorf("match %d of the list has the number %d", i+1, e.Number)
		}
	}
}
