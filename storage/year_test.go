package storage_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/game"
	"fivefold/game/league"
	"fivefold/game/matches"
	"fivefold/game/statistics"
	"fivefold/storage"
	"fivefold/storage/bolt"
	"fivefold/storage/check"
	"fivefold/storage/ordered/orderedtest"
)

// TestYear has 12 players live through a year in 5 servers, in random order, and compares every table, day and streak with a plain
// recount. BenchmarkYear does so with 1000 players in 100 servers, on a file.
func TestYear(t *testing.T) {
	s := storage.New(&orderedtest.Memory{}, codecs, storage.Options{})
	defer s.Close()
	newYear(12, 5).live(t, s, 1)
}

// BenchmarkYear: go test ./storage -run - -bench Year -benchtime 1x
func BenchmarkYear(b *testing.B) {
	m, err := bolt.Open(filepath.Join(b.TempDir(), "year.db"), bolt.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s := storage.New(m, codecs, storage.Options{})
	defer s.Close()
	y := newYear(1000, 100)
	for b.Loop() {
		y.live(b, s, 64)
	}
	b.ReportMetric(float64(len(y.events)), "events")
	b.ReportMetric(float64(len(y.truth)), "results")
}

// year is a year of players, with results of all three sources: of our daily puzzle, official ones from summaries that name players by
// mention or by name, and claims.
type year struct {
	players, servers int
	random           *rand.Rand
	homes            [][]int // the servers of each player
	events           []func(context.Context, *storage.Store) error
	truth            []lived
}

// lived is a result as it must count in the end.
type lived struct {
	kind           game.Kind
	player, day    int // a day from 1, as the number of our puzzle
	guesses, hints int // 7 guesses for a loss
	servers        []int
}

func (l lived) month() string { return game.DailyDate(l.day).Format("2006-01") }

func serverOf(i int) game.GuildID  { return game.GuildID(fmt.Sprint("g", i)) }
func playerOf(i int) game.PlayerID { return game.PlayerID(fmt.Sprint("p", i)) }

// newYear draws a year. Each player is in up to three servers. Every third has a name in the summaries of the first of these; in the end
// it is theirs for every sixth.
func newYear(players, servers int) *year {
	y := &year{players: players, servers: servers, random: rand.New(rand.NewPCG(37, 3))}
	summaries := map[string][]league.Result{}
	for p := range players {
		homes := y.random.Perm(servers)[:1+p%3]
		y.homes = append(y.homes, homes)
		name := ""
		if p%3 == 0 {
			name = fmt.Sprint("The name of ", p)
			y.alias(p, homes[0], name, p%6 == 0)
		}
		for day := 1; day <= 365; day++ {
			if y.random.IntN(3) == 0 {
				y.play(p, day)
			}
			if y.random.IntN(3) > 0 {
				continue
			}
			of := lived{player: p, day: day, guesses: 2 + y.random.IntN(6)}
			claim := 1 + y.random.IntN(of.guesses) // it may be embellished
			for i, home := range homes {
				if at := fmt.Sprintf("%d %d", home, day); y.random.IntN(2) == 0 {
					r := result(p, day, of.guesses)
					if r.Official = true; i == 0 && name != "" {
						r.Player, r.Name = "", name
					}
					summaries[at] = append(summaries[at], r)
					if r.Player != "" || p%6 == 0 {
						of.kind, of.servers = league.Official, append(of.servers, home)
					}
				}
			}
			for _, at := range append([]int{-1}, homes...) { // -1: in direct messages
				if y.random.IntN(4) > 0 {
					continue
				}
				for range 1 + y.random.IntN(2) {
					y.bring(p, at, result(p, day, claim))
				}
				if of.kind == "" {
					of.kind, of.guesses = league.Claimed, claim
				}
				if at >= 0 {
					of.servers = append(of.servers, at)
				}
			}
			if of.kind != "" {
				y.truth = append(y.truth, of)
			}
		}
	}
	for _, at := range slices.Sorted(maps.Keys(summaries)) {
		results := summaries[at]
		var home, day int
		_, _ = fmt.Sscan(at, &home, &day)
		y.random.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
		for range 1 + y.random.IntN(2) {
			y.bring(y.random.IntN(players), home, results...)
		}
	}
	y.random.Shuffle(len(y.events), func(i, j int) { y.events[i], y.events[j] = y.events[j], y.events[i] })
	return y
}

// result is a result of the newspaper's puzzle that came on the day of our puzzle with a number.
func result(p, day, guesses int) league.Result {
	return league.Result{Player: playerOf(p), Number: game.NewspaperNumber(game.DailyDate(day)), Won: guesses < 7, Guesses: guesses}
}

func (y *year) event(do func(context.Context, *storage.Store) error) { y.events = append(y.events, do) }

// bring adds an import by a player.
func (y *year) bring(p, home int, results ...league.Result) {
	by := importing(playerOf(p), "")
	if home >= 0 {
		by.Location.Guild = serverOf(home)
	}
	y.event(func(ctx context.Context, s *storage.Store) error {
		_, err := s.Import(ctx, by, results)
		return err
	})
}

// alias adds that a name becomes a player's, twice, or is taken back again.
func (y *year) alias(p, home int, name string, theirs bool) {
	by := importing(playerOf(p), serverOf(home))
	for range 2 {
		y.event(func(ctx context.Context, s *storage.Store) error {
			err := s.TakeBack(ctx, by, name, by.Player)
			if errors.Is(err, league.ErrNoClaim) {
				err = nil
			}
			_, failed := s.Claim(ctx, by, name)
			if err = errors.Join(err, failed); err == nil {
				_, err = s.Confirm(ctx, by, name, by.Player)
			}
			if err == nil && !theirs {
				err = s.TakeBack(ctx, by, name, by.Player)
			}
			return err
		})
	}
}

// play adds a daily puzzle of ours: played in a server or in direct messages, and shared in some.
func (y *year) play(p, day int) {
	of := lived{kind: wordGame.kind, player: p, day: day, guesses: 1 + y.random.IntN(7), hints: y.random.IntN(2)}
	var in game.Location
	shared := y.random.IntN(len(y.homes[p]) + 1)
	of.servers = y.homes[p][:shared]
	if shared > 0 && y.random.IntN(2) == 0 {
		in.Guild = serverOf(of.servers[0])
	}
	in.Channel = game.ChannelID(fmt.Sprint("of ", p))
	m := alone(wordGame.match(fmt.Sprintf("daily %d of %d", day, p), in, playerOf(p)), day)
	y.truth = append(y.truth, of)
	y.event(func(ctx context.Context, s *storage.Store) error {
		m, err := m, error(nil)
		for i := range min(of.guesses, 6) {
			answer := wordGame.answers[i]
			if i+1 == of.guesses {
				answer = m.State.Answer()
			}
			if m.State, err = wordGame.move(m.State, answer); err != nil {
				return err
			}
			if i == 0 && of.hints > 0 {
				m = wordGame.hint(m, m.Starter)
			}
			m.Version++
			m.Moves = append(slices.Clip(m.Moves), game.Move{Player: m.Starter, At: epoch, Version: m.Version})
		}
		m = later(m, game.DailyDate(day).Sub(epoch))
		for version := uint64(1); version <= m.Version; version++ {
			c := matches.Change{Match: m.Rewind(version), Request: game.RequestID(fmt.Sprintf("%s/%d", m.ID, version)), At: m.Started}
			err := s.Commit(ctx, c)
			for try := 0; errors.Is(err, game.ErrConflict) && try < 100; try++ { // with what else changes the player's totals
				err = s.Commit(ctx, c)
			}
			if err != nil {
				return err
			}
		}
		for _, home := range append(slices.Clip(of.servers), of.servers...) {
			if err := s.ShareIn(ctx, m.ID, serverOf(home), game.DailyDate(day)); err != nil {
				return err
			}
		}
		return nil
	})
}

// live has all events happen, so many at once, and compares what is stored then.
func (y *year) live(tb testing.TB, s *storage.Store, atOnce int) {
	tb.Helper()
	ctx, began := tb.Context(), time.Now()
	var next atomic.Int64
	var all sync.WaitGroup
	for range atOnce {
		all.Go(func() {
			for i := int(next.Add(1)); i <= len(y.events); i = int(next.Add(1)) {
				if err := y.events[i-1](ctx, s); err != nil {
					tb.Error(err)
				}
			}
		})
	}
	all.Wait()
	tb.Logf("%d events in %v", len(y.events), time.Since(began))
	kinds := []game.Kind{wordGame.kind, league.Official, league.Claimed}
	of := map[string][]lived{} // by kind and month
	for _, l := range y.truth {
		of[string(l.kind)+l.month()] = append(of[string(l.kind)+l.month()], l)
	}
	compared := map[game.Kind]int{}
	for _, k := range kinds {
		for home := range y.servers {
			var always []lived
			for month := range 12 {
				name := fmt.Sprintf("2026-%02d", month+1)
				counting := inMonth(of[string(k)+name], home)
				always = append(always, counting...)
				compared[k] += len(counting)
				y.compare(tb, s, statistics.Scope{Kind: k, Guild: serverOf(home), Month: name}, counting)
				y.compareDays(tb, s, k, home, of[string(k)+name])
			}
			y.compare(tb, s, statistics.Scope{Kind: k, Guild: serverOf(home)}, always)
		}
		for p := range y.players {
			var own []lived
			for _, l := range y.truth {
				if l.kind == k && l.player == p {
					own = append(own, l)
				}
			}
			y.compareTotals(tb, s, k, p, own)
		}
	}
	for _, k := range kinds {
		if compared[k] < y.players*20 {
			tb.Errorf("only %d results of %s count in a server", compared[k], k)
		}
	}
	if n, err := s.Check(ctx, check.Options{Report: func(f check.Finding) { tb.Errorf("a check finds: %v", f) }}); n > 0 || err != nil {
		tb.Errorf("%d problems, %v", n, err)
	}
}

// inMonth returns those results of a month that count in a server: all of a player of whom one counts there by itself.
func inMonth(results []lived, home int) (counting []lived) {
	there := map[int]bool{}
	for _, l := range results {
		there[l.player] = there[l.player] || slices.Contains(l.servers, home)
	}
	return slices.DeleteFunc(slices.Clone(results), func(l lived) bool { return !there[l.player] })
}

// compare compares a table with the results that count in it.
func (y *year) compare(tb testing.TB, s *storage.Store, scope statistics.Scope, counting []lived) {
	tb.Helper()
	played, score := map[int]int{}, map[int]int{}
	for _, l := range counting {
		played[l.player]++
		score[l.player] += l.guesses + l.hints
	}
	average := func(p int) float64 { return float64(score[p]) / float64(played[p]) }
	var order []int
	for p := range y.players {
		if played[p] > 0 {
			order = append(order, p)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		placed := func(p int) int { return min(1, played[p]/5) }
		return cmp.Or(placed(b)-placed(a), cmp.Compare(average(a), average(b)), played[b]-played[a], strings.Compare(string(playerOf(a)), string(playerOf(b))))
	})
	want, got := []string{}, []string{}
	for _, p := range order {
		rank := 0
		if played[p] >= 5 {
			for rank = 1; average(order[rank-1]) != average(p) || played[order[rank-1]] != played[p]; rank++ {
			}
		}
		want = append(want, fmt.Sprint(rank, playerOf(p), played[p], score[p]))
	}
	board, err := s.Leaderboard(tb.Context(), scope, "", statistics.Rows{RankedFrom: statistics.RankedFrom, Limit: y.players})
	for _, row := range board.Rows {
		got = append(got, fmt.Sprint(row.Rank, row.Player, row.Daily.Played, row.Daily.Score()))
	}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		tb.Errorf("%+v: %v, %v, want %v", scope, got, err, want)
	}
}

// compareDays compares the days of a month in a server.
func (y *year) compareDays(tb testing.TB, s *storage.Store, k game.Kind, home int, of []lived) {
	tb.Helper()
	slices.SortFunc(of, func(a, b lived) int {
		return cmp.Or(a.guesses+a.hints-b.guesses-b.hints, strings.Compare(string(playerOf(a.player)), string(playerOf(b.player))))
	})
	days := map[int][]string{}
	for _, l := range of {
		if slices.Contains(l.servers, home) {
			days[l.day] = append(days[l.day], fmt.Sprint(playerOf(l.player), min(l.guesses, 6), l.guesses < 7, l.hints))
		}
	}
	if len(of) == 0 {
		return
	}
	first := game.DailyNumber(game.DailyDate(of[0].day).AddDate(0, 0, 1-game.DailyDate(of[0].day).Day()))
	for day := first; game.DailyMonth(day) == game.DailyMonth(first); day++ {
		number := day
		if league.Is(k) {
			number = game.NewspaperNumber(game.DailyDate(day))
		}
		found, err := s.Daily(tb.Context(), k, serverOf(home), number, y.players)
		got := game.Each(found.Listed, func(d statistics.DailyResult) string { return fmt.Sprint(d.Player, d.Guesses, d.Won, d.Hints) })
		if err != nil || fmt.Sprint(got) != fmt.Sprint(days[day]) {
			tb.Errorf("day %d of %s in %d: %v, %v, want %v", day, k, home, got, err, days[day])
		}
	}
}

// compareTotals compares a player's totals everywhere. Streaks of our puzzle go by the order in which days were finished, which here is
// random; those of the newspaper's go by its days.
func (y *year) compareTotals(tb testing.TB, s *storage.Store, k game.Kind, p int, own []lived) {
	tb.Helper()
	slices.SortFunc(own, func(a, b lived) int { return a.day - b.day })
	var want statistics.Counts
	var days statistics.Streak
	distribution := make([]int, 6)
	for i, l := range own {
		want.Played++
		if want.Hints += l.hints; l.hints > 0 {
			want.Hinted++
		}
		if i > 0 && own[i-1].day < l.day-1 || l.guesses == 7 {
			days.Now = 0
		}
		if l.guesses < 7 {
			want.Won++
			distribution[l.guesses-1]++
			days.Now++
		} else {
			want.Missed += 7
		}
		days.Best = max(days.Best, days.Now)
	}
	for i, n := range distribution {
		if n > 0 {
			want.Distribution = distribution[:i+1]
		}
	}
	got, err := s.Totals(tb.Context(), statistics.Scope{Kind: k}, playerOf(p))
	if err != nil || !reflect.DeepEqual(got.Daily, want) || league.Is(k) && got.Days != days {
		tb.Errorf("player %d of %s: %+v, %+v, %v, want %+v, %+v", p, k, got.Daily, got.Days, err, want, days)
	}
}
