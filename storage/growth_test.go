package storage_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fivefold/bot"
	"fivefold/bot/commands"
	"fivefold/bot/commands/commandstest"
	"fivefold/bot/daily"
	"fivefold/bot/kinds"
	"fivefold/bot/settings"
	"fivefold/game"
	"fivefold/game/finished"
	"fivefold/game/league"
	"fivefold/game/matches"
	"fivefold/game/statistics"
	"fivefold/storage"
	"fivefold/storage/bolt"
	"fivefold/storage/transfer"
)

// BenchmarkGrowth measures what players and the operator notice of a store that has grown, on both engines.
// Filling takes minutes from 100k games on.
//
//	go test ./storage -run - -bench Growth/file/100k -benchtime 300x
func BenchmarkGrowth(b *testing.B) {
	for _, name := range []string{"file", "database"} {
		for _, results := range []int{10_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%dk", name, results/1000), func(b *testing.B) {
				open, g := engines[name](b), newGrowth(b, results)
				m, err := open()
				if err != nil {
					b.Fatal(err)
				}
				s := storage.New(m, codecs, storage.Options{})
				if name == "file" {
					g.fill(b, s)
				} else { // a file is filled sooner, and copied
					g.copied(b, s)
				}
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
				debug.FreeOSMemory() // of the filling
				began := time.Now()
				if m, err = open(); err != nil {
					b.Fatal(err)
				}
				took := time.Since(began)
				s = storage.New(m, codecs, storage.Options{})
				defer s.Close()
				var stats bolt.Stats
				if file := s.File(); file != nil {
					if stats, err = file.Stats(); err != nil {
						b.Fatal(err)
					}
				}
				g.measure(b, s)
				b.ReportMetric(float64(took.Milliseconds()), "ms/open")
				b.ReportMetric(float64(stats.Bytes)/(1<<20), "MB")
			})
		}
	}
}

// growth is what a store has after it has grown: finished word games of two guesses each, one after the other over
// a thousand days, in a hundred servers, by a tenth as many players as games. Every sixteenth game is the heavy
// player's; each other player has ten daily puzzles of one month in one server. Identifiers are as long as Discord's.
type growth struct {
	results int
	base    game.Match
}

const (
	heavyPlayer    = game.PlayerID("1000000000000000000")
	heavyShare     = 16
	growthGuilds   = 100
	growthChannels = 1000
)

func newGrowth(tb testing.TB, results int) growth {
	g := wordGame
	return growth{results, g.win(tb, g.guess(tb, g.match("m", game.Location{Channel: "c"}, "p"), "p", g.answers[0]), "p")}
}

func growthGuild(i int) game.GuildID {
	return game.GuildID(fmt.Sprint(900_000_000_000_000_000 + i/heavyShare%growthGuilds))
}

// player returns who played match i.
func (g growth) player(i int) game.PlayerID {
	if i%heavyShare == 0 {
		return heavyPlayer
	}
	return game.PlayerID(fmt.Sprint(1_000_000_000_000_000_001 + i%max(1, g.results/10)))
}

// match returns match i and the requests for its versions.
func (g growth) match(i int) (m game.Match, requests []game.RequestID) {
	last := time.Date(2024, 10, 1, 0, 0, 0, 0, time.UTC) // before the requests of Players
	ended := last.Add(-1000 * 24 * time.Hour / time.Duration(g.results) * time.Duration(g.results-1-i)).Truncate(time.Millisecond)
	m = g.base
	m.Started, m.Starter = ended.Add(-2*time.Second), g.player(i)
	m.Names = game.Names{m.Starter: "A display name"}
	m.Location = game.Location{Guild: growthGuild(i % max(1, g.results/10)), Channel: game.ChannelID(fmt.Sprint(950_000_000_000_000_000 + i%growthChannels))}
	m.Moves = []game.Move{{Player: m.Starter, At: ended.Add(-time.Second), Version: 2}, {Player: m.Starter, At: ended, Version: 3}}
	for version := range 3 {
		at := m.Started.Add(time.Duration(version) * time.Second)
		requests = append(requests, game.RequestID(fmt.Sprint((at.UnixMilli()-1_420_070_400_000)<<22)))
	}
	m.ID = game.MatchID(requests[0])
	if m.Starter != heavyPlayer {
		m.Mode, m.Puzzle = game.Daily, game.DailyPuzzle(1+i/max(1, g.results/10))
	}
	return m, requests
}

// fill plays the matches, many at once, but those of the heavy player one after another: all change their totals.
func (g growth) fill(b *testing.B, s *storage.Store) {
	b.Helper()
	var heavy sync.Mutex
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for i := int(next.Add(1)); i <= g.results; i = int(next.Add(1)) {
				m, requests := g.match(i - 1)
				if m.Starter == heavyPlayer {
					heavy.Lock()
				}
				for v, request := range requests {
					err := game.ErrConflict
					for errors.Is(err, game.ErrConflict) { // with other ends of the same player
						err = s.Commit(b.Context(), matches.Change{Match: m.Rewind(uint64(v + 1)), Request: request, At: m.Started})
					}
					if err != nil {
						b.Error(err)
					}
				}
				if m.Starter == heavyPlayer {
					heavy.Unlock()
				}
			}
		})
	}
	wg.Wait()
}

// copied fills a file, and copies it.
func (g growth) copied(b *testing.B, to *storage.Store) {
	b.Helper()
	m, err := engines["file"](b)()
	if err != nil {
		b.Fatal(err)
	}
	from := storage.New(m, codecs, storage.Options{})
	defer from.Close()
	g.fill(b, from)
	if _, err := transfer.Copy(b.Context(), from.Map(), to.Map(), func(string, int, int) {}); err != nil {
		b.Fatal(err)
	}
}

// drawn draws a reply's pictures.
func drawn(r bot.Reply) {
	for _, block := range r.Blocks {
		if p, ok := block.(*bot.Picture); ok {
			p.Draw(false)
		}
	}
}

// noChannels takes posts, and draws them.
type noChannels struct{ bot.Channels }

func (noChannels) Post(_ context.Context, _ game.ChannelID, r bot.Reply, _ string) (string, error) {
	drawn(r)
	return "1", nil
}

// measure reports the median, the 99th percentile and the longest of the times for a guess, a leaderboard with a
// player's totals, what /stats answers with pictures (a table, one of the newspaper's puzzle, a player's card), the day's posts of all
// servers one by one, the card of the daily puzzles, a player's card without new reviews and a page of the history, and for guesses while the
// heavy player's history is cleared, and while old matches are removed for ten seconds.
func (g growth) measure(b *testing.B, s *storage.Store) {
	const round = heavyShare * growthGuilds
	guild := growthGuild(heavyShare)
	p := newPlayers(b, s, 1, func(int) game.GuildID { return guild })
	scope, location := statistics.Scope{Kind: wordGame.kind, Guild: guild, Month: game.DailyMonth(1)}, game.Location{Guild: guild}
	p.Now = func() time.Time { return game.DailyDate(10) }
	command := (&daily.Handlers{Games: p.Manager, Statistics: s, Faces: kinds.All(kinds.Parts{}).Faces()}).Command()
	parts := commandstest.Dependencies(b, s, slog.New(slog.DiscardHandler), func() string { return "" })
	parts.Games.Now = p.Now
	all := commands.New(parts)
	shown := func(args map[string]string) func() error {
		command := all.History.Stats(parts.Kinds.Faces()[0])
		return func() error {
			r := bot.Request{Location: location, Player: g.player(heavyShare + 1 + rand.IntN(heavyShare-1)), Command: command.Name, Args: args}
			reply, err := command.Run(b.Context(), r)
			drawn(reply)
			return err
		}
	}
	table, newspaper, card := shown(nil), shown(map[string]string{"puzzle": string(league.Official)}), shown(map[string]string{"card": "own"})
	times := map[string][]time.Duration{}
	timed := func(name string, f func() error) {
		b.Helper()
		began := time.Now()
		if err := f(); err != nil {
			b.Fatal(err)
		}
		times[name] = append(times[name], time.Since(began))
	}
	guess := func() error { p.play(b, 0); return nil }
	for day := 1; day <= 10; day++ { // in one server, of as many players as play our dailies there
		for first := 0; first < min(1000, g.results/10); first += 50 {
			var summary []league.Result
			for i := range 50 {
				summary = append(summary, result(first+i, day, 2+i%6))
				summary[i].Official = true
			}
			timed("import-of-50", func() error { _, err := s.Import(b.Context(), importing("ana", guild), summary); return err })
		}
	}
	for b.Loop() {
		if p.starts(0) {
			p.play(b, 0)
		}
		timed("guess", guess)
		timed("stats", func() error {
			_, err := s.Leaderboard(b.Context(), scope, g.player(rand.IntN(g.results/round)*round+heavyShare+1+rand.IntN(heavyShare-1)), statistics.Rows{RankedFrom: statistics.RankedFrom, Limit: 10})
			return err
		})
		timed("stats-table", table)
		timed("stats-newspaper", newspaper)
		timed("stats-card", card)
		timed("daily", func() error {
			_, err := command.Run(b.Context(), bot.Request{Location: location, Player: g.player(heavyShare + 1 + rand.IntN(heavyShare-1)), Command: command.Name})
			return err
		})
		timed("card", func() error {
			_, err := (&finished.Matches{Games: p.Manager, Store: s}).Performance(b.Context(), scope.Kind, location.Community(), heavyPlayer)
			return err
		})
		timed("list", func() error {
			_, err := (&finished.Matches{Games: p.Manager, Store: s}).History(b.Context(), game.Viewer{Location: location},
				finished.Filter{Limit: 10}, uint64(rand.IntN(g.results/growthGuilds)+20))
			return err
		})
	}
	for i := range growthGuilds {
		r := bot.Request{ID: game.RequestID(fmt.Sprint("post ", i)), Player: "mia", Location: game.Location{Guild: growthGuild(i * heavyShare)}}
		_, err := all.DayPost.Settings.Change(b.Context(), r, 0, func(_ settings.Settings, s *settings.Settings) error {
			s.PostChannel, s.PostZone = "c", "UTC"
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		timed("post", func() error { return all.DayPost.PostDue(b.Context(), noChannels{}) })
	}
	during := func(name string, work func(began time.Time)) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			work(time.Now())
		}()
		for {
			select {
			case <-done:
				return
			default:
				timed("guess-while-"+name, guess)
			}
		}
	}
	during("clearing", func(began time.Time) {
		if err := s.Delete(b.Context(), finished.Deletion{Player: heavyPlayer, Request: "1299999999999999999", At: began}); err != nil {
			b.Error(err)
		}
		b.ReportMetric(time.Since(began).Seconds(), "s/clear")
	})
	during("forgetting", func(began time.Time) {
		ctx, cancel := context.WithTimeout(b.Context(), 10*time.Second)
		defer cancel()
		n, err := s.Forget(ctx, began)
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			b.Error(err)
		}
		b.ReportMetric(float64(n)/time.Since(began).Seconds(), "forgotten/s")
	})
	for name, all := range times {
		slices.Sort(all)
		for _, percent := range []int{50, 99, 100} {
			b.ReportMetric(float64(all[min(len(all)-1, len(all)*percent/100)].Microseconds())/1000, fmt.Sprintf("ms%d/%s", percent, name))
		}
		b.ReportMetric(float64(len(all)), "times/"+name)
	}
}
