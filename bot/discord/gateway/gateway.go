// Package gateway keeps a bot's shards connected to Discord's gateway, and hands over the interactions. shard.go keeps one
// shard connected, connection.go serves its session on a line (line.go), and starts.go limits how often sessions begin.
//
// It doesn't use discordgo's own gateway: a frame such as null makes that panic in a goroutine of its own, an opcode 7 at the
// wrong moment makes it hang in its locks, and it begins sessions without counting them.
package gateway

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
)

// Options say how to connect to the gateway.
type Options struct {
	Token    string
	Shards   Shards
	Calls    *calls.Client
	Front    Front
	Observer Observer
	Log      *slog.Logger
	Timings  Timings
}

// Front takes the interactions; package discord implements it in front.go.
type Front interface {
	// Take takes an interaction as it was decoded. It must return soon, and must not panic.
	Take(interaction.Interaction)
	// Server says that the bot is in a server, or was removed from it. It must return soon, and must not panic.
	Server(id string, in bool)
}

// Observer counts what the gateway does, for metrics.
type Observer interface {
	// GatewayChanged is called whenever the connection of a shard comes up or goes down. It is called with false for each
	// shard of this process before the first one connects: the process is connected if all of these are.
	GatewayChanged(shard int, connected bool)
	// Identified is called when a shard begins a session. remaining is how many more Discord allows today, or -1 if it does
	// not say.
	Identified(shard, remaining int)
}

// Timings are the durations that tests shorten, or lengthen for slow machines.
type Timings struct {
	Connect       time.Duration // how long connecting may take
	Ready         time.Duration // how long becoming ready may take after that
	Spacing       time.Duration // the least time from when a shard's connection is ready to its next connection
	MinBackoff    time.Duration // the wait after a first failure; it doubles each time up to maxBackoff
	StartInterval time.Duration // between the starts of two sessions of this process
	MinStartGap   time.Duration // the wait after a session that did not last; it doubles each time up to maxStartGap
}

// DefaultTimings are kind to Discord, which takes one session in 5 s. StartInterval is a little longer, since packets may
// overtake each other.
var DefaultTimings = Timings{
	Connect: 30 * time.Second, Ready: 30 * time.Second, Spacing: time.Second,
	MinBackoff: time.Second, StartInterval: 5500 * time.Millisecond, MinStartGap: 5 * time.Second,
}

// Run connects every shard of this process, and reconnects those that lose their connection, until ctx ends or Discord
// refuses one of them for good. At the end of ctx it returns nil.
func Run(ctx context.Context, o Options) error {
	g := &gateway{Options: o, starts: newSessionStarts(o.limits, o.Timings.StartInterval), dial: dial}
	return g.run(ctx)
}

// gateway keeps this process's shards connected to Discord's gateway.
type gateway struct {
	Options
	starts *sessionStarts
	dial   func(ctx context.Context, address string) (line, error)

	count int // how many shards all processes have together; set by plan
}

// Shards are the part of Discord that a process serves. A server belongs to shard (id >> 22) % count, and direct messages to
// shard 0.
type Shards struct {
	// Count is how many shards all processes have together, up to MaxShards. With 0 there are
	// as many as Discord recommends: one, up to about a thousand servers.
	Count int
	// IDs are the shards of this process, in [0, Count); empty for all.
	IDs []int
}

func (g *gateway) run(ctx context.Context) error {
	ids, err := g.plan(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	for _, id := range ids {
		g.Observer.GatewayChanged(id, false)
	}
	running, ctx := errgroup.WithContext(ctx)
	for _, id := range ids {
		log := g.Log
		if g.count > 1 {
			log = log.With("shard", id)
		}
		s := &shard{gateway: g, id: id, log: log}
		running.Go(func() error { return s.run(ctx) })
	}
	return running.Wait()
}

// plan sets the number of all shards, and returns the ids of this process's. It tries until ctx ends; its only error is a
// final refusal.
func (g *gateway) plan(ctx context.Context) ([]int, error) {
	if g.count = g.Shards.Count; g.count == 0 {
		var l limits
		done, err := calls.Patiently(ctx, g.Log, "could not ask Discord how to connect", g.Timings.MinBackoff, maxBackoff,
			func() (err error) { l, err = g.starts.ask(ctx); return err })
		if !done {
			return nil, err
		}
		if g.count = min(max(1, l.Shards), MaxShards); g.count > 1 {
			g.Log.Info("Discord recommends several shards", "count", g.count)
		}
	}
	if len(g.Shards.IDs) > 0 {
		return g.Shards.IDs, nil
	}
	ids := make([]int, g.count)
	for id := range ids {
		ids[id] = id
	}
	return ids, nil
}

// MaxShards is the most shards that there can be: enough for two million servers.
const MaxShards = 1000
