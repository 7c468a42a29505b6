package main

import (
	"context"
	"errors"
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

// loadTurn is how long a turn of a bot lasts. It is short, so that whatever else the machine does
// affects all bots alike.
const loadTurn = 3 * time.Second

// load counts how many interactions a second the program answers, with 64 at once in 256
// channels, and compares that with a bot that does nothing but answer. It also measures how
// long players wait, and how much processor time is used. With --http it compares interactions
// by HTTP, too, and with --before an earlier release. The bots take turns, and are compared
// turn by turn. The fake Discord and the players use the same processors.
func load(ctx context.Context, s *soak) error {
	ways := []way{overGateway}
	if s.http {
		ways = append(ways, byHTTP)
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
	for _, way := range ways {
		suffix := ""
		if way == byHTTP {
			suffix = " by HTTP"
		}
		first := len(all)
		if err := bot("ours"+suffix, setup{way: way}); err != nil {
			return err
		}
		if s.before != "" && way == overGateway {
			if err := bot("the release before", setup{way: way, program: s.before}); err != nil {
				return err
			}
		}
		w, err := s.newEcho(ctx, way)
		if err != nil {
			return err
		}
		all = append(all, &contestant{name: "a bare bot" + suffix, world: w})
		for i, c := range all[first:] {
			c.against = all[first+i+1:]
		}
	}
	rounds := max(1, int(s.lasting/time.Duration(len(all))/loadTurn))
	for n := range rounds {
		for i := range all {
			c := all[(n+i)%len(all)] // a different one begins each round
			s.progress.now("%s", c.name)
			began, used := time.Now(), c.world.bot.processorTime()
			rest, _, _ := processorTime(os.Getpid())
			waits := c.world.answersIn(ctx, loadTurn)
			c.lasted += time.Since(began)
			c.used += c.world.bot.processorTime() - used
			restNow, _, _ := processorTime(os.Getpid())
			c.rest += restNow - rest
			c.waits = append(c.waits, waits...)
			c.turns = append(c.turns, float64(len(waits)))
		}
	}
	for _, c := range all {
		count := len(c.waits)
		if count == 0 {
			s.verdict.finding("no answer", "%s", c.name)
			continue
		}
		each := func(d time.Duration) time.Duration { return (d / time.Duration(count)).Round(time.Microsecond) }
		of := ""
		for _, other := range c.against {
			low, middle, high := quartiles(c.turns, other.turns)
			of += fmt.Sprintf(", %.2f of %s (half of the turns %.2f to %.2f)", middle, other.name, low, high)
		}
		slices.Sort(c.waits)
		s.verdict.figure("%s: %.0f answers a second%s; half of them within %v, 99 of 100 within %v; processor time of each: %v of the bot, %v of the players and the fake Discord",
			c.name, float64(count)/c.lasted.Seconds(), of, c.waits[count/2].Round(100*time.Microsecond), c.waits[count*99/100].Round(100*time.Microsecond), each(c.used), each(c.rest))
	}
	return nil
}

// contestant is a bot whose load is measured.
type contestant struct {
	name    string
	world   *world
	against []*contestant   // the bots that this one is compared with
	waits   []time.Duration // for each answer
	turns   []float64       // the number of answers in each turn
	lasted  time.Duration   // all turns
	used    time.Duration   // of processors
	rest    time.Duration   // of processors, by the players and the fake Discord meanwhile
}

// quartiles divides the answers in each turn by those in the other bot's turn of the same round, and
// returns the quartiles of these ratios.
func quartiles(turns, others []float64) (low, middle, high float64) {
	ratios := make([]float64, len(turns))
	for i := range turns {
		ratios[i] = turns[i] / others[i]
	}
	slices.Sort(ratios)
	n := len(ratios)
	return ratios[n/4], ratios[n/2], ratios[n*3/4]
}

// end stops the bot. It also checks what was stored, unless the bot stores nothing or is an earlier
// release, whose store may have another format.
func (c *contestant) end(ctx context.Context) {
	if c.world.store != "" && c.world.bot.program == c.world.program {
		c.world.end(ctx)
		return
	}
	if err := c.world.bot.stop(); err != nil {
		c.world.verdict.finding("broken off", "%s: %v", c.name, err)
	}
	c.world.discord.Close()
}

// newEcho starts a fake Discord and a bare bot: see echo.
func (s *soak) newEcho(ctx context.Context, way way) (_ *world, err error) {
	discord, err := discordtest.Start(discordtest.Options{Keep: 10 * atOnce, Unchecked: true, Heartbeat: 5 * time.Second, Starts: 1 << 30})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			discord.Close()
		}
	}()
	folder := filepath.Join(s.folder, fmt.Sprint("echo-", way))
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
	if way == byHTTP {
		address, err := freeAddress()
		if err != nil {
			return nil, err
		}
		w.bot.url = "http://" + address + "/"
		w.bot.env = append(w.bot.env, envEchoHTTP+"="+address, "DISCORD_PUBLIC_KEY="+discord.PublicKey())
	}
	if err := w.bot.start(ctx); err != nil {
		return nil, errors.Join(err, w.bot.stop())
	}
	return w, nil
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
