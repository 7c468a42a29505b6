package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"syscall"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/storage/bolt/powerloss"
)

// slowest is the longest that the program may take until it is connected again. Discord's own
// waits are shorter, and players do not wait for ever. The program begins a session 5 s after the one before at the
// earliest.
const slowest = 10 * time.Second

// gatewayFaults break the connection to the gateway.
var gatewayFaults = []func(*discordtest.Server){
	func(d *discordtest.Server) { d.CutGateway() },
	func(d *discordtest.Server) { d.SendFrame(`{"op":7}`) },
	func(d *discordtest.Server) { d.InvalidateSessions(true) },
	func(d *discordtest.Server) { d.InvalidateSessions(false) },
	func(d *discordtest.Server) { d.CloseGateway(1001, "Going away.") },
	func(d *discordtest.Server) { d.CloseGateway(4000, "Unknown error.") },
	func(d *discordtest.Server) { d.CloseGateway(4008, "Rate limited.") },
	func(d *discordtest.Server) { d.CloseGateway(4009, "Session timed out.") },
	func(d *discordtest.Server) {
		d.Break("", "/socket", discordtest.Breakage{Status: 503}, 1)
		d.CutGateway()
	},
}

// gatewayFault breaks the connection to the gateway.
func gatewayFault(ctx context.Context, w *world, random *rand.Rand) error {
	identified, resumed := w.discord.Sessions()
	began, halted, kind := time.Now(), w.verdict.halted.Load(), random.IntN(len(gatewayFaults))
	gatewayFaults[kind](w.discord)
	waiting, cancel := context.WithTimeout(ctx, slowest+3*patience)
	defer cancel()
	if err := w.discord.WaitReady(waiting, identified+resumed+1); err != nil {
		return fmt.Errorf("the program does not connect again: %w", err)
	}
	if took := time.Since(began); took > slowest {
		w.verdict.slow(halted, "slow to connect again", "after fault %d of the gateway: %v", kind, took.Round(time.Millisecond))
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

// responseFault has a few first responses fail, without or after taking effect. Players must see answers all
// the same.
func responseFault(ctx context.Context, w *world, random *rand.Rand) error {
	how := responseFaults[random.IntN(len(responseFaults))]
	how.Done = random.IntN(2) == 0
	wait := func() { // until players give up
		select {
		case <-ctx.Done():
		case <-time.After(firstWait):
		}
	}
	began, halted := time.Now(), w.verdict.halted.Load()
	w.discord.Break("POST", "/callback", how, players/4)
	wait()
	ended := time.Now()
	wait()
	if n := w.unanswered(began, ended); n > 0 {
		w.verdict.slow(halted, "no answer", "to %d interactions, with responses that fail as %+v", n, how)
	}
	return nil
}

const (
	// maxRecorded is how many bytes may be written before a loss of power: they are kept in memory.
	maxRecorded = 64 << 20
	// images are checked for at most imageTime.
	images    = 20
	imageTime = 3 * time.Second
)

// losePower traces what the program writes, kills it, and has it go on with a file that a loss of
// power may have left behind. It checks further ones.
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
		return fmt.Errorf("a loss of power: %w", err)
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
		w.lost.Add(1)
	}
	return nil
}
