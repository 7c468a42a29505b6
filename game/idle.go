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
	Began   time.Time // lists are ordered by it, then by Match
	Changed time.Time // when the latest change was made, the one that led to Version
}

// Unfinished describes a match that is being played; last is the request that changed it
// last. Times are those of the requests by Discord's clock, where their ids hold it.
func (m Match) Unfinished(last RequestID) Unfinished {
	u := Unfinished{Match: m.ID, Slot: m.Slot(), Version: m.Version, Began: m.Started, Changed: m.Changed()}
	if at, ok := RequestID(m.ID).Made(); ok {
		u.Began = at
	}
	if at, ok := last.Made(); ok {
		u.Changed = at
	}
	return u
}

// Changed returns when the latest guess was made or hint taken or, before the first one,
// when the match was started.
func (m Match) Changed() time.Time {
	at := m.Started
	if n := len(m.Moves); n > 0 {
		at = m.Moves[n-1].At
	}
	if n := len(m.Hints); n > 0 && m.Hints[n-1].At.After(at) {
		at = m.Hints[n-1].At
	}
	return at
}

// Idle returns how long nothing had changed in a match that was ended for that; 0 for any
// other match.
func (m Match) Idle() time.Duration {
	if m.Stop == nil || !m.Stop.Idle {
		return 0
	}
	return m.Stop.At.Sub(m.Changed())
}

// idleSuffix, after the id of a match, makes the id of the request that ends it when it is
// idle. That id is unique: no front has such ids, and a match ends only once.
const idleSuffix = "-idle"

// unfinishedPage is how many unfinished matches are listed at once.
const unfinishedPage = 50

// errMoved: an idle match has been changed since it was listed.
var errMoved = errors.New("no longer idle")

// EndIdle stops the matches in which nothing has changed for the time given: see [Stop]. It
// returns how many it ended, and how long it is until the next one is due if nothing changes
// in it; 0 if none is left. After each page of matches it rests for as long as that took. If
// a match cannot be ended, it continues with the others, unless the store cannot save.
//
// Time goes by the ids of requests once one that holds it has come, and until then by the
// manager's clock. So while requests come, a machine whose clock is wrong ends no match too
// early.
func (m *Manager) EndIdle(ctx context.Context, idle time.Duration) (ended int, wait time.Duration, err error) {
	var next time.Time
	defer func() {
		if !next.IsZero() {
			wait = max(next.Sub(m.requestNow()), 1)
		}
	}()
	var after Unfinished
	for {
		began := time.Now()
		page, listed := m.Store.Unfinished(ctx, after, unfinishedPage)
		if listed != nil {
			return ended, 0, errors.Join(err, listed)
		}
		for _, u := range page {
			due := u.Changed.Add(idle)
			now := m.requestNow()
			if !due.After(now) {
				switch failed := m.endIdle(ctx, u); {
				case failed == nil:
					ended++
					continue
				case errors.Is(failed, errMoved):
					due = now.Add(idle)
				case errors.Is(failed, ErrNotSaved), ctx.Err() != nil:
					return ended, 0, errors.Join(err, failed)
				default:
					err = errors.Join(err, failed)
					continue
				}
			}
			if next.IsZero() || due.Before(next) {
				next = due
			}
			if u.Began.Add(idle).After(now) {
				return ended, 0, err // and so are all that began later
			}
		}
		if len(page) < unfinishedPage {
			return ended, 0, err
		}
		after = page[len(page)-1]
		if err := sleep(ctx, time.Since(began)); err != nil {
			return ended, 0, err
		}
	}
}

// endIdle ends a match, unless something has changed in it since it was listed.
func (m *Manager) endIdle(ctx context.Context, u Unfinished) error {
	return m.end(ctx, u, Stop{Idle: true})
}

// end is endIdle with who stops the match, or why.
func (m *Manager) end(ctx context.Context, u Unfinished, stop Stop) error {
	match, err := m.Store.Load(ctx, u.Slot)
	if err != nil {
		return err
	}
	o := Origin{Request: RequestID(u.Match) + idleSuffix, Location: match.Location, Player: match.Starter}
	ended, err := m.change(ctx, o, found{u.Slot, match}, func(_ context.Context, match Match, err error) (Change, error) {
		if err == nil && (match.ID != u.Match || match.Version != u.Version || match.Status() != Playing) {
			err = errMoved
		}
		stop.At, stop.Version = m.now(), match.Version+1
		match.Stop = &stop
		return Change{Match: match}, err
	})
	if err == nil && m.Ended != nil {
		m.Ended(ctx, ended)
	}
	return err
}

// WorkStore hands out regular tasks to the processes that share a store: any of them may do
// a task, one at a time.
type WorkStore interface {
	// TakeWork gives the work of that name to the caller if it is due and no process has it.
	// The caller has it until it calls EndWork, but no longer than the lease. Work that was
	// never given back is due. Work that takes longer than the lease may be done by two
	// processes at once, so each part of it must be something that takes effect only once.
	TakeWork(ctx context.Context, name string, lease time.Duration) (Work, bool, error)
	// EndWork gives work back, to be due again after the wait. It changes nothing if another
	// process has the work by now.
	EndWork(ctx context.Context, w Work, wait time.Duration) error
}

// Work is what one process has taken to do.
type Work struct {
	Name       string
	Owner      string // the process
	Generation uint64 // how many times the work was taken
}

// KeepEndingIdle calls [Manager.EndIdle] whenever a match is due, until ctx ends. It begins
// a minute after its call: the clock of a machine that has just started may not be set yet.
func (m *Manager) KeepEndingIdle(ctx context.Context, idle time.Duration, log *slog.Logger) {
	// At least once an hour, since a clock may be set, and at most once a minute.
	least, most := min(idle, time.Minute), min(idle, time.Hour)
	for wait := least; sleep(ctx, wait) == nil; {
		work, mine, err := m.takeIdle(ctx)
		if err != nil && ctx.Err() == nil {
			log.Warn("could not list idle games", "error", err)
		}
		if wait = least; !mine {
			continue
		}
		ended, next, err := m.EndIdle(ctx, idle)
		if ended > 0 {
			log.Info("ended idle games", "games", ended, "after", idle)
		}
		wait = most
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, ErrNotSaved): // the store logs that
			wait = least
		case err != nil:
			log.Error("could not end idle games", "error", err)
		case next > 0:
			wait = min(max(next, least), most)
		}
		if m.Work == nil {
			continue
		}
		if err := m.Work.EndWork(ctx, work, wait); err != nil && ctx.Err() == nil {
			log.Warn("could not hand over the work of ending idle games", "error", err)
		}
		wait = least
	}
}

// idleLease is for how long a process that ends idle games keeps others from doing so.
const idleLease = 10 * time.Minute

// takeIdle reports whether this process is the one to end idle games now.
func (m *Manager) takeIdle(ctx context.Context) (Work, bool, error) {
	if m.Work == nil {
		return Work{}, true, nil
	}
	return m.Work.TakeWork(ctx, "idle", idleLease)
}

// sleep waits. If ctx ends first, it returns at once with the context's error.
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
