package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"fivefold/bot/discord/discordtest"
	"fivefold/storage/storagetest/powerloss"
	"fivefold/storage/storagetest/traced"
)

// metaPages is where bbolt's two meta pages end. Each commit writes one of them last.
const metaPages = 2 * 4096

// diskFault is how a disk fails.
type diskFault struct {
	errno syscall.Errno
	kinds []traced.Kind
	meta  bool // only syncs after a write of a meta page
}

var diskPlan = []diskFault{
	{syscall.ENOSPC, []traced.Kind{traced.Write, traced.Resize}, false},
	{syscall.EROFS, []traced.Kind{traced.Write, traced.Resize}, false},
	{syscall.EIO, []traced.Kind{traced.Write}, false},
	{syscall.EIO, []traced.Kind{traced.Sync}, false},
	{syscall.EIO, []traced.Kind{traced.Sync}, true},
}

// traced restarts the program under a tracer, for as long as f runs. It does nothing where programs
// cannot be traced. At the end the program is stopped by a signal, and between is called then.
func (w *world) traced(ctx context.Context, o traced.Options, f func() error, signal syscall.Signal, between func()) error {
	b := w.bots[0]
	o.File = w.file
	if err := b.restart(ctx, syscall.SIGTERM, func() { b.setTrace(&o) }); err != nil {
		return err
	}
	if b.untraceable() {
		w.verdict.figure("skipped what needs a traced program: %v", traced.ErrUnsupported)
		return nil
	}
	if err := f(); err != nil {
		return err
	}
	return b.restart(ctx, signal, func() {
		b.setTrace(nil)
		if between != nil {
			between()
		}
	})
}

// diskFaults has the disk fail for a while in some ways, and then work again. Nothing that was
// acknowledged may be lost, and nothing that was refused may count. When the disk works again
// the program must save again, restarted by its supervisor if it ends.
func diskFaults(ctx context.Context, w *world, random *rand.Rand) error {
	var (
		now      atomic.Pointer[diskFault]
		done     atomic.Bool
		metaPage bool // the last write was of a meta page; only the tracer uses it
	)
	before := func(c traced.Call) traced.Failure {
		if c.Kind == traced.Write {
			metaPage = c.Offset < metaPages
		}
		f := now.Load()
		if f == nil || !slices.Contains(f.kinds, c.Kind) || f.meta && !metaPage {
			return traced.Failure{}
		}
		w.failedCalls.Add(1)
		return traced.Failure{Errno: f.errno, Done: done.Load()}
	}
	w.excused.Store(true)
	w.bots[0].excuse(true)
	defer w.excused.Store(false)
	defer w.bots[0].excuse(false)
	return w.traced(ctx, traced.Options{Before: before}, func() error {
		for range 4 {
			done.Store(random.IntN(2) == 0)
			fault := diskPlan[random.IntN(len(diskPlan))]
			now.Store(&fault)
			time.Sleep(time.Duration(100+random.IntN(400)) * time.Millisecond)
			now.Store(nil)
			if err := w.savesAgain(ctx); err != nil {
				return fmt.Errorf("%v of %v, done: %t: %w", fault.errno, fault.kinds, done.Load(), err)
			}
		}
		return nil
	}, syscall.SIGTERM, nil)
}

// wrongClock shifts the program's clock. Whatever it shows, players can play; what was stored with a
// wrong clock can be read with the right one; and a request that is delivered again after the
// clock was set does nothing. Days are counted from the first of 2026; one of them has the
// number 0, and others are before it.
func wrongClock(ctx context.Context, w *world, random *rand.Rand) error {
	const year = 365 * 24 * time.Hour
	dayZero := time.Until(time.Date(2025, 12, 31, 12, 0, 0, 0, time.UTC))
	plan := []time.Duration{4 * time.Second, year, -4 * time.Second, dayZero, dayZero - 24*time.Hour, dayZero - year}
	from := time.Now().Add(-time.Second)
	defer func() {
		w.wrong.Lock()
		defer w.wrong.Unlock()
		w.wrong.spans = append(w.wrong.spans, timeSpan{from, time.Now()})
	}()
	var shift atomic.Int64
	return w.traced(ctx, traced.Options{Shift: func() time.Duration { return time.Duration(shift.Load()) }}, func() error {
		var delivered string
		for range 2 {
			for _, off := range []time.Duration{plan[random.IntN(len(plan))], 0} {
				shift.Store(int64(off))
				if delivered != "" {
					w.discord.Invoke(discordtest.Interaction{ID: delivered})
				}
				if _, err := w.hit(ctx, random, trouble{before: func(id string) { delivered = id }}); errors.Is(err, errNoGame) {
					w.verdict.slow("nobody can play", "while the clock is off by %v: %v", off, err)
				}
				w.playDaily(ctx)
				if err := w.savesAgain(ctx); err != nil {
					return fmt.Errorf("the clock is off by %v: %w", off, err)
				}
			}
		}
		return nil
	}, syscall.SIGTERM, nil)
}

// playDaily plays a daily puzzle, which depends on the clock. The player's own slot must
// be readable afterwards.
func (w *world) playDaily(ctx context.Context) {
	place := fmt.Sprintf("8%09d", w.victims.Add(1))
	m := &match{id: "0", channel: "13" + place, user: "12" + place, solo: true}
	for _, i := range []discordtest.Interaction{
		{Command: "wordle start", Options: map[string]any{"mode": "daily"}},
		{Command: "guess", Options: map[string]any{"word": "slate", "mode": "daily"}},
		{Command: "wordle board"},
	} {
		i.ID, i.Channel, i.User = w.newID(), m.channel, m.user
		w.ask(ctx, i, trouble{})
	}
	w.hold.RLock()
	defer w.hold.RUnlock()
	w.journal.begin(m)
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
	var log powerloss.Log
	var o traced.Options
	o.File = w.file
	log.Watch(&o)
	loss := func() {
		w.hold.Lock()
		defer w.hold.Unlock()
		path := w.file + ".image"
		for n, began := 0, time.Now(); n < images && time.Since(began) < imageTime; n++ {
			image, err := log.Loss(random)
			if err == nil {
				err = errors.Join(os.WriteFile(path, image, 0o600), os.WriteFile(w.file, image, 0o600))
			}
			if err != nil {
				w.verdict.finding("broken off", "a loss of power: %v", err)
				return
			}
			if n == 0 { // starting a program takes time
				w.checkWhole(ctx, path)
			}
			w.checking("bolt:" + path).run(ctx)
			w.lost.Add(1)
		}
	}
	return w.traced(ctx, o, func() error {
		for enough := time.Now().Add(time.Duration(500+random.IntN(2500)) * time.Millisecond); time.Now().Before(enough) && log.Written() < maxRecorded; {
			time.Sleep(20 * time.Millisecond)
		}
		return ctx.Err()
	}, syscall.SIGKILL, loss)
}
