package boardmessage

import (
	"context"
	"errors"
	"net/http"
	"time"

	"fivefold/bot/discord/calls"
	"fivefold/game/work"
)

const (
	// maxChores is how many calls that can wait are made at once: other calls by the bot's token are never behind more of them.
	maxChores = 4
	// maxWaiting is how many chores there are at most. Beyond that, old boards stay: their buttons still work.
	maxWaiting = 1000
	// choreGap is how long a chore waits before it looks again.
	choreGap = 100 * time.Millisecond
)

// chore has do make calls that can wait, while few other chores run. If do returns true, chore runs it again after choreGap.
// At the end of the program, chores that still wait are dropped.
func (k *Keeper) chore(do func() (again bool)) {
	if k.waiting.Add(1) > maxWaiting {
		k.waiting.Add(-1)
		return
	}
	k.jobs.run(func() {
		defer k.waiting.Add(-1)
		for k.doChore(do) && work.Sleep(k.jobs.over, choreGap) == nil {
		}
	})
}

func (k *Keeper) doChore(do func() (again bool)) (again bool) {
	select {
	case k.chores <- struct{}{}:
		defer func() { <-k.chores }()
		return do()
	case <-k.jobs.over.Done():
		return false
	}
}

// identify looks up the id of a message that was posted by an HTTP response. Private messages, other processes and the next
// start need the id, and can wait for it.
func (b *boardMessage) identify(at knownMessage) {
	b.keeper.chore(func() (again bool) {
		ctx, cancel := context.WithTimeout(context.Background(), b.keeper.Deliverer.Timeout)
		defer cancel()
		err, id := at.Exchange.Settle(ctx), ""
		if err == nil {
			id, err = b.keeper.Deliverer.Calls.MessageID(ctx, at.App, at.Token, at.Target)
		}
		if err == nil {
			b.async(func() {
				if b.at.ID == "" && b.at.Token == at.Token { // otherwise another message has taken its place
					b.at.ID = id
					b.save()
				}
			})
		} else if !calls.IsGone(err) {
			b.keeper.Deliverer.Log.Warn("could not look up a match's message", "error", err)
		}
		return false
	})
}

// maxOld is how many replaced messages of a match are kept in memory, for forms that were opened from them.
const maxOld = 16

// remove deletes a replaced message as soon as the store has the new one. It returns at once. A message that cannot be
// deleted stays, and a press can make it the board again. If deleting fails, a press on the message tries again.
func (b *boardMessage) remove(old knownMessage) {
	if old.ID != "" && old.ID == b.at.ID || old.Token != "" && old.Token == b.at.Token {
		return
	}
	old.stays = !old.editable()
	b.old = append(b.old[max(0, len(b.old)-maxOld+1):], old)
	if old.stays {
		return
	}
	k, began := b.keeper, time.Now()
	k.chore(func() (again bool) {
		if old.ID != "" && b.stored().Message == old.ID || !old.HasToken() && k.Deliverer.Calls.Wait(http.MethodDelete, b.channel.id) > 0 {
			return time.Since(began) < k.Deliverer.Timeout
		}
		ctx, cancel := context.WithTimeout(context.Background(), k.Deliverer.Timeout)
		defer cancel()
		err := k.reach(ctx, &old, func() error { return k.Deliverer.Calls.DeleteByToken(ctx, old.App, old.Token, old.Target) },
			func() error { return k.Deliverer.Calls.DeleteByBot(ctx, b.channel.id, old.ID) })
		if err != nil && !errors.Is(err, errNoWay) {
			k.Deliverer.Log.Warn("could not delete an old board", "error", err)
		}
		return false
	})
}

// isOld reports whether a message was replaced. old means that the message is or will be deleted. stays means that it cannot
// be.
func (b *boardMessage) isOld(message string) (old, stays bool) {
	for _, o := range b.old {
		if o.ID == message || o.ID == "" && !o.stays && calls.IsLater(message, o.since) {
			old, stays = !o.stays, o.stays
		}
	}
	return old, stays
}
