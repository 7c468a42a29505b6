package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"fivefold/bot"
	"fivefold/bot/discord/interaction"
	"fivefold/game"
	"fivefold/solver/parallel"
)

// handling is a handler at work, in another goroutine.
type handling struct {
	ended      chan struct{} // closed when the handler has ended
	permits    *parallel.Permits
	id         string // of the interaction
	options    interaction.ResponseOptions
	reply      chan bot.Reply // has room for the one reply
	deferAt    <-chan time.Time
	deferAfter time.Duration
	log        *slog.Logger
}

// handle starts a handler for an interaction. If it panics, the reply is an apology.
func (f *front) handle(ctx context.Context, i interaction.Interaction, options interaction.ResponseOptions, handler func(context.Context) bot.Reply) *handling {
	id := i.ID
	h := &handling{
		ended:      make(chan struct{}),
		permits:    f.permits,
		id:         id,
		options:    options,
		reply:      make(chan bot.Reply, 1),
		deferAt:    f.deferAt(i),
		deferAfter: f.timings.deferAfter,
		log:        f.log,
	}
	f.queue.Pool().Go(func() {
		defer close(h.ended)
		defer func() {
			if p := recover(); p != nil {
				h.log.Error("panic while answering", "id", id, "panic", p, "stack", string(debug.Stack()))
				h.reply <- bot.Apology(game.RequestID(id))
			}
		}()
		h.reply <- handler(ctx)
	})
	return h
}

// deferAt returns when the response to an interaction is deferred.
func (f *front) deferAt(i interaction.Interaction) <-chan time.Time {
	return f.after(f.timings.deferAfter - i.Age())
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
		return interaction.Result{Reply: reply, Picture: h.picture(ctx, reply, h.deferAt)}, true
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
		case <-time.After(h.deferAfter):
			h.log.Error("a handler ignores the end of its context", "id", h.id)
			reply = bot.Apology(game.RequestID(h.id))
		}
	}
	return interaction.Result{Reply: reply, Picture: h.picture(ctx, reply, time.After(h.deferAfter))}
}

// picture draws the reply's picture: see drawing.picture.
func (h *handling) picture(ctx context.Context, r bot.Reply, due <-chan time.Time) *interaction.Picture {
	return drawing{h.permits, h.id, h.log}.picture(ctx, r, due)
}

// drawLate draws the picture of a reply whose interaction may have been answered already.
func (f *front) drawLate(id string, r bot.Reply) *interaction.Picture {
	return drawing{f.permits, id, f.log}.picture(context.Background(), r, time.After(f.timings.deferAfter))
}

// drawing draws the pictures of replies.
type drawing struct {
	permits *parallel.Permits
	id      string // of the interaction
	log     *slog.Logger
}

// picture draws the reply's picture. It returns nil if there is none, if it
// cannot be drawn, or if it is not ready when due fires: the lines are enough.
func (h drawing) picture(ctx context.Context, r bot.Reply, due <-chan time.Time) *interaction.Picture {
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
		permit, err := h.permits.Acquire(ctx, parallel.Brief)
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
		h.log.Error("could not draw a picture", "id", h.id, "error", d.err)
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
