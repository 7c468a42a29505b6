package discord

import (
	"context"
	"fivefold/bot/discord/calls"
	"log/slog"
	"math/rand/v2"
	"sync"
)

// gateway keeps this process's shards connected to Discord's gateway.
//
// discordgo is not used for it: a frame such as null makes it panic in a goroutine of
// its own, an opcode 7 at the wrong moment makes it hang in its locks, and it begins
// sessions that nobody counts.
type gateway struct {
	token         string
	shards        Shards
	starts        *sessionStarts
	dial          func(ctx context.Context, address string) (line, error)
	onInteraction func(raw []byte) // called with each interaction; the shard's further events wait for it
	onReady       func(shard int, application string)
	// onRemoved is called with a server that has removed the bot. If it is nil, Discord is
	// asked for no events of servers.
	onRemoved func(guild string)
	observer  Observer
	log       *slog.Logger
	timings   timings

	count int // of all shards; set by run
}

// Shards says which part of Discord a process serves: a server belongs to the shard
// (id >> 22) % count, and direct messages to shard 0.
type Shards struct {
	// Count is how many shards all processes have together, up to MaxShards. With 0 there are
	// as many as Discord recommends: one, up to about a thousand servers.
	Count int
	// IDs are those of this process, in [0, Count); empty for all.
	IDs []int
}

// run connects every shard, and reconnects those that lose their connection, until ctx
// ends (nil) or Discord refuses one of them for good.
func (g *gateway) run(ctx context.Context) error {
	ids, err := g.plan(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	for _, id := range ids {
		g.observer.GatewayChanged(id, false)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var running sync.WaitGroup
	var mu sync.Mutex // protects refused
	var refused error // the first final refusal
	for _, id := range ids {
		log := g.log
		if g.count > 1 {
			log = log.With("shard", id)
		}
		s := &shard{gateway: g, id: id, log: log}
		running.Go(func() {
			if err := s.run(ctx); err != nil {
				mu.Lock()
				if refused == nil {
					refused = err
				}
				mu.Unlock()
				stop(err)
			}
		})
	}
	running.Wait()
	return refused
}

// plan finds out how many shards there are, and returns those of this process. It
// tries until ctx ends; its only error is a final refusal.
func (g *gateway) plan(ctx context.Context) ([]int, error) {
	g.count = g.shards.Count
	for wait := g.timings.minBackoff; g.count == 0; wait = min(2*wait, g.timings.maxBackoff) {
		l, err := g.starts.limits(ctx)
		switch {
		case err == nil:
			g.count = min(max(1, l.Shards), MaxShards)
			if g.count > 1 {
				g.log.Info("Discord recommends several shards", "count", g.count)
			}
			continue
		case ctx.Err() != nil:
			return nil, nil
		case finalError(err) != nil:
			return nil, finalError(err)
		}
		g.log.Warn("could not ask Discord how to connect; trying again", "error", calls.WithoutAddress(err), "wait", wait)
		if calls.Sleep(ctx, wait/2+rand.N(wait/2+1)) != nil {
			return nil, nil
		}
	}
	if len(g.shards.IDs) > 0 {
		return g.shards.IDs, nil
	}
	ids := make([]int, g.count)
	for id := range ids {
		ids[id] = id
	}
	return ids, nil
}

// MaxShards is the most shards that there can be: enough for two million servers.
const MaxShards = 1000
