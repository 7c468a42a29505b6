package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"syscall"
	"time"

	"fivefold/bot/discord/discordtest"
)

// disaster is something that happens to a world again and again.
type disaster struct {
	name string
	// happens has the disaster happen in a random form, and mends what must be mended. Then a guess must be saved again.
	happens func(ctx context.Context, w *world, random *rand.Rand) error
}

// live has players play and disasters happen for a while: each disaster once before any happens again.
func (w *world) live(ctx context.Context, lasts time.Duration) error {
	playing, stop := context.WithCancel(ctx)
	wait := w.play(playing)
	defer wait()
	defer stop()
	random, happened := rand.New(rand.NewPCG(w.seed, players)), map[string]int{}
	defer func() { w.figure("happened: %v", happened) }()
	for count, deadline := 0, time.Now().Add(lasts); time.Now().Before(deadline) && ctx.Err() == nil; count++ {
		if count%len(w.disasters) == 0 {
			random.Shuffle(len(w.disasters), reflect.Swapper(w.disasters))
		}
		d := w.disasters[count%len(w.disasters)]
		happened[d.name]++
		if err := w.suffer(ctx, d.name, func() error { return d.happens(ctx, w, random) }); err != nil {
			return err
		}
	}
	if len(w.servers) < 2 {
		return nil
	}
	// The primary of the database dies, its replica takes over, and a process dies too.
	return errors.Join(
		w.suffer(ctx, "failover", func() error {
			return w.withoutDatabase(func() error { return errors.Join(w.servers[0].Kill(), w.servers[1].Promote()) })
		}),
		w.suffer(ctx, "kill", func() error { return w.bots[0].restart(syscall.SIGKILL) }),
	)
}

// suffer has something happen, and waits until another guess is acknowledged.
func (w *world) suffer(ctx context.Context, name string, happens func() error) error {
	if err := happens(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	before := w.saved.Load()
	for began := time.Now(); w.saved.Load() == before && ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > patience {
			return fmt.Errorf("%s: nothing is saved any more, see %s", name, w.bots[0].log)
		}
	}
	return ctx.Err()
}

// kill kills or terminates a process at any moment, or after it has done what it was asked to but before it could say so.
func kill(_ context.Context, w *world, random *rand.Rand) error {
	signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGKILL, syscall.SIGTERM}[random.IntN(3)]
	time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
	if random.IntN(3) == 0 {
		defer w.discord.Break("POST", "/callback", discordtest.Breakage{Cut: true}, -1)()
		time.Sleep(50 * time.Millisecond)
	}
	return w.bots[random.IntN(len(w.bots))].restart(signal)
}

// freeze halts a process until its players have given up, as if it got no processor time. A process takes its first request
// for new, since the request tells it Discord's time, so it has answered one before.
func freeze(ctx context.Context, w *world, random *rand.Rand) error {
	n := random.IntN(len(w.bots))
	if w.byHTTP {
		w.balancer.settle(ctx, w.addresses[n])
	}
	pid := fmt.Sprint(w.bots[n].cmd.Process.Pid)
	if err := exec.Command("kill", "-STOP", pid).Run(); err != nil {
		return err
	}
	time.Sleep(tooLate + time.Duration(500+random.IntN(1500))*time.Millisecond)
	return exec.Command("kill", "-CONT", pid).Run()
}

// breakGateway breaks the connection to the gateway, and waits until there is one again.
func breakGateway(ctx context.Context, w *world, random *rand.Rand) error {
	identified, resumed := w.discord.Sessions()
	switch random.IntN(3) {
	case 0:
		w.discord.InvalidateSessions()
	case 1:
		w.discord.Break("", "/socket", discordtest.Breakage{Status: 503}, 1)
		w.discord.CutGateway()
	default:
		w.discord.CutGateway()
	}
	if err := w.discord.WaitReady(ctx, identified+resumed+1); err != nil {
		return err
	}
	if now, _ := w.discord.Sessions(); now > identified {
		return w.bots[0].restart(syscall.SIGTERM) // it would wait longer before the next session
	}
	return nil
}

// breakResponses has a few first responses fail, without or after taking effect, until players give up.
func breakResponses(_ context.Context, w *world, random *rand.Rand) error {
	faults := []discordtest.Breakage{{Status: 429}, {Status: 500}, {Status: 502}, {Status: 503}, {Slow: 1200 * time.Millisecond}, {Cut: true}}
	how := faults[random.IntN(len(faults))]
	how.Done = random.IntN(2) == 0
	w.discord.Break("POST", "/callback", how, players/4)
	time.Sleep(firstWait)
	return nil
}

// withoutDatabase does something to the database. A process that is just starting may give up then, so it is started again,
// as its supervisor would.
func (w *world) withoutDatabase(do func() error) error {
	for _, b := range w.bots {
		b.ending.Store(true)
	}
	err := do()
	for _, b := range w.bots {
		if b.ending.Store(false); b.alive().Err() != nil {
			err = errors.Join(err, b.start())
		}
	}
	return err
}

// restartDatabase restarts a server of the database.
func restartDatabase(_ context.Context, w *world, random *rand.Rand) error {
	server := w.servers[random.IntN(2)]
	end := []func() error{server.Stop, server.Kill}[random.IntN(2)]
	return w.withoutDatabase(func() error { return errors.Join(end(), server.Start()) })
}
