package storagetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"fivefold/game"
)

// Growth is what a store has after it has grown: finished word games of two guesses each, one after the
// other over a time, in a hundred servers, by a tenth as many players as games. Every sixteenth game is the
// heavy player's. Identifiers are as long as Discord's.
type Growth struct {
	Results int           // 1600 at least for Measure
	Span    time.Duration // from the first match to the last

	base game.Match
}

const (
	// HeavyPlayer plays a sixteenth of all matches of a [Growth]. The identifier is before all others.
	HeavyPlayer    = game.PlayerID("1000000000000000000")
	heavyShare     = 16
	growthGuilds   = 100
	growthChannels = 1000
)

// BenchGrowth runs bench for stores of four sizes; under -short only for the smallest, since
// filling the others takes minutes, and the largest one almost an hour and 26 GB.
func BenchGrowth(b *testing.B, bench func(b *testing.B, results int)) {
	for _, size := range []struct {
		name    string
		results int
	}{{"10k", 10_000}, {"100k", 100_000}, {"1M", 1_000_000}, {"10M", 10_000_000}} {
		b.Run(size.name, func(b *testing.B) {
			if testing.Short() && size.results > 10_000 {
				b.Skip("filling the store takes minutes")
			}
			bench(b, size.results)
		})
	}
}

// growthEnd is when the last match of a Growth ends, before the requests of [Players].
var growthEnd = time.Date(2024, 10, 1, 0, 0, 0, 0, time.UTC)

// NewGrowth returns a Growth of so many results, over a time.
func NewGrowth(tb testing.TB, results int, span time.Duration) *Growth {
	tb.Helper()
	base := Wordle.Match("m", game.Location{Guild: "g", Channel: "c"}, "p", Wordle.hidden())
	base = Wordle.Guess(tb, Wordle.Guess(tb, base, "p", Wordle.wrong(0)), "p", Wordle.hidden())
	return &Growth{Results: results, Span: span, base: base}
}

// Match returns the match that is result i+1 of the log, the requests for its versions and
// when it ended.
func (g *Growth) Match(i int) (m game.Match, requests []game.RequestID, ended time.Time) {
	ended = growthEnd.Add(-g.Span / time.Duration(g.Results) * time.Duration(g.Results-1-i)).Truncate(time.Millisecond)
	for version := range 3 {
		at := ended.Add(time.Duration(version-2) * time.Second)
		requests = append(requests, game.RequestID(snowflake(at)))
	}
	m = g.base
	m.ID = game.MatchID(requests[0])
	m.Location = game.Location{Guild: g.Guild(i / heavyShare % growthGuilds), Channel: channel(i % growthChannels)}
	m.Starter = g.player(i)
	m.Started = ended.Add(-2 * time.Second)
	m.Moves = []game.Move{
		{Player: m.Starter, At: ended.Add(-time.Second), Version: 2},
		{Player: m.Starter, At: ended, Version: 3},
	}
	return m, requests, ended
}

// Guild returns one of the hundred servers.
func (g *Growth) Guild(n int) game.GuildID {
	return game.GuildID(fmt.Sprint(900_000_000_000_000_000 + n))
}

func channel(n int) game.ChannelID { return game.ChannelID(fmt.Sprint(950_000_000_000_000_000 + n)) }

// Players returns how many players there are apart from the heavy one; some have no matches.
func (g *Growth) Players() int { return max(1, g.Results/10) }

// Player returns one of these players. Their identifiers are in the order of their numbers.
func (g *Growth) Player(n int) game.PlayerID {
	return game.PlayerID(fmt.Sprint(1_000_000_000_000_000_001 + n))
}

func (g *Growth) player(i int) game.PlayerID {
	if i%heavyShare == 0 {
		return HeavyPlayer
	}
	return g.Player(i % g.Players())
}

// anyPlayer returns a random player who has played in a server, other than the heavy one.
func (g *Growth) anyPlayer(guild int) game.PlayerID {
	const round = heavyShare * growthGuilds
	return g.player(rand.IntN(g.Results/round)*round + guild*heavyShare + 1 + rand.IntN(heavyShare-1))
}

// PlayedBy calls f with each match, those of a player one after the other, and the players in the order
// of their identifiers.
func (g *Growth) PlayedBy(f func(player game.PlayerID, i int)) {
	for i := 0; i < g.Results; i += heavyShare {
		f(HeavyPlayer, i)
	}
	for n := range g.Players() {
		for i := n; i < g.Results; i += g.Players() {
			if i%heavyShare != 0 {
				f(g.Player(n), i)
			}
		}
	}
}

// Number returns the number of a match in its community.
func (g *Growth) Number(i int) int {
	return i/(heavyShare*growthGuilds)*heavyShare + i%heavyShare + 1
}

// Given returns how many matches there are in each of the servers.
func (g *Growth) Given() map[game.GuildID]int {
	given := map[game.GuildID]int{}
	for i := max(0, g.Results-heavyShare*growthGuilds); i < g.Results; i++ {
		given[g.Guild(i/heavyShare%growthGuilds)] = g.Number(i)
	}
	return given
}

// Latest calls f with each match that is the latest one of its channel.
func (g *Growth) Latest(f func(i int)) {
	for i := max(0, g.Results-growthChannels); i < g.Results; i++ {
		f(i)
	}
}

// Measure reports what players notice of a store that has a Growth: the median and the 99th percentile of the
// time for a guess, a leaderboard with a player's totals, a player's card without new reviews and a page of
// the history, memory of this process, clearing the history of the heavy player while others guess,
// and removing old matches for ten seconds while others guess.
func (g *Growth) Measure(b *testing.B, s game.Store) {
	p := NewPlayers(b, s, 1)
	p.Guild = func(int) game.GuildID { return g.Guild(1) }
	scope := game.Scope{Kind: Wordle.Kind(), Guild: g.Guild(1)}
	community := game.Location{Guild: g.Guild(1)}.Community()
	var guess, stats, card, list []time.Duration
	timed := func(took *[]time.Duration, f func() error) {
		b.Helper()
		began := time.Now()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		*took = append(*took, time.Since(began))
	}
	for b.Loop() {
		if p.Starts() {
			p.Play(b, 0)
		}
		timed(&guess, func() error { p.Play(b, 0); return nil })
		timed(&stats, func() error {
			_, err := s.Leaderboard(b.Context(), scope, g.anyPlayer(1), 10)
			return err
		})
		timed(&card, func() error {
			_, err := p.Manager.Performance(b.Context(), Wordle.Kind(), community, HeavyPlayer)
			return err
		})
		timed(&list, func() error {
			_, err := p.Manager.History(b.Context(), game.Viewer{Location: game.Location{Guild: g.Guild(1)}},
				game.Filter{Community: community, Before: uint64(rand.IntN(g.Results/growthGuilds) + 20), Limit: 10})
			return err
		})
	}
	b.ReportMetric(anonymous(b), "MB-anonymous")
	reportTimes(b, "guess", guess)
	reportTimes(b, "stats", stats)
	reportTimes(b, "card", card)
	reportTimes(b, "list", list)
	measureClear(b, s, p)
	measureForget(b, s, p)
}

// reportTimes reports the median and the 99th percentile of times.
func reportTimes(b *testing.B, name string, all []time.Duration) {
	b.Helper()
	slices.Sort(all)
	for _, percent := range []int{50, 99} {
		b.ReportMetric(float64(all[len(all)*percent/100].Microseconds())/1000, fmt.Sprintf("ms%d/%s", percent, name))
	}
}

// measureClear clears the history of the heavy player while others guess.
func measureClear(b *testing.B, s game.Store, p *Players) {
	b.Helper()
	done := make(chan time.Duration)
	go func() {
		began := time.Now()
		if err := s.Clear(context.Background(), game.ClearRequest{Player: HeavyPlayer, Request: "1299999999999999999", At: time.Now()}); err != nil {
			b.Error(err)
		}
		done <- time.Since(began)
	}()
	peak := 0.0
	sample := time.NewTicker(50 * time.Millisecond)
	defer sample.Stop()
	var watching sync.WaitGroup
	stop := make(chan struct{})
	watching.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-sample.C:
				peak = max(peak, anonymous(b))
			}
		}
	})
	var guess []time.Duration
	for {
		select {
		case took := <-done:
			close(stop)
			watching.Wait()
			b.ReportMetric(took.Seconds(), "s/clear")
			reportTimes(b, "guess-while-clearing", guess)
			b.ReportMetric(float64(guess[len(guess)-1].Milliseconds()), "ms-worst/guess-while-clearing")
			b.ReportMetric(float64(len(guess)), "guesses-while-clearing")
			b.ReportMetric(peak, "MB-anonymous-while-clearing")
			return
		default:
			began := time.Now()
			p.Play(b, 0)
			guess = append(guess, time.Since(began))
		}
	}
}

// measureForget removes old matches for a time while others guess.
func measureForget(b *testing.B, s game.Store, p *Players) {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	done := make(chan int)
	began := time.Now()
	go func() {
		n, err := s.Forget(ctx, time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC))
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			b.Error(err)
		}
		done <- n
	}()
	var guess []time.Duration
	for {
		select {
		case n := <-done:
			b.ReportMetric(float64(n)/time.Since(began).Seconds(), "forgotten/s")
			reportTimes(b, "guess-while-forgetting", guess)
			return
		default:
			began := time.Now()
			p.Play(b, 0)
			guess = append(guess, time.Since(began))
		}
	}
}

// anonymous returns how much memory of its own the process has, in MB, or 0 if the system does not say.
func anonymous(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kB float64
	for line := range bytes.Lines(status) {
		if _, err := fmt.Sscanf(string(line), "RssAnon: %f kB", &kB); err == nil {
			return kB / 1024
		}
	}
	return 0
}
