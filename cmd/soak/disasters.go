package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/storage/bolt/powerloss"
)

// disaster is something that happens to a world again and again.
type disaster struct {
	name string
	only string // the world that it happens in; empty for every one
	// happens has the disaster happen in a form that the random numbers choose, and mends what must be mended.
	// Afterwards a guess must be saved again.
	happens func(ctx context.Context, w *world, random *rand.Rand) error
}

var disasters = []disaster{
	{"kill", "", kill},
	{"freeze", "", freeze},
	{"gateway", "file", breakGateway},
	{"response", "file", breakResponses},
	{"power", "file", losePower},
	{"database", "processes", restartDatabase},
}

// live has players play and disasters happen for a while: each disaster once before any happens again.
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
	if len(w.servers) < 2 {
		return nil
	}
	// The primary of the database dies, its replica takes over, and a process dies too.
	err := w.suffer(ctx, "failover", func() error { return errors.Join(w.servers[0].Kill(), w.servers[1].Promote()) })
	if err != nil {
		return err
	}
	return w.suffer(ctx, "kill", func() error { return w.bots[0].restart(ctx, syscall.SIGKILL) })
}

// suffer has something happen, and waits until another guess is acknowledged.
func (w *world) suffer(ctx context.Context, name string, happens func() error) error {
	if err := happens(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	w.verdict.suffered(name)
	before := w.saved.Load()
	for began := time.Now(); w.saved.Load() == before && ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > patience {
			return fmt.Errorf("%s: nothing is saved any more\n%s", name, tail(w.bots[0].log, 5))
		}
	}
	return ctx.Err()
}

func (w *world) anyBot(random *rand.Rand) *process { return w.bots[random.IntN(len(w.bots))] }

// kill kills or terminates a process at any moment, or after it has done what it was asked to but before it could say so.
func kill(ctx context.Context, w *world, random *rand.Rand) error {
	signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGKILL, syscall.SIGTERM}[random.IntN(3)]
	time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
	if random.IntN(3) == 0 {
		defer w.discord.Break("POST", "/callback", discordtest.Breakage{Cut: true}, -1)()
		time.Sleep(50 * time.Millisecond)
	}
	return w.anyBot(random).restart(ctx, signal)
}

// freeze halts a process until its players have given up, as if it got no processor time.
func freeze(_ context.Context, w *world, random *rand.Rand) error {
	b := w.anyBot(random)
	if err := b.signal(sigStop); err != nil {
		return err
	}
	time.Sleep(tooLate + time.Duration(500+random.IntN(1500))*time.Millisecond)
	return b.signal(sigContinue)
}

// gatewayFaults break the connection to the gateway.
var gatewayFaults = []func(*discordtest.Server){
	func(d *discordtest.Server) { d.CutGateway() },
	func(d *discordtest.Server) { d.SendFrame(`{"op":7}`) },
	func(d *discordtest.Server) { d.InvalidateSessions(true) },
	func(d *discordtest.Server) { d.InvalidateSessions(false) },
	func(d *discordtest.Server) { d.CloseGateway(1001, "Going away.") },
	func(d *discordtest.Server) { d.CloseGateway(4000, "Unknown error.") },
	func(d *discordtest.Server) { d.CloseGateway(4009, "Session timed out.") },
	func(d *discordtest.Server) {
		d.Break("", "/socket", discordtest.Breakage{Status: 503}, 1)
		d.CutGateway()
	},
}

// breakGateway breaks the connection to the gateway, and waits until the program is connected again.
func breakGateway(ctx context.Context, w *world, random *rand.Rand) error {
	identified, resumed := w.discord.Sessions()
	gatewayFaults[random.IntN(len(gatewayFaults))](w.discord)
	waiting, cancel := context.WithTimeout(ctx, 3*patience)
	defer cancel()
	if err := w.discord.WaitReady(waiting, identified+resumed+1); err != nil {
		return fmt.Errorf("the program does not connect again: %w", err)
	}
	if now, _ := w.discord.Sessions(); now > identified {
		return w.bots[0].restart(ctx, syscall.SIGTERM) // it would wait longer before the next session
	}
	return w.bots[0].connected(ctx)
}

// responseFaults break the first response to an interaction.
var responseFaults = []discordtest.Breakage{
	{Status: 429}, {Status: 500}, {Status: 502}, {Status: 503}, {Slow: 1200 * time.Millisecond}, {Cut: true},
}

// breakResponses has a few first responses fail, without or after taking effect.
func breakResponses(ctx context.Context, w *world, random *rand.Rand) error {
	how := responseFaults[random.IntN(len(responseFaults))]
	how.Done = random.IntN(2) == 0
	w.discord.Break("POST", "/callback", how, players/4)
	select {
	case <-ctx.Done():
	case <-time.After(firstWait): // until players give up
	}
	return nil
}

// restartDatabase restarts a server of the database.
func restartDatabase(_ context.Context, w *world, random *rand.Rand) error {
	server, end := w.servers[0], w.servers[0].Stop
	switch random.IntN(3) {
	case 0:
		end = server.Kill
	case 1:
		server, end = w.servers[1], w.servers[1].Stop
	}
	return errors.Join(end(), server.Start())
}

const (
	// maxRecorded is how many bytes may be written before a loss of power: they are kept in memory.
	maxRecorded = 64 << 20
	// images are checked for at most imageTime.
	images    = 20
	imageTime = 3 * time.Second
)

// losePower traces what the program writes, kills it, checks files that a loss of power may leave behind, and has the
// program go on with the last of them.
func losePower(ctx context.Context, w *world, random *rand.Rand) error {
	log, b := &powerloss.Log{File: w.file}, w.bots[0]
	b.trace = log
	err := b.restart(ctx, syscall.SIGTERM)
	b.trace = nil
	if errors.Is(err, powerloss.ErrUnsupported) {
		w.verdict.figure("skipped: %v", err)
		return b.start(ctx)
	}
	if err != nil {
		return err
	}
	for enough := time.Now().Add(time.Duration(500+random.IntN(2500)) * time.Millisecond); time.Now().Before(enough) && log.Written() < maxRecorded; {
		time.Sleep(20 * time.Millisecond)
	}
	if err := b.end(syscall.SIGKILL); err != nil {
		return err
	}
	if err := w.checkImages(ctx, log, random); err != nil {
		return err
	}
	return b.start(ctx)
}

// checkImages replaces the store by files that a loss of power may leave, one after the other, and checks each.
func (w *world) checkImages(ctx context.Context, log *powerloss.Log, random *rand.Rand) error {
	w.hold.Lock()
	defer w.hold.Unlock()
	path := w.file + ".image"
	for n, began := 0, time.Now(); n < images && time.Since(began) < imageTime; n++ {
		image := log.Loss(log.Moment(), random)
		if err := errors.Join(os.WriteFile(path, image, 0o600), os.WriteFile(w.file, image, 0o600)); err != nil {
			return err
		}
		c := &checking{verdict: &w.verdict, store: "bolt:" + path, matches: w.journal.matches}
		c.run(ctx)
	}
	return nil
}
