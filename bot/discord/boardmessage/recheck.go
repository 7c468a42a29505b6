package boardmessage

import (
	"context"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/calls"
	"fivefold/bot/discord/interaction"
)

// recheckAfter is the time from a call for a board to its recheck: short enough for players, and long enough to cost the store
// little.
const recheckAfter = 2 * time.Second

// clocksApart is how far the clocks of two processes may differ.
const clocksApart = time.Second

// recheckSoon schedules a recheck after a call for the board: another process may have changed the match or posted the board
// meanwhile. Two processes do not wait for each other, so Discord may get the earlier of two states last. Each process rechecks
// after its own call, so that one of them sees the fault.
func (b *boardMessage) recheckSoon() {
	b.called = time.Now()
	if b.keeper.Shared && b.keeper.Store != nil && b.recheckAt.IsZero() {
		b.recheckAt = time.Now().Add(recheckAfter)
	}
}

// recheck compares the stored message with the known one. If they differ, two processes have posted the board. The later message is
// the board. The earlier one is deleted, since this process may be the only one that can do that.
func (b *boardMessage) recheck() {
	defer func() { b.recheckAt = time.Time{} }()
	stored, known := b.stored(), b.at
	switch {
	case b.adopt(stored, ""):
		return
	case stored.Message != "" && known.HasToken() && known.ID != "" && calls.IsLater(known.since, stored.Since):
		b.save()
		b.remove(knownMessage{Posted: interaction.Posted{ID: stored.Message}, byBot: known.byBot})
	}
	b.catchUp()
}

// catchUp shows the state of the match if it is later than what the board shows.
func (b *boardMessage) catchUp() {
	promised := b.shown.Load()
	if b.next != nil {
		promised = max(promised, b.next.version)
	}
	if promised == 0 { // another process keeps the message
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), b.keeper.Patience)
	defer cancel()
	newest := b.latest()
	reply, later, err := newest.reply.Board.Later(ctx, promised)
	if err != nil {
		b.keeper.Deliverer.Log.Warn("could not read the latest state of a match for its board", "match", b.match, "error", err)
	}
	if err != nil || !later || reply.Audience != bot.Everyone {
		return
	}
	if reply.Board.Changed.After(b.called.Add(clocksApart)) { // the other process's call came after ours
		return
	}
	st := newState(newest.id, interaction.Result{Reply: reply})
	b.observe(st)
	b.promise(st)
}
