package game

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// Unfinished is a match that is being played, as a store lists it.
type Unfinished struct {
	Match   MatchID
	Slot    Slot
	Version uint64
	Began   time.Time // with Match, the order of the list
	Changed time.Time // the latest change, after which it has that version
}

// Unfinished describes a match that is being played, and the request that changed it
// last. Times are those of the requests by Discord's clock, where these say it.
func (m Match) Unfinished(last RequestID) Unfinished {
	u := Unfinished{Match: m.ID, Slot: m.Slot(), Version: m.Version, Began: m.Started, Changed: m.changed()}
	if at, ok := RequestID(m.ID).Made(); ok {
		u.Began = at
	}
	if at, ok := last.Made(); ok {
		u.Changed = at
	}
	return u
}

// changed returns when the latest guess was made or the latest hint taken.
func (m Match) changed() time.Time {
	at := m.Started
	if n := len(m.Moves); n > 0 {
		at = m.Moves[n-1].At
	}
	if n := len(m.Hints); n > 0 && m.Hints[n-1].At.After(at) {
		at = m.Hints[n-1].At
	}
	return at
}

// Idle returns for how long nothing had changed in a match that was ended for that; 0
// for any other match.
func (m Match) Idle() time.Duration {
	if m.Stop == nil || !m.Stop.Idle {
		return 0
	}
	return m.Stop.At.Sub(m.changed())
}

// idleSuffix makes the request that ends an idle match out of the match's id. No front
// has such ids, and a match ends once.
const idleSuffix = "-idle"

// unfinishedPage is how many unfinished matches are listed at once.
const unfinishedPage = 50

// errMoved: an idle match has been changed since it was listed.
var errMoved = errors.New("no longer idle")

// EndIdle ends the matches in which nothing has changed for so long, as given up by
// nobody: [Stop] says so. It returns how many those were, and when the next one will be
// due if nothing changes in it until then; zero if no match is being played. It takes as
// much rest as it works. A match that cannot be ended does not keep it from the
// others, but one that cannot be saved does.
func (m *Manager) EndIdle(ctx context.Context, idle time.Duration) (ended int, next time.Time, err error) {
	var after Unfinished
	for {
		began := time.Now()
		page, listed := m.Store.Unfinished(ctx, after, unfinishedPage)
		if listed != nil {
			return ended, next, errors.Join(err, listed)
		}
		before := ended
		for _, u := range page {
			due := u.Changed.Add(idle)
			now := m.now()
			if !due.After(now) {
				switch failed := m.endIdle(ctx, u); {
				case failed == nil:
					ended++
					continue
				case errors.Is(failed, errMoved):
					due = now.Add(idle)
				case errors.Is(failed, ErrNotSaved), ctx.Err() != nil:
					return ended, now, errors.Join(err, failed)
				default:
					err = errors.Join(err, failed)
					continue
				}
			}
			if next.IsZero() || due.Before(next) {
				next = due
			}
			if u.Began.Add(idle).After(now) {
				return ended, next, err // and so are all that began later
			}
		}
		if len(page) < unfinishedPage {
			return ended, next, err
		}
		after = page[len(page)-1]
		if ended > before {
			if err := sleep(ctx, time.Since(began)); err != nil {
				return ended, next, err
			}
		}
	}
}

// endIdle ends a match, unless something has changed in it since it was listed.
func (m *Manager) endIdle(ctx context.Context, u Unfinished) error {
	o := Origin{Request: RequestID(u.Match) + idleSuffix}
	_, err := m.changeAs(ctx, o, u.Slot, func(ctx context.Context, _ bool) (Change, Match, error) {
		match, err := m.Store.Load(ctx, u.Slot)
		switch {
		case err != nil:
			return Change{}, Match{}, err
		case match.ID != u.Match || match.Version != u.Version || match.Status() != Playing:
			return Change{}, match, errMoved
		}
		match.Stop = &Stop{At: m.now(), Version: match.Version + 1, Idle: true}
		return Change{Match: match}, match, nil
	})
	return err
}

// KeepEndingIdle calls [Manager.EndIdle] whenever a match is due, until ctx ends.
func (m *Manager) KeepEndingIdle(ctx context.Context, idle time.Duration, log *slog.Logger) {
	// At least once an hour, since a clock may be set, and at most once a minute.
	least, most := min(idle, time.Minute), min(idle, time.Hour)
	for {
		ended, next, err := m.EndIdle(ctx, idle)
		if ended > 0 {
			log.Info("games in which nobody moved were ended", "games", ended, "after", idle)
		}
		wait := most
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, ErrNotSaved), errors.Is(err, ErrRebuilding): // the store logs that
			wait = least
		case err != nil:
			log.Error("games in which nobody moves cannot be ended", "error", err)
		case !next.IsZero():
			wait = min(max(next.Sub(m.now()), least), most)
		}
		if sleep(ctx, wait) != nil {
			return
		}
	}
}

// sleep waits, unless ctx ends before.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
