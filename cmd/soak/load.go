package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
// and how much processor time they use. With --http it compares interactions by HTTP, too, and
// with --before an earlier release. The fake Discord and the players take turns with them on
// the same processors.
func load(ctx context.Context, s *soak) error {
	ways := []bool{false}
	if s.http {
		s.http, ways = false, []bool{false, true}
	}
	var all []*contestant
	defer func() {
		for _, c := range all {
			c.end(ctx)
		}
	}()
	bot := func(name string, how setup) error {
		how.allWords, how.keep, how.unchecked = true, 256*inChannels, true
		w, err := s.newWorld(ctx, strings.ReplaceAll(name, " ", "-"), how)
		if err != nil {
			return err
		}
		w.quiet = true
		all = append(all, &contestant{name: name, world: w})
		return nil
	}
	for _, byHTTP := range ways {
		way := ""
		if byHTTP {
			way = " by HTTP"
		}
		first := len(all)
		if s.before != "" && !byHTTP {
			if err := bot("the release before", setup{program: s.before}); err != nil {
				return err
			}
		}
		if err := bot("ours"+way, setup{http: byHTTP}); err != nil {
			return err
		}
		w, err := s.newEcho(ctx, byHTTP)
		if err != nil {
			return err
		}
		bare := &contestant{name: "a bare bot" + way, world: w}
		for _, c := range all[first:] {
			c.bare = bare
		}
		all = append(all, bare)
	}
	round := s.lasting / time.Duration(len(all)*loadRounds)
	for range loadRounds {
		for _, c := range all {
			s.progress.now("%s", c.name)
			before := c.world.bot.processorTime()
			c.waits = append(c.waits, c.world.answersIn(ctx, round)...)
			c.used += c.world.bot.processorTime() - before
		}
	}
	seconds := (loadRounds * round).Seconds()
	for _, c := range all {
		count := len(c.waits)
		if count == 0 {
			s.verdict.finding("no answer", "%s", c.name)
			continue
		}
		of := ""
		if c.bare != nil && len(c.bare.waits) > 0 {
			of = fmt.Sprintf(", %.2f of %s", float64(count)/float64(len(c.bare.waits)), c.bare.name)
		}
		slices.Sort(c.waits)
		s.verdict.figure("%s: %.0f answers a second%s; half of them within %v, 99 of 100 within %v; %v of processor time each", c.name, float64(count)/seconds, of,
			c.waits[count/2].Round(100*time.Microsecond), c.waits[count*99/100].Round(100*time.Microsecond), (c.used / time.Duration(count)).Round(time.Microsecond))
	}
	return nil
}

// contestant is a bot whose load is measured.
type contestant struct {
	name  string
	world *world
	bare  *contestant     // the bare bot that it is compared with; nil for one of those
	waits []time.Duration // for each answer
	used  time.Duration   // of processor time
}

func (c *contestant) end(ctx context.Context) {
	if c.world.store != "" && c.world.bot.program == c.world.program { // the store of another release may have another format
		c.world.end(ctx)
		return
	}
	if err := c.world.bot.stop(); err != nil {
		c.world.verdict.finding("broken off", "%s: %v", c.name, err)
	}
	c.world.discord.Close()
}

// newEcho starts a bare bot.
func (s *soak) newEcho(ctx context.Context, byHTTP bool) (*world, error) {
	discord, err := discordtest.Start(discordtest.Options{Keep: 10 * atOnce, Unchecked: true, Heartbeat: 5 * time.Second, Starts: 1 << 30})
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(s.folder, fmt.Sprint("echo", byHTTP))
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
	if byHTTP {
		address, err := freeAddress()
		if err != nil {
			return nil, err
		}
		w.bot.url = "http://" + address + "/"
		w.bot.env = append(w.bot.env, envEchoHTTP+"="+address, "DISCORD_PUBLIC_KEY="+discord.PublicKey())
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
