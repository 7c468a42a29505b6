package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fivefold/bot/discord/discordtest"
)

const (
	// atOnce is how many interactions are under way. They come from inChannels channels, of one server or of atOnce servers.
	atOnce     = 64
	inChannels = 256
	// loadTurn is how long a turn lasts. It is short, so that whatever else the machine does affects all alike.
	loadTurn = 3 * time.Second
)

// load counts the interactions that the program answers in a second, and measures how long players wait and how much
// processor time is used. Six in seven are guesses; in each ninth channel, players play a daily puzzle, one after another.
// Setups take turns. The players, the fake Discord and the balancer use the same processors.
func (s *soak) load(ctx context.Context, lasts time.Duration, processes int, other string) error {
	var setups []kind
	for _, build := range slices.Compact([]string{"", other}) { // the empty path is our own build
		ours := []kind{{name: "ours"}, {name: "ours by HTTP", byHTTP: true}, {name: "ours on PostgreSQL", byHTTP: true, processes: 1},
			{name: fmt.Sprintf("ours on PostgreSQL, %d processes", processes), byHTTP: true, processes: processes}}
		for _, k := range ours[:2+min(processes, 2)] {
			if k.other, k.mode = build, "bot"; build != "" {
				k.name = strings.Replace(k.name, "ours", "the other build", 1)
			}
			setups = append(setups, k)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	setups = append(setups, kind{name: "a bare bot", other: self, mode: bareBot})
	var all []*contestant
	for _, k := range setups {
		w, err := s.newWorld(ctx, k)
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		defer w.end(ctx)
		for _, guilds := range []int{atOnce, 1} {
			all = append(all, &contestant{world: w, guilds: guilds})
		}
	}
	for n := range max(1, int(lasts/time.Duration(len(all))/loadTurn)) {
		for i := range all {
			all[(n+i)%len(all)].turn(ctx) // a different one begins each round
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	for i, c := range all {
		c.report(all[i&^1]) // the same bot in many servers
	}
	return nil
}

// contestant is a bot whose load is measured in some servers.
type contestant struct {
	*world
	guilds int
	sent   atomic.Int64
	waits  []time.Duration // for each answer
	lasted time.Duration   // all turns
	used   time.Duration   // of processors
}

// words are guesses after which many words are left.
var words = []string{"fuzzy", "vivid", "mummy", "civic", "puppy", "jazzy", "kayak", "queue", "bobby", "mamma", "nanny", "puffy"}

// next returns the interaction of a number. Each channel has one game of six guesses after another.
func (c *contestant) next(n int) discordtest.Interaction {
	place, step := n%inChannels, n/inChannels
	at := fmt.Sprintf("%02d%04d", c.guilds, place)
	i := discordtest.Interaction{Guild: fmt.Sprintf("71%02d%02d", c.guilds, place%c.guilds), Channel: "1371" + at, User: "1271" + at}
	i.Command, i.Options = "guess", map[string]any{"word": words[step%len(words)]}
	if step%7 == 0 {
		i.Command, i.Options = "wordle start", map[string]any{}
	}
	if place%9 == 0 {
		i.User = fmt.Sprint(i.User, step/7)
		if step%7 == 0 {
			i.Options["mode"] = "daily"
		}
	}
	return i
}

// turn has players play for a while.
func (c *contestant) turn(ctx context.Context) {
	began := time.Now()
	for _, b := range c.bots {
		c.used -= b.used()
	}
	ctx, stop := context.WithTimeout(ctx, loadTurn)
	defer stop()
	var all sync.WaitGroup
	var mu sync.Mutex // protects c.waits
	for range atOnce {
		all.Go(func() {
			for ctx.Err() == nil {
				i, asked := c.next(int(c.sent.Add(1))), time.Now()
				if _, ok := c.ask(ctx, i); ok {
					mu.Lock()
					c.waits = append(c.waits, time.Since(asked))
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	c.lasted += time.Since(began)
	for _, b := range c.bots {
		c.used += b.used()
	}
}

// report prints what was measured of a bot, in comparison with many servers.
func (c *contestant) report(many *contestant) {
	if len(c.waits) == 0 {
		c.finding("no answer", "%s", c.name)
		return
	}
	slices.Sort(c.waits)
	within := func(percent int) time.Duration {
		return c.waits[(len(c.waits)-1)*percent/100].Round(100 * time.Microsecond)
	}
	rate := func(c *contestant) float64 { return float64(len(c.waits)) / c.lasted.Seconds() }
	each := (c.used / time.Duration(len(c.waits))).Round(time.Microsecond)
	c.figure("%s, servers: %d: %.0f answers a second (%.2f), %v of processor time each; half of them within %v, 99 of 100 within %v, all within %v",
		c.name, c.guilds, rate(c), rate(c)/rate(many), each, within(50), within(99), within(100))
}
