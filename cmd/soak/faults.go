package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"fivefold/bot/discord/discordtest"
)

// slowest is the longest that the program may take until it is connected again. Discord's own
// waits are shorter, and players do not wait for ever. The program may begin a session only
// every 5 s, and does so while Discord allows plenty of them, as the fake one here does.
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

// responseFaults break the first response to an interaction.
var responseFaults = []discordtest.Breakage{
	{Status: 429}, {Status: 500}, {Status: 502}, {Status: 503}, {Slow: 1200 * time.Millisecond}, {Cut: true}, {Half: true},
}

// hit starts a game and guesses a word amid trouble. It returns whether the player saw an answer
// to the guess. The player is another one each time, since too much of the last one may still be
// under way.
func (w *world) hit(ctx context.Context, random *rand.Rand, t trouble) (seen bool, err error) {
	n := int(w.victims.Add(1))
	v := &player{world: w, number: 100 + n%900, games: n / 900 * 3}
	m, err := v.begin(ctx)
	if err != nil {
		return false, err
	}
	v.guess(ctx, m, guessed[random.IntN(len(guessed))], t)
	return len(m.guesses) > 0 && m.guesses[0].outcome == acknowledged, ctx.Err()
}

// gatewayFault breaks the connection to the gateway, either right before an interaction is sent,
// which the program then gets when it is back, or right after it.
func gatewayFault(ctx context.Context, w *world, random *rand.Rand) error {
	kind := random.IntN(len(gatewayFaults))
	sessions := func() int {
		identified, resumed := w.discord.Sessions()
		return identified + resumed
	}
	before := sessions()
	began := time.Now()
	hook := func(string) { began = time.Now(); gatewayFaults[kind](w.discord) }
	t := trouble{before: hook}
	if random.IntN(2) == 0 {
		t = trouble{after: hook}
	}
	if _, err := w.hit(ctx, random, t); err != nil {
		return w.noGame(err)
	}
	waiting, cancel := context.WithTimeout(ctx, slowest+3*patience)
	defer cancel()
	if err := w.discord.WaitReady(waiting, before+1); err != nil {
		return fmt.Errorf("the program does not connect again: %w", err)
	}
	if took := time.Since(began); took > slowest {
		w.verdict.slow("slow to connect again", "after fault %d of the gateway: %v", kind, took.Round(time.Millisecond))
	}
	return w.bots[0].connected(ctx)
}

// responseFault has one first response fail, without or after taking effect, or an interaction come
// again, at once or after its answer. The player must see an answer all the same.
func responseFault(ctx context.Context, w *world, random *rand.Rand) error {
	var t trouble
	repeat := func(id string) { w.discord.Invoke(discordtest.Interaction{ID: id}) }
	var sent string
	kind, late := random.IntN(len(responseFaults)+1), random.IntN(2) == 0
	switch {
	case kind < len(responseFaults):
		how := responseFaults[kind]
		how.Done = late
		t.before = func(id string) { w.discord.Break("POST", "/interactions/"+id+"/", how, 1) }
	case late:
		t.before = func(id string) { sent = id }
	default:
		t.after = repeat
	}
	seen, err := w.hit(ctx, random, t)
	if err != nil {
		return w.noGame(err)
	}
	if sent != "" {
		repeat(sent)
	}
	if !seen && ctx.Err() == nil {
		w.verdict.slow("no answer", "with fault %d of the response, done: %t", kind, late)
	}
	return nil
}

// noGame notes that there was no game to guess in; other errors it returns.
func (w *world) noGame(err error) error {
	if !errors.Is(err, errNoGame) {
		return err
	}
	w.verdict.slow("no answer", "%v", err)
	return nil
}
