package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// atOnce is how many interactions are under way, in so many channels and so many servers.
	atOnce     = 64
	inChannels = 256
	inGuilds   = 64
	// loadTurn is how long a turn of a bot lasts. It is short, so that whatever else the machine does
	// affects all bots alike.
	loadTurn = 3 * time.Second
)

// load counts how many interactions a second the program answers, with 64 at once in 256 channels, six
// in seven of them guesses, turn by turn with a bot that does nothing but answer. It also measures how
// long players wait, and how much processor time is used. The players, the fake Discord and
// the balancer use the same processors.
func (s *soak) load(ctx context.Context, lasts time.Duration, processes int) error {
	var all []*contestant
	defer func() {
		for _, c := range all {
			c.world.end(ctx)
		}
	}()
	setups := []kind{{name: "a bare bot by HTTP", byHTTP: true, bare: true}, {name: "ours"}, {name: "ours by HTTP", byHTTP: true}}
	if processes > 0 {
		setups = append(setups, kind{name: fmt.Sprintf("ours on PostgreSQL, %d processes", processes), byHTTP: true, processes: processes})
	}
	for _, k := range setups {
		k.measured, k.anyWord = true, true
		w, err := s.newWorld(ctx, k)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		all = append(all, &contestant{world: w})
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
		c.report()
	}
	return nil
}

// contestant is a bot whose load is measured.
type contestant struct {
	world  *world
	waits  []time.Duration // for each answer
	lasted time.Duration   // all turns
	used   time.Duration   // of processors
}

// turn has players guess for a while, one game of six guesses after another in each channel.
func (c *contestant) turn(ctx context.Context) {
	used := func() (all time.Duration) {
		for _, b := range c.world.bots {
			all += b.used()
		}
		return all
	}
	before, began := used(), time.Now()
	ctx, stop := context.WithTimeout(ctx, loadTurn)
	defer stop()
	var sent atomic.Int64
	var all sync.WaitGroup
	var mu sync.Mutex // protects c.waits
	for range atOnce {
		all.Go(func() {
			for ctx.Err() == nil {
				n := int(sent.Add(1))
				place := n % inChannels
				i := gameStep(n / inChannels)
				i.Guild, i.Channel, i.User = fmt.Sprint("71", place%inGuilds), fmt.Sprintf("1371%04d", place), fmt.Sprintf("1271%04d", place)
				asked := time.Now()
				if _, ok := c.world.ask(ctx, i); ok {
					mu.Lock()
					c.waits = append(c.waits, time.Since(asked))
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	c.lasted += time.Since(began)
	c.used += used() - before
}

// report prints what was measured of a bot.
func (c *contestant) report() {
	count := len(c.waits)
	if count == 0 {
		c.world.verdict.finding("no answer", "%s", c.world.name)
		return
	}
	slices.Sort(c.waits)
	within := func(percent int) time.Duration { return c.waits[count*percent/100].Round(100 * time.Microsecond) }
	c.world.verdict.figure("%s: %.0f answers a second; half of them within %v, 99 of 100 within %v; %v of processor time each",
		c.world.name, float64(count)/c.lasted.Seconds(), within(50), within(99), (c.used / time.Duration(count)).Round(time.Microsecond))
}
