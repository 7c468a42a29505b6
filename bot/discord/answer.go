package discord

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"

	"fivefold/bot"
	"fivefold/game"
)

const (
	// late is when an answer that is not ready is promised for later. Discord
	// takes a first answer for 3 s; the rest is for the way there.
	late = 1500 * time.Millisecond
	// handleLimit bounds the work for one interaction. Its token edits for
	// 15 minutes, but nobody waits for so long.
	handleLimit = 60 * time.Second
	// sendLimit bounds one call to Discord.
	sendLimit = 10 * time.Second
)

// answerer is the one place that sees to it that every interaction is answered
// in time, whatever happens.
type answerer struct {
	respond func(context.Context, interaction, response) error // the first answer, sent once
	edit    func(context.Context, interaction, message) error  // what the promised answer, or what was pressed, becomes
	follow  func(context.Context, interaction, message) error  // one message more
	remove  func(context.Context, interaction) error           // takes the first answer away
	late    time.Duration
	limit   time.Duration
	log     *slog.Logger
}

// answer runs the handler and shows its reply: at once where it is ready in
// time, otherwise in place of a promise. Who sees the promise, and so the late
// reply, is fixed when it is given: the asker alone when private is set. The
// promise after a press fixes nothing; late.go tells what becomes of promises.
//
// A first answer that fails is not sent again, since it may have arrived. The
// game has moved on all the same; the board command shows it.
func (a *answerer) answer(ctx context.Context, i interaction, private bool, handle func(context.Context) bot.Reply) {
	ctx, cancel := context.WithTimeout(ctx, a.limit)
	defer cancel()
	ready := make(chan bot.Reply, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				a.log.Error("panic while answering", "id", i.ID, "panic", p, "stack", string(debug.Stack()))
				ready <- bot.Apology(game.RequestID(i.ID))
			}
		}()
		ready <- handle(ctx)
	}()

	soon := time.NewTimer(a.late)
	defer soon.Stop()
	select {
	case reply := <-ready:
		a.answerNow(ctx, i, reply, soon.C)
		return
	case <-soon.C:
	}
	promiseErr := a.send(i, "promise", func(ctx context.Context) error {
		if i.isPress() {
			return a.respond(ctx, i, response{Type: typeUpdatePromise})
		}
		return a.respond(ctx, i, promise(private))
	})
	var reply bot.Reply
	select {
	case reply = <-ready:
	case <-ctx.Done():
		select {
		case reply = <-ready: // handlers return soon after their context ends
		case <-time.After(a.late):
			a.log.Error("a handler does not obey its context", "id", i.ID)
			reply = bot.Apology(game.RequestID(i.ID))
		}
	}
	p := a.picture(ctx, i, reply, time.After(a.late))
	a.afterPromise(i, reply, p, private, promiseErr)
}

// answerNow sends a reply as the first answer: its form, or else its lines, with
// its picture if that is drawn before due fires.
func (a *answerer) answerNow(ctx context.Context, i interaction, r bot.Reply, due <-chan time.Time) {
	if form, ok := a.form(i, r); ok {
		err := a.send(i, "form", func(ctx context.Context) error {
			return a.respond(ctx, i, response{typeModal, form})
		})
		if !isFault(err) {
			return
		}
	}
	kind, m := a.first(i, r, a.picture(ctx, i, r, due))
	a.deliver(i, "answer", m, func(ctx context.Context, m message) error {
		return a.respond(ctx, i, response{kind, m})
	})
}

// propose answers an autocompletion. There is no promise for those: proposals
// that are not ready in time are none.
func (a *answerer) propose(ctx context.Context, i interaction, complete func(context.Context) []bot.Choice) {
	ctx, cancel := context.WithTimeout(ctx, a.late)
	defer cancel()
	ready := make(chan []bot.Choice, 1)
	go func() {
		defer logPanic(a.log, i.ID)
		defer close(ready)
		ready <- complete(ctx)
	}()
	soon := time.NewTimer(a.late)
	defer soon.Stop()
	var choices []bot.Choice
	select {
	case choices = <-ready:
	case <-soon.C:
	}
	a.send(i, "proposals", func(ctx context.Context) error {
		return a.respond(ctx, i, proposals(choices))
	})
}

// send makes a call under a limit of its own: an answer must go out also when
// the handler's time is up. Its error was logged.
func (a *answerer) send(i interaction, what string, call func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), sendLimit)
	defer cancel()
	err := call(ctx)
	if err != nil {
		a.log.Warn("an answer was not delivered", "id", i.ID, "what", what, "error", err)
	}
	return err
}
