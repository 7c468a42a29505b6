package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/bot/discord/discordtest"
)

// loadRounds is how often the two bots take turns, so that whatever else the machine does
// hits both.
const loadRounds = 5

// load counts how many guesses a second the program answers, in 256 channels and 64 at
// once, and how many interactions a bot that does nothing but answer; how long players wait,
// and how much processor time the two use. The fake Discord and the players take turns with
// them on the same processors.
func load(ctx context.Context, s *soak) error {
	ours, err := s.newWorld(ctx, "load", setup{allWords: true, keep: 256 * inChannels, unchecked: true})
	if err != nil {
		return err
	}
	ours.quiet = true
	defer ours.end(ctx)
	bare, err := s.newEcho(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if err := bare.bot.stop(); err != nil {
			s.verdict.finding("broken off", "the bare bot: %v", err)
		}
		bare.discord.Close()
	}()
	var waits [2][]time.Duration // of each answer
	var used [2]time.Duration
	round := s.lasting / (2 * loadRounds)
	for n := range 2 * loadRounds {
		w := []*world{ours, bare}[n%2]
		s.progress.now("%s", []string{"ours", "the bare one"}[n%2])
		before := w.bot.processorTime()
		waits[n%2] = append(waits[n%2], w.answersIn(ctx, round)...)
		used[n%2] += w.bot.processorTime() - before
	}
	if len(waits[0]) == 0 || len(waits[1]) == 0 {
		s.verdict.finding("no answer", "%d and %d answers", len(waits[0]), len(waits[1]))
		return nil
	}
	seconds := (loadRounds * round).Seconds()
	a, b := float64(len(waits[0]))/seconds, float64(len(waits[1]))/seconds
	s.verdict.figure("%.0f answers a second, a bare bot %.0f: %.2f of it", a, b, a/b)
	for n, name := range []string{"ours", "the bare bot"} {
		slices.Sort(waits[n])
		count := len(waits[n])
		s.verdict.figure("%s: half of the answers within %v, 99 of 100 within %v; %v of processor time each", name,
			waits[n][count/2].Round(100*time.Microsecond), waits[n][count*99/100].Round(100*time.Microsecond), (used[n] / time.Duration(count)).Round(time.Microsecond))
	}
	return nil
}

// newEcho starts the bare bot.
func (s *soak) newEcho(ctx context.Context) (*world, error) {
	discord, err := discordtest.Start(discordtest.Options{Keep: 10 * atOnce, Unchecked: true, Heartbeat: 5 * time.Second, Starts: 1 << 30})
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(s.folder, "echo")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	w := &world{soak: s, discord: discord}
	w.bot = &supervised{
		discord: discord, program: program, log: filepath.Join(folder, "log"),
		env: []string{envEcho + "=" + discord.URL(), "DISCORD_TOKEN=" + discord.Token()},
	}
	return w, w.bot.start(ctx)
}

// answersIn has players guess for a while, and returns how long each answer took.
func (w *world) answersIn(ctx context.Context, lasts time.Duration) []time.Duration {
	ctx, stop := context.WithTimeout(ctx, lasts)
	defer stop()
	var sent atomic.Int64
	var all sync.WaitGroup
	var waits [atOnce][]time.Duration
	for player := range waits {
		all.Go(func() {
			for ctx.Err() == nil {
				n := int(sent.Add(1))
				i := discordtest.Interaction{Guild: "71", Channel: fmt.Sprintf("1371%04d", n%inChannels), User: fmt.Sprintf("1271%04d", n%inChannels)}
				switch n / inChannels % 7 {
				case 0:
					i.Command = "wordle start"
				default:
					i.Command, i.Options = "guess", map[string]any{"word": poorGuess(n / inChannels)}
				}
				asked := time.Now()
				if _, ok := w.ask(ctx, i); ok {
					waits[player] = append(waits[player], time.Since(asked))
				}
			}
		})
	}
	all.Wait()
	return slices.Concat(waits[:]...)
}
