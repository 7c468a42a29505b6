package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"

	"fivefold/bot/discord/discordtest"
)

// disaster is something that happens to a world again and again.
type disaster struct {
	name string
	only string // the world that it happens in; empty for every one
	// happens has one of its forms happen, which the random numbers choose, and mends what has
	// to be mended. Afterwards a guess must be saved again.
	happens func(ctx context.Context, w *world, random *rand.Rand) error
}

var disasters = []disaster{
	{"kill", "", kill},
	{"freeze", "", freeze},
	{"flood", "", flooding},
	{"gateway", "file", gatewayFault},
	{"response", "file", responseFault},
	{"power", "file", losePower},
	{"database", "processes", databaseEnds},
}

// players is how many play at once while things go wrong, and pause the longest time between two
// guesses of one of them.
const (
	players = 24
	pause   = 50 * time.Millisecond
)

// live has players play and disasters happen for a while, each disaster of the kind once before any
// happens again.
func (w *world) live(ctx context.Context, lasts time.Duration) error {
	playing, stop := context.WithCancel(ctx)
	wait := w.play(playing)
	defer wait()
	defer stop()
	random := w.random(w.name)
	order := slices.Clone(w.disasters)
	for count, deadline := 0, time.Now().Add(lasts); time.Now().Before(deadline) && ctx.Err() == nil; count++ {
		if count%len(order) == 0 {
			random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		d := order[count%len(order)]
		if err := w.suffer(ctx, d.name, func() error { return d.happens(ctx, w, random) }); err != nil {
			return err
		}
	}
	if len(w.servers) > 1 {
		return w.failover(ctx)
	}
	return nil
}

// suffer has something happen, and waits until the world goes on.
func (w *world) suffer(ctx context.Context, name string, happens func() error) error {
	w.verdict.calm()
	before := w.unanswered(time.Time{}, time.Now())
	err := happens()
	if err == nil {
		err = w.savesAgain(ctx)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	w.verdict.suffered(name, w.unanswered(time.Time{}, time.Now())-before)
	return nil
}

// savesAgain waits until another guess is acknowledged.
func (w *world) savesAgain(ctx context.Context) error {
	before := w.saved.Load()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(10 * time.Millisecond) {
		if w.saved.Load() > before || ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return fmt.Errorf("nothing is saved any more\n%s", tail(w.bots[0].log, 5))
}

func (w *world) anyBot(random *rand.Rand) *process { return w.bots[random.IntN(len(w.bots))] }

// kill kills or terminates a process while guesses pour in: at any moment, or after the program has
// done what it was asked to but before it could say so.
func kill(ctx context.Context, w *world, random *rand.Rand) error {
	signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGKILL, syscall.SIGTERM}[random.IntN(3)]
	time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
	if random.IntN(3) == 0 {
		defer w.discord.Break("POST", "/callback", discordtest.Breakage{Cut: true}, -1)()
		time.Sleep(50 * time.Millisecond)
	}
	return w.anyBot(random).restart(ctx, signal)
}

// freeze halts a process for a while, as if it got no processor time.
func freeze(_ context.Context, w *world, random *rand.Rand) error {
	b := w.anyBot(random)
	if err := b.signal(sigStop); err != nil {
		return err
	}
	time.Sleep(time.Duration(1000+random.IntN(4000)) * time.Millisecond)
	return b.signal(sigContinue)
}

// databaseEnds restarts a server of the database.
func databaseEnds(_ context.Context, w *world, random *rand.Rand) error {
	server, end := w.servers[0], w.servers[0].Stop
	switch random.IntN(3) {
	case 0:
		end = server.Kill
	case 1:
		server, end = w.servers[1], w.servers[1].Stop
	}
	return errors.Join(end(), server.Start())
}

// failover kills the primary of the database, promotes its replica, and then kills a process.
func (w *world) failover(ctx context.Context) error {
	err := w.suffer(ctx, "failover", func() error { return errors.Join(w.servers[0].Kill(), w.servers[1].Promote()) })
	if err != nil {
		return err
	}
	return w.suffer(ctx, "kill", func() error { return w.bots[0].restart(ctx, syscall.SIGKILL) })
}
