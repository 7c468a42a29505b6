package discord

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"fivefold/bot/discord/discordtest"
	"fivefold/bot/discord/gateway"
)

// connections is an observer of the gateway.
type connections struct {
	unobserved
	mu        sync.Mutex // protects the fields below
	connected map[int]bool
	remaining []int
	responses int
}

func (c *connections) GatewayChanged(shard int, connected bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.connected[shard] = connected
}

func (c *connections) Identified(_, remaining int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remaining = append(c.remaining, remaining)
}

func (c *connections) Responded(int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.responses++
}

// guildOf is a server that belongs to a shard.
func guildOf(shard, count int) string { return fmt.Sprint((count*1000 + shard) << 22) }

// TestShards serves every server by its shard, in one process or in two.
func TestShards(t *testing.T) {
	t.Parallel()
	for name, processes := range map[string][]gateway.Shards{
		"recommended":   {{}},
		"two processes": {{Count: 4, IDs: []int{0, 1}}, {Count: 4, IDs: []int{2, 3}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const count = 4
			s := discordtest.New(t, discordtest.Options{Shards: count})
			seen := &connections{connected: map[int]bool{}}
			var last *running
			for n, shards := range processes {
				last = mustRun(t, s, mustStore(t), func(o *setup) {
					o.Shards, o.Observer = shards, seen
				})
				must(t, s.WaitReady(discordtest.Context(t), (n+1)*count/len(processes)))
			}
			mustRegister(t, s, 1)
			ask := func() {
				for shard := range count {
					if a := mustAnswer(t, s, discordtest.Interaction{Command: "wordle help", Guild: guildOf(shard, count)}); a.Content == "" {
						t.Errorf("shard %d does not answer", shard)
					}
				}
			}
			ask() // after which every shard has got READY
			s.CutGateway()
			must(t, s.WaitReady(discordtest.Context(t), 2*count))
			must(t, s.WaitConnected(discordtest.Context(t), count))
			ask()
			if a := mustAnswer(t, s, discordtest.Interaction{Command: "wordle help"}); a.Content == "" {
				t.Error("no answer in direct messages")
			}
			last.cancel()
			must(t, last.mustEnd(t))
			asked := countOf(s, func(r discordtest.Request) bool { return r.Method == "GET" && strings.HasSuffix(r.Path, "/commands") })
			// Every process looks, for the ids.
			if n := s.Registrations(); n != 1 || asked != len(processes) {
				t.Errorf("commands were registered %d times, want once, after %d questions, want %d", n, asked, len(processes))
			}
			if identified, resumed := s.Sessions(); identified != count || resumed != count {
				t.Errorf("identified %d, resumed %d times, want %d each", identified, resumed, count)
			}
			seen.mu.Lock()
			defer seen.mu.Unlock()
			slices.Sort(seen.remaining)
			// A session that has just been begun may not be counted yet when the next shard asks.
			if n := len(seen.remaining); n != count || seen.remaining[0] < 996 || seen.remaining[n-1] != 999 {
				t.Errorf("observed that %v sessions remain, want %d numbers from 996 to 999", seen.remaining, count)
			}
			if len(seen.connected) != count || seen.responses < 6 {
				t.Errorf("observed %v and %d responses", seen.connected, seen.responses)
			}
		})
	}
}
