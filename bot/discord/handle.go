package discord

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/interaction"
	"fivefold/game"
	"fivefold/solver/parallel"
)

// handling is a handler at work, in another goroutine.
type handling struct {
	*front
	id      string // of the interaction
	options interaction.ResponseOptions
	deferAt <-chan time.Time
	reply   chan bot.Reply // has room for the one reply
	ended   chan struct{}  // closed when the handler has ended
}

// handle starts a handler for an interaction. If it panics, the reply is an apology.
func (f *front) handle(ctx context.Context, i interaction.Interaction, options interaction.ResponseOptions, handler func(context.Context) bot.Reply) *handling {
	h := &handling{f, i.ID, options, f.after(f.timings.deferAfter - i.Age()), make(chan bot.Reply, 1), make(chan struct{})}
	f.queue.Pool().Go(func() {
		defer close(h.ended)
		defer func() {
			if p := recover(); p != nil {
				h.log.Error("panic while answering", "id", h.id, "panic", p, "stack", string(debug.Stack()))
				h.reply <- bot.Apology(game.RequestID(h.id))
			}
		}()
		h.reply <- handler(ctx)
	})
	return h
}

// inTime waits until the response must be deferred, and reports whether the reply was
// ready by then.
func (h *handling) inTime(ctx context.Context) (interaction.Result, bool) {
	select {
	case reply := <-h.reply:
		if reply.Form != nil && h.options.Modal {
			// A modal shows no picture. If Discord refuses the modal, the lines say
			// what the picture would.
			return interaction.Result{Reply: reply}, true
		}
		return interaction.Result{Reply: reply, Picture: h.picture(ctx, h.id, reply, h.deferAt)}, true
	case <-h.deferAt:
		return interaction.Result{}, false
	}
}

// late waits for a reply that was not ready in time. It returns soon after ctx
// ends, with an apology if the handler ignores that.
func (h *handling) late(ctx context.Context) interaction.Result {
	var reply bot.Reply
	select {
	case reply = <-h.reply:
	case <-ctx.Done():
		select {
		case reply = <-h.reply: // handlers return soon after their context ends
		case <-time.After(h.timings.deferAfter):
			h.log.Error("a handler ignores the end of its context", "id", h.id)
			reply = bot.Apology(game.RequestID(h.id))
		}
	}
	return interaction.Result{Reply: reply, Picture: h.picture(ctx, h.id, reply, time.After(h.timings.deferAfter))}
}

// drawLate draws the picture of a reply whose interaction may have been answered already.
func (f *front) drawLate(id string, r bot.Reply) *interaction.Picture {
	return f.picture(context.Background(), id, r, time.After(f.timings.deferAfter))
}

// picture draws the reply's picture. It returns nil if there is none, if it
// cannot be drawn, or if it is not ready when due fires: the lines are enough.
func (f *front) picture(ctx context.Context, id string, r bot.Reply, due <-chan time.Time) *interaction.Picture {
	if r.Picture == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		picture *interaction.Picture
		err     error
	}
	drawn := make(chan outcome, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				drawn <- outcome{err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
			}
		}()
		permit, err := f.permits.Acquire(ctx, parallel.Brief)
		if err != nil {
			drawn <- outcome{err: err}
			return
		}
		defer permit.Release()
		p, err := interaction.DrawPicture(ctx, *r.Picture, r.Look.Colours)
		drawn <- outcome{p, err}
	}()
	var d outcome
	select {
	case d = <-drawn:
	case <-due:
		d.err = errors.New("it takes too long")
	}
	switch {
	case errors.Is(d.err, parallel.ErrBusy):
		return nil
	case d.err != nil:
		f.log.Error("could not draw a picture", "id", id, "error", d.err)
		return nil
	}
	return d.picture
}

// choices runs a function that proposes values, and returns none if it panics or
// is not ready when a response would be deferred. ended is closed when the function has
// ended.
func (f *front) choices(ctx context.Context, i interaction.Interaction, propose func(context.Context) []bot.Choice) (proposed []bot.Choice, ended <-chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, f.timings.deferAfter-i.Age())
	defer cancel()
	ready, done := make(chan []bot.Choice, 1), make(chan struct{})
	go func() {
		defer close(done)
		defer close(ready)
		defer interaction.LogPanic(f.log, i.ID)
		ready <- propose(ctx)
	}()
	select {
	case choices := <-ready:
		return choices, done
	case <-ctx.Done():
		return nil, done
	}
}
