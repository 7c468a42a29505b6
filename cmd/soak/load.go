package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/bot/discord/discordtest"
)

const (
	// atOnce is how many interactions are under way, in so many channels and so many servers.
	atOnce     = 64
	inChannels = 256
	inGuilds   = 64
	// loadTurn is how long a turn of a bot lasts. It is short, so that whatever else the machine does
	// affects all bots alike.
	loadTurn = 3 * time.Second
	// mayGrow is by how many percent the anonymous memory may be greater at the end than after a fifth
	// of the turns, if that was at least enough answers ago: the memory of a program that has just
	// started grows.
	mayGrow = 5
	enough  = 500_000
)

// load counts how many interactions a second the program answers, with 64 at once in 256 channels, six
// in seven of them guesses. It compares that with a bot that does nothing but answer, and with an
// earlier release, turn by turn. It also measures how long players wait, and how much processor time
// and memory is used. The players, the fake Discord and the balancer use the same processors.
func (s *soak) load(ctx context.Context, lasts time.Duration, before string, processes int) error {
	var all []*contestant
	defer func() {
		for _, c := range all {
			c.world.end(ctx)
		}
	}()
	setups := []kind{{name: "a bare bot", bare: true}, {name: "ours"}, {name: "a bare bot by HTTP", byHTTP: true, bare: true}, {name: "ours by HTTP", byHTTP: true}}
	if processes > 0 {
		setups = append(setups, kind{name: fmt.Sprintf("ours on PostgreSQL, %d processes", processes), byHTTP: true, processes: processes})
	}
	for _, k := range slices.Clone(setups) {
		if before != "" && !k.bare {
			k.name, k.runs = strings.Replace(k.name, "ours", "the release before", 1), before
			setups = append(setups, k)
		}
	}
	for _, k := range setups {
		k.measured, k.anyWord = true, true
		w, err := s.newWorld(ctx, k)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		all = append(all, &contestant{kind: k, world: w})
	}
	rounds := max(1, int(lasts/time.Duration(len(all))/loadTurn))
	for n := range rounds {
		for i := range all {
			c := all[(n+i)%len(all)] // a different one begins each round
			c.turn(ctx)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	for _, c := range all {
		bare := slices.IndexFunc(all, func(o *contestant) bool { return o.bare && o.byHTTP == c.byHTTP })
		s.report(c, all[bare])
	}
	return nil
}

// contestant is a bot whose load is measured.
type contestant struct {
	kind
	world  *world
	waits  []time.Duration // for each answer
	turns  []float64       // the number of answers in each turn
	memory []int           // in bytes, after each turn
	lasted time.Duration   // all turns
	used   time.Duration   // of processors
	rest   time.Duration   // of processors, by the players and the fake Discord meanwhile
}

// turn has players guess for a while, one game of six guesses after another in each channel.
func (c *contestant) turn(ctx context.Context) {
	used := func() (program, rest time.Duration) {
		for _, b := range c.world.bots {
			program += processorTime(b.proc("stat"))
		}
		return program, processorTime(procFields(os.Getpid(), "stat"))
	}
	program, rest := used()
	began := time.Now()
	ctx, stop := context.WithTimeout(ctx, loadTurn)
	defer stop()
	var sent atomic.Int64
	var all sync.WaitGroup
	c.world.waits.want(true)
	for range atOnce {
		all.Go(func() {
			for ctx.Err() == nil {
				n := int(sent.Add(1))
				place := n % inChannels
				i := discordtest.Interaction{ID: c.world.newID(), Guild: fmt.Sprint("71", place%inGuilds), Channel: fmt.Sprintf("1371%04d", place), User: fmt.Sprintf("1271%04d", place)}
				if turn := n / inChannels; turn%7 == 0 {
					i.Command = "wordle start"
				} else {
					i.Command, i.Options = "guess", map[string]any{"word": poorGuess(turn)}
				}
				c.world.ask(ctx, i, trouble{})
			}
		})
	}
	all.Wait()
	waits := c.world.waits.want(false)
	program2, rest2 := used()
	c.lasted += time.Since(began)
	c.used, c.rest = c.used+program2-program, c.rest+rest2-rest
	c.waits, c.turns = append(c.waits, waits...), append(c.turns, float64(len(waits)))
	memory := 0
	for _, b := range c.world.bots {
		memory += b.anonymous()
	}
	c.memory = append(c.memory, memory)
}

// report prints what was measured of a bot, and compares it with a bare one.
func (s *soak) report(c, bare *contestant) {
	count := len(c.waits)
	if count == 0 {
		s.verdict.finding("no answer", "%s", c.name)
		return
	}
	of := ""
	if c != bare {
		ratios := make([]float64, len(c.turns))
		for i := range ratios {
			ratios[i] = c.turns[i] / bare.turns[i]
		}
		slices.Sort(ratios)
		n := len(ratios)
		of = fmt.Sprintf(", %.2f of %s (half of the turns %.2f to %.2f)", ratios[n/2], bare.name, ratios[n/4], ratios[n*3/4])
	}
	each := func(d time.Duration) time.Duration { return (d / time.Duration(count)).Round(time.Microsecond) }
	slices.Sort(c.waits)
	first, last := c.memory[len(c.memory)/5], c.memory[len(c.memory)-1]
	s.verdict.figure("%s: %.0f answers a second%s; half of them within %v, 99 of 100 within %v; processor time of each: %v of the bot, %v of the players and the fake Discord; %d MiB, then %d",
		c.name, float64(count)/c.lasted.Seconds(), of, percentile(c.waits, 50), percentile(c.waits, 99), each(c.used), each(c.rest), first>>20, last>>20)
	if grown := 100 * (last - first) / max(1, first); count >= enough && grown > mayGrow {
		s.verdict.finding("memory", "of %s: it grew by %d %%, at most %d", c.name, grown, mayGrow)
	}
}

// processorTime returns how much processor time is in the fields of /proc/PID/stat; 0 if there are none.
// The program's name has no spaces.
func processorTime(stat []string) time.Duration {
	if len(stat) < 15 {
		return 0
	}
	user, _ := strconv.Atoi(stat[13]) // always numbers, says proc(5)
	system, _ := strconv.Atoi(stat[14])
	return time.Duration(user+system) * time.Second / 100 // USER_HZ is 100, proc(5)
}
