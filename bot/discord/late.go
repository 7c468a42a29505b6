package discord

import (
	"context"

	"fivefold/bot"
)

// afterPromise shows a reply where the first answer was a promise, to the asker
// alone when private is set, which failed with promiseErr if that is not nil.
func (a *answerer) afterPromise(i interaction, r bot.Reply, p *picture, private bool, promiseErr error) {
	press := i.isPress()
	publish := !press && private && r.Audience == bot.Everyone
	switch {
	case i.inPlace(r):
		a.replace(i, a.update(i, r, p))
	case (press || publish) && isRefusal(promiseErr):
		// The same request was delivered before and has its answer, or the promise
		// came too late for any. An edit would only say the same again, but this
		// would be one message more.
	case publish:
		a.publish(i, r, p)
	case press:
		a.add(i, a.message(i, r, p))
	default:
		a.replace(i, a.update(i, r, p))
	}
}

// publish shows a reply to everybody after a promise to the asker alone. Whatever
// first follows a promise takes its place and is as private. So that is a line
// which leads to the reply, and is taken away afterwards; where that fails, it
// stays. If everybody cannot be told, the asker is.
func (a *answerer) publish(i interaction, r bot.Reply, p *picture) {
	moved := a.replace(i, a.update(i, bot.Moved(), nil))
	if a.add(i, a.message(i, r, p)) != nil {
		a.replace(i, a.update(i, r, p))
		return
	}
	if moved == nil { // otherwise the reply may have taken that place
		a.send(i, "removal", func(ctx context.Context) error { return a.remove(ctx, i) })
	}
}

// replace puts a message in the place of the promise, or of what was pressed.
func (a *answerer) replace(i interaction, m message) error {
	return a.deliver(i, "late answer", m, func(ctx context.Context, m message) error { return a.edit(ctx, i, m) })
}

// add sends one message more.
func (a *answerer) add(i interaction, m message) error {
	return a.deliver(i, "late answer", m, func(ctx context.Context, m message) error { return a.follow(ctx, i, m) })
}
