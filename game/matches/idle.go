package matches

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"fivefold/game"
	"fivefold/game/work"
)

const (
	// idleSuffix, after the id of a match, makes the id of the request that ends it when it is idle. No front has such ids.
	idleSuffix     = "-idle"
	unfinishedPage = 50               // matches that are listed at once
	idleLease      = 10 * time.Minute // how long one process keeps others from ending idle games
)

// leastAge returns the least age of a match that EndIdle ends. A daily puzzle stays open for a day or longer after it was begun.
func leastAge(idle time.Duration) time.Duration {
	const day = 24 * time.Hour
	return min(cmp.Or(idle, day), day)
}

// idleTimes returns how long games may be idle in servers that have chosen it, and the least age of a match that EndIdle ends.
func (m *Manager) idleTimes(ctx context.Context, idle time.Duration) (chosen map[game.GuildID]time.Duration, least time.Duration, err error) {
	least = leastAge(idle)
	if m.Idle != nil {
		chosen, err = m.Idle(ctx)
	}
	for _, own := range chosen {
		least = min(least, own)
	}
	return chosen, least, err
}

// EndIdle stops the matches in which nothing has changed for the time idle, or for what their server has chosen; if that is 0, none. It also ends the daily puzzles
// that have closed: see [game.Stop] and [game.Match.AsOf]. It returns how many matches it ended. After each page of matches it
// rests for as long as the page took. If a match cannot be ended, it continues with the others, unless the store cannot save.
func (m *Manager) EndIdle(ctx context.Context, idle time.Duration) (ended int, err error) {
	var after game.Unfinished
	now := m.Clock()
	chosen, least, err := m.idleTimes(ctx, idle)
	if err != nil {
		return 0, err
	}
	for {
		began := time.Now()
		page, listed := m.Store.Unfinished(ctx, after, unfinishedPage)
		if listed != nil {
			return ended, errors.Join(err, listed)
		}
		for _, u := range page {
			if u.Began.After(now.Add(-least)) {
				return ended, err // and so did all that follow
			}
			idle := cmp.Or(chosen[u.Guild], idle)
			if number, daily := u.Slot.Puzzle.Daily(); daily && now.Before(game.DailyCloses(number)) || !daily && (idle == 0 || u.Changed.After(now.Add(-idle))) {
				continue
			}
			switch failed := m.end(ctx, u, game.Origin{}); {
			case failed == nil:
				ended++
			case errors.Is(failed, game.ErrNotSaved), ctx.Err() != nil:
				return ended, errors.Join(err, failed)
			case !errors.Is(failed, errMoved):
				err = errors.Join(err, failed)
			}
		}
		if len(page) < unfinishedPage {
			return ended, err
		}
		after = page[len(page)-1]
		if err := work.Sleep(ctx, time.Since(began)); err != nil {
			return ended, err
		}
	}
}

// endAnyway is end for a match that may have changed since it was read. A match that is over stays as it is.
func (m *Manager) endAnyway(ctx context.Context, match game.Match, by game.Origin) error {
	u := match.Unfinished()
	u.Version = 0
	err := m.end(ctx, u, by)
	if errors.As(err, new(*game.OtherMatchError)) || errors.Is(err, game.ErrEnded) || errors.Is(err, game.ErrNoMatch) {
		return nil
	}
	return err
}

// EndOwn stops for a player the matches that they play alone, in every community.
func (m *Manager) EndOwn(ctx context.Context, o game.Origin) error {
	var slots []game.Slot
	for _, rules := range m.Rules {
		slots = append(slots, m.dailySlots(rules.Kind(), o.Player)...)
		for _, mode := range []game.Mode{game.Solo, game.Racing, game.Challenged, game.Practice} {
			slots = append(slots, game.OwnSlot(rules.Kind(), mode, o.Player, game.Location{}))
		}
	}
	for i := range slots {
		slots[i].Community = "" // all
	}
	playing, err := m.Store.Playing(ctx, slots...)
	for _, match := range playing {
		err = errors.Join(err, m.endAnyway(ctx, match, o))
	}
	return err
}

// end stops a match: for the player in by, who need not be in it, or as idle if by is zero. It uses by's player, names and time,
// nothing else. If u has a version and the match has changed since, the error is errMoved.
func (m *Manager) end(ctx context.Context, u game.Unfinished, by game.Origin) error {
	at := m.load(ctx, located{slot: u.Slot})
	if at.err != nil {
		return at.err
	}
	r, err := m.RaceOf(ctx, at.match)
	if err != nil {
		return err
	}
	o := by
	o.Request, o.Location, o.Player = game.RequestID(u.Match)+idleSuffix, at.match.Location, cmp.Or(by.Player, at.match.Starter, "somebody")
	t := Target{Kind: at.match.Kind, Match: u.Match, found: &at, version: u.Version}
	ended, err := m.changeMatch(ctx, o, t, func(_ context.Context, match game.Match) (game.Match, error) {
		if match = match.AsOf(m.Clock()); match.Stop == nil {
			match.Stop = &game.Stop{Player: by.Player, At: m.Clock(), Version: match.Version + 1, Idle: by.Player == ""}
		}
		if r.Removed() {
			match.Challenge = r.Challenge
		}
		return match, nil
	})
	if err == nil && m.Changed != nil {
		m.Changed(ended)
	}
	return err
}

// KeepEndingIdle calls [Manager.EndIdle] every minute until ctx ends, in one of the processes that share the store. The first
// call comes after a minute: by then, a machine that has just started has set its clock.
func (m *Manager) KeepEndingIdle(ctx context.Context, idle time.Duration, log *slog.Logger) {
	every := min(leastAge(idle), time.Minute)
	work.Keep(ctx, log, "could not end idle games", every, every, func() error {
		_, least, err := m.idleTimes(ctx, idle)
		if err != nil {
			return err
		}
		first, err := m.Store.Unfinished(ctx, game.Unfinished{}, 1)
		if err != nil || len(first) == 0 || first[0].Began.Add(least).After(m.Clock()) {
			return err
		}
		done, err := work.Take(ctx, m.Work, "idle", idleLease)
		if done == nil {
			return err
		}
		defer done()
		ended, err := m.EndIdle(ctx, idle)
		if ended > 0 {
			log.Info("ended idle games", "games", ended, "after", idle)
		}
		return err
	})
}
