package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/storage/storagetest/traced"
)

const year = 365 * 24 * time.Hour

// clockPlan returns how wrong the program's clock is at each step. Days are counted from the
// first of 2026; one of them has the number 0, and others are before it.
func clockPlan() []time.Duration {
	dayZero := time.Until(time.Date(2025, 12, 31, 12, 0, 0, 0, time.UTC))
	return []time.Duration{0, 4 * time.Second, 0, year, 0, -4 * time.Second, 0, dayZero, dayZero - 24*time.Hour, 0, dayZero - year, 0}
}

// clock shifts the program's clock. Whatever it shows, players can play; what was stored with a
// wrong clock can be read with the right one; and a request that is delivered again after the
// clock was set does nothing.
func clock(ctx context.Context, s *soak) error {
	var shift atomic.Int64
	w, err := s.newWorld(ctx, "clock", setup{trace: &traced.Options{Shift: func() time.Duration { return time.Duration(shift.Load()) }}})
	if err != nil {
		return err
	}
	w.expectWrongTimes = true
	defer w.end(ctx)
	playing, stop := context.WithCancel(ctx)
	wait := w.play(playing, 4, 50*time.Millisecond, nil)
	defer wait()
	defer stop()
	v := &victim{player: &player{world: w, number: 999, random: s.random("clock")}}
	var delivered string
	plan := clockPlan()
	for step, off := range plan {
		s.progress.now("off by %v", off)
		shift.Store(int64(off))
		before := w.saved.Load()
		if delivered != "" {
			w.discord.Invoke(discordtest.Interaction{ID: delivered})
		}
		if _, err := v.guess(ctx, trouble{before: func(id string) { delivered = id }}); errors.Is(err, errNoGame) {
			s.verdict.slow("nobody can play", "while the clock is off by %v: %v", off, err)
		}
		w.playDaily(ctx, step)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(s.lasting / time.Duration(len(plan))):
		}
		if w.saved.Load() == before {
			s.verdict.slow("nobody can play", "while the clock is off by %v", off)
		}
	}
	return nil
}

// playDaily plays a daily puzzle, which depends on the clock. The player's own slot must
// be readable afterwards.
func (w *world) playDaily(ctx context.Context, step int) {
	place := fmt.Sprintf("8%09d", step)
	m := &match{id: w.newID(), channel: "13" + place, user: "12" + place, solo: true}
	for _, i := range []discordtest.Interaction{
		{ID: m.id, Command: "wordle start", Options: map[string]any{"mode": "daily"}},
		{Command: "guess", Options: map[string]any{"word": "slate", "mode": "daily"}},
		{Command: "wordle board"},
	} {
		i.Channel, i.User = m.channel, m.user
		w.ask(ctx, i)
	}
	w.journal.begin(&match{id: "0", channel: m.channel, user: m.user, solo: true})
}
